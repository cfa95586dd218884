/** Certifies the atoms of a problem: reads the codes of some samples, and of more if these do not decide. */
import { identity, type Matrix64, norm, type Precision, row, transpose } from '../../core/matrix.ts';
import { sharedZeros } from '../../core/shared-memory.ts';
import { solve } from '../../linalg/lu.ts';
import type { Problem } from '../problem.ts';
import type { RefiningPrecision } from '../refinement/masked-refinement.ts';
import { type AtomVerdict, CERTIFICATE, certificate } from './certificate.ts';
import { sharpening } from './sharpen.ts';

/** Samples to read first and at most: a number, or this many per atom. They are read in runs of neighbours: data may be sorted. */
const FIRST = { samples: 1024, perAtom: 16 };
const MOST = { samples: 16_384, perAtom: 64, codes: 1 << 23 };
const RUN = 64;

export interface Certified {
  /** The given atoms, sharpened where their own zeros make them exact; unit length. */
  readonly atoms: Matrix64;
  readonly verdicts: readonly AtomVerdict[];
}

/**
 * Checks whether each of the atoms (K×K, or the rows of an encoder) is certified. `precision`: of the refinement. `sharpen`:
 * first makes nearly exact atoms exact.
 */
export async function certifyAtoms(
  problem: Problem,
  atoms: Matrix64,
  precision: RefiningPrecision,
  sharpen = false,
): Promise<Certified> {
  const { samples, size, kernels } = problem;
  const stored: Precision = precision === 'f32' || problem.input.source.precision === 'f32' ? 'f32' : 'f64';
  const options = { kernels, precision: stored };
  const judge = async (rows: number): Promise<Certified> => {
    const part = problem.spread(rows, { run: RUN });
    const codes = sharedZeros(atoms.rows, part.samples, 'f64') as Matrix64;
    await part.writeCodes(atoms, codes);
    const verdicts = certificate(codes, options);
    const inexact = verdicts.flatMap(({ refusal }, i) => (isOpen(refusal) ? [i] : []));
    const sharp = sharpen && inexact.length > 0 ? sharpening(codes, inexact, kernels) : undefined;
    if (!sharp) return { atoms, verdicts };
    return { atoms: kernels.multiply(sharp, atoms), verdicts: certificate(kernels.multiply(sharp, codes), options) };
  };
  const first = Math.max(FIRST.samples, FIRST.perAtom * size);
  const most = Math.min(Math.max(MOST.samples, MOST.perAtom * size), Math.max(first, Math.floor(MOST.codes / size)));
  const certified = await judge(first);
  const refusals = certified.verdicts.map(({ refusal }) => refusal);
  const isDecided = first >= samples || !refusals.some(isOpen) || refusals.every((refusal) => refusal === 'no zeros');
  return isDecided ? certified : judge(most);
}

/** Least share of atoms certified together: single ones may be hyperplanes that the data has for other reasons. */
const FEWEST_TOGETHER = 0.5;

/**
 * Returns the verdicts on the atoms of the dictionary. If the encoder B is not orthogonal, the atoms are D = B⁻ᵀ: each is orthogonal to
 * the hyperplanes of all others, so it is certified if all hyperplanes are. Errors e_k of the rows of B move d_i by −Σ_k (e_k·d_i) d_k.
 */
export function verdictsOnAtoms(problem: Problem, { atoms: B, verdicts }: Certified): readonly AtomVerdict[] {
  const { whitened, synthesis } = problem.input.coordinates;
  const found = verdicts.filter(({ refusal }) => refusal === undefined).length;
  if (found < (whitened ? 1 : FEWEST_TOGETHER) * verdicts.length) {
    return verdicts.map(({ refusal = 'others' }) => ({ refusal }));
  }
  if (!whitened || !synthesis || found === 0) return verdicts;
  const D = transpose(solve(B, identity(B.rows))!);
  const inData = problem.kernels.multiply(D, synthesis);
  const moved = verdicts.reduce((sum, { error }, k) => sum + error! * norm(row(B, k)) * norm(row(inData, k)), 0);
  return verdicts.map((_, i): AtomVerdict => {
    const error = (moved * norm(row(D, i))) / norm(row(inData, i));
    return error <= CERTIFICATE.mostError ? { error } : { refusal: 'imprecise' };
  });
}

/** Whether better atoms or more samples could still certify an atom with this refusal. */
export const isOpen = (refusal: AtomVerdict['refusal']): boolean =>
  refusal !== undefined && refusal !== 'few values' && refusal !== 'no energy';
