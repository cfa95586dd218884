/**
 * Turns atoms in working coordinates into a dictionary in the data's coordinates, in canonical form: unit atoms, sorted
 * by the energy they explain, largest first; the largest entry of each is positive.
 */
import {
  identity,
  type Matrix64,
  norm,
  range,
  row,
  scaleRows,
  selectRows,
  stackRows,
  transpose,
  unitRows,
} from '../core/matrix.ts';
import { denseDictionary } from '../dictionaries/dense.ts';
import type { Dictionary } from '../dictionaries/dictionary.ts';
import { givensDictionary } from '../dictionaries/givens.ts';
import { overcompleteDictionary } from '../dictionaries/overcomplete.ts';
import { solveSymmetric } from '../linalg/cholesky.ts';
import { solve } from '../linalg/lu.ts';
import { rotationMatrix } from '../linalg/rotations.ts';
import type { PursuitLimits } from '../passes/pursue.ts';
import type { CommonSettings } from './common-options.ts';
import type { AnyMethod, Ended } from './methods/method.ts';
import { Problem } from './problem.ts';

/** Makes the dictionary of a method that has no `finish` of its own. */
export function finish(
  problem: Problem,
  { atoms, rotations }: Ended,
  space: AnyMethod['space'],
  whiten: CommonSettings['whiten'],
): Dictionary {
  if (space === 'fixed') return fixedDictionary(problem, atoms);
  if (space === 'free') return freeDictionary(problem, atoms, { keep: Math.round(Math.sqrt(atoms.cols)) });
  if (rotations) return rotationDictionary(problem, atoms, rotations);
  return whiten === 'none' ? orthogonalDictionary(problem, atoms) : completeDictionary(problem, atoms);
}

/** Makes an orthogonal dictionary: working coordinates rotate the data's own (or some of them), so the atoms are orthogonal as A is. */
function orthogonalDictionary(problem: Problem, A: Matrix64): Dictionary {
  const { synthesis, silent } = problem.input.coordinates;
  const energies = problem.energies(A);
  const learned = synthesis ? problem.kernels.multiply(A, synthesis) : A;
  const atoms = canonical(learned, energies).atoms;
  return denseDictionary({
    atoms: silent ? stackRows(atoms, scaleRows(silent, canonicalSigns(silent))) : atoms,
    mean: mean(problem),
  });
}

/**
 * Makes a dictionary that is a product of rotations. A is that product up to order and signs, which are read off A (R_G … R_1)ᵀ = S P.
 */
function rotationDictionary(problem: Problem, A: Matrix64, rotations: Matrix64): Dictionary {
  const { atoms, features: n, mean } = orthogonalDictionary(problem, A);
  const plain = { order: Int32Array.from(range(n)), signs: new Float64Array(n).fill(1) };
  const R = rotationMatrix({ kind: 'rotations', rotations, ...plain });
  const arrangement = problem.kernels.multiply(atoms, R, 'nt');
  const order = plain.order.map((k) => indexOfLargest(row(arrangement, k)));
  const signs = plain.signs.map((_, k) => Math.sign(arrangement.data[k * n + order[k]]));
  return givensDictionary({ rotations, order, signs, mean });
}

/** Makes a dictionary of orthogonal K×n atoms in the samples' own coordinates. */
function fixedDictionary(problem: Problem, atoms: Matrix64): Dictionary {
  return denseDictionary({ atoms: canonical(atoms, problem.energies(atoms)).atoms, mean: mean(problem) });
}

/** Makes a complete dictionary. `encoder`: B in working coordinates, codes = B z; it need not be orthogonal. */
function completeDictionary(problem: Problem, encoder: Matrix64): Dictionary {
  const { kernels, input } = problem;
  const { analysis, synthesis } = input.coordinates;
  const K = encoder.rows;
  const dictionary = transpose(solve(encoder, identity(K))!);
  const raw = synthesis ? kernels.multiply(dictionary, synthesis) : dictionary;
  const norms = Float64Array.from({ length: K }, (_, i) => norm(row(raw, i)));
  const unit = scaleRows(
    raw,
    norms.map((norm) => 1 / norm),
  );
  const energies = problem.energies(encoder).map((energy, i) => energy * norms[i] ** 2);
  const { atoms, order, signs } = canonical(unit, energies);
  const factors = norms.map((norm, i) => norm * signs[i]);
  const rawEncoder = scaleRows(analysis ? kernels.multiply(encoder, analysis) : encoder, factors);
  return denseDictionary({ atoms, encoder: selectRows(rawEncoder, order), mean: mean(problem) });
}

/**
 * Makes a dictionary of K×n atoms D in the samples' own coordinates. Codes are least squares, (D Dᵀ)⁻¹ D y, if there are at most n
 * independent atoms; otherwise a pursuit finds them.
 */
export function freeDictionary(problem: Problem, atoms: Matrix64, limits: PursuitLimits): Dictionary {
  const { kernels } = problem;
  const D = unitRows(atoms);
  const encoder = D.rows <= D.cols ? solveSymmetric(kernels.multiply(D, D, 'nt'), D) : undefined;
  const energies = problem.energies(encoder ?? D);
  const { atoms: sorted, order, signs } = canonical(D, energies);
  if (!encoder) return overcompleteDictionary({ atoms: sorted, ...limits, mean: mean(problem) });
  return denseDictionary({
    atoms: sorted,
    encoder: selectRows(scaleRows(encoder, signs), order),
    mean: mean(problem),
  });
}

/** Converts a solver's atoms to the data's coordinates: unit norm, in the solver's order; those of no energy come last. */
export function atomsInData(
  { kernels, input }: Problem,
  atoms: Matrix64,
  space: AnyMethod['space'],
  whiten: CommonSettings['whiten'],
): Matrix64 {
  const { synthesis, silent } = input.coordinates;
  if (space !== 'orthogonal' || !synthesis) return unitRows(atoms);
  const inverse = whiten === 'none' ? undefined : solve(atoms, identity(atoms.rows));
  const dictionary = inverse ? transpose(inverse) : atoms;
  const learned = unitRows(kernels.multiply(dictionary, synthesis));
  return silent ? stackRows(learned, silent) : learned;
}

const mean = (problem: Problem): Float64Array | undefined => problem.input.conditioning.offset;

function canonical(atoms: Matrix64, energies: Float64Array) {
  const order = Array.from(energies.keys()).sort((a, b) => energies[b] - energies[a]);
  const signs = canonicalSigns(atoms);
  return { atoms: selectRows(scaleRows(atoms, signs), order), order, signs };
}

/** Returns the signs that make the largest entry of every atom positive. */
function canonicalSigns(atoms: Matrix64): Float64Array {
  return Float64Array.from({ length: atoms.rows }, (_, i) => (largestEntry(row(atoms, i)) < 0 ? -1 : 1));
}

const largestEntry = (atom: Float64Array): number => atom[indexOfLargest(atom)];

function indexOfLargest(atom: Float64Array): number {
  let largest = 0;
  for (let i = 1; i < atom.length; i++) if (Math.abs(atom[i]) > Math.abs(atom[largest])) largest = i;
  return largest;
}

/**
 * Centres the problem at the offset that the refinement found. Its Gram matrix: with δ = W (mean − offset), the sum of
 * (z + δ)(z + δ)ᵀ over p samples of mean 0 is G + p δδᵀ.
 */
export function centredAt(problem: Problem, offset: Float64Array | undefined): Problem {
  if (!offset) return problem;
  const { coordinates, allSamples } = problem.input;
  const { analysis, gram } = coordinates;
  const shift = shiftTo(problem, offset);
  const δ = analysis ? problem.kernels.multiply(shift, analysis, 'nt').data : shift.data;
  const K = gram.cols;
  const moved = gram.data.map((g, at) => g + allSamples * δ[Math.floor(at / K)] * δ[at % K]);
  const centred = problem.about(offset);
  return new Problem(
    { ...centred.input, coordinates: { ...coordinates, gram: { ...gram, data: moved } } },
    problem.visited,
  );
}

/** Returns mean − offset, conditioned: 1×n. `problem` is centred at the mean. */
function shiftTo({ input }: Problem, offset: Float64Array): Matrix64 {
  const { offset: mean, scale } = input.conditioning;
  return { rows: 1, cols: offset.length, data: offset.map((m, k) => scale * ((mean?.[k] ?? 0) - m)) };
}

/** Rescales a dictionary to codes of variance 1 about the mean, and atoms of other norms; codes that are all zero stay so. */
export function withUnitVariance(dictionary: Dictionary, problem: Problem): Dictionary {
  const { encoder, mean } = dictionary;
  const { allSamples, conditioning } = problem.input;
  const deviations = codeEnergies(problem, encoder).map(
    (energy) => Math.sqrt(energy / allSamples) / conditioning.scale,
  );
  const sizes = deviations.map((deviation) => deviation || 1);
  return denseDictionary({
    atoms: scaleRows(dictionary.atoms, sizes),
    encoder: scaleRows(
      encoder,
      sizes.map((size) => 1 / size),
    ),
    mean,
  });
}

/** Returns Σ x² of the codes x for every row of an encoder of the data's own coordinates. z gives back y = Sᵀ z, so E y = (E Sᵀ) z. */
function codeEnergies(problem: Problem, encoder: Matrix64): Float64Array {
  const { synthesis } = problem.input.coordinates;
  return problem.energies(synthesis ? problem.kernels.multiply(encoder, synthesis, 'nt') : encoder);
}

/**
 * Returns the share of the samples' energy in the codes of every atom, x² ‖a‖², both about the offset, if there is one. Conditioned
 * samples have a root mean square of 1 about their mean. Undefined if a pursuit finds the codes.
 */
export function energyShares(
  problem: Problem,
  { transform, atoms }: Dictionary,
  offset: Float64Array | undefined,
): Float64Array | undefined {
  if (transform.kind === 'pursuit') return undefined;
  const encoder = transform.kind === 'dense' ? transform.encoder : atoms;
  const shift = offset ? norm(shiftTo(problem, offset).data) : 0;
  const all = problem.input.allSamples * (encoder.cols + shift ** 2);
  return codeEnergies(centredAt(problem, offset), encoder).map(
    (energy, i) => (energy * norm(row(atoms, i)) ** 2) / all,
  );
}
