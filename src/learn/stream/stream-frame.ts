/**
 * The coordinates of a stream: those of the codes that it began with, settled by its first block. Samples are turned into a
 * problem in them, and B into atoms.
 */
import { identity, type Matrix64, norm, row, scaleRows, trace, transpose } from '../../core/matrix.ts';
import { denseDictionary } from '../../dictionaries/dense.ts';
import type { Dictionary } from '../../dictionaries/dictionary.ts';
import type { Executor } from '../../engine/executor.ts';
import { inlineExecutor } from '../../engine/executor.ts';
import type { Run } from '../../engine/run.ts';
import type { Source } from '../../engine/source/source.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { solve } from '../../linalg/lu.ts';
import { secondMomentsPass } from '../../passes/second-moments.ts';
import type { Survey } from '../../passes/survey.ts';
import { Problem } from '../problem.ts';
import { spreadsOf } from '../whitening.ts';

/** Executor of a stream: the calling thread, as blocks are too small to be worth sending. */
export interface StreamPlace {
  readonly executor: Executor;
  readonly signal?: AbortSignal | undefined;
}

export const streamPlace = ({ kernels, signal }: Pick<Run, 'kernels' | 'signal'>): StreamPlace => ({
  executor: inlineExecutor(kernels),
  signal,
});

/** Coordinates settled by the first block. */
export interface StreamFrame {
  readonly scale: number;
  /** z = W y and y = z S for conditioned samples y; K×n. */
  readonly analysis: Matrix64;
  readonly synthesis: Matrix64;
  readonly meanNorm: number;
  /** Whether the codes are whitened, and the atoms need not be orthogonal. */
  readonly whitened: boolean;
}

/** Makes the frame; undefined if all samples are the mean. */
export async function frameOf(
  { mean: offset, atoms, encoder }: Dictionary,
  source: Source,
  { largest }: Survey,
  { executor, signal }: StreamPlace,
): Promise<StreamFrame | undefined> {
  const { kernels } = executor;
  const rough = 1 / largest;
  const { gram, normSum } = await executor.sum(
    secondMomentsPass,
    { conditioning: { offset, scale: rough } },
    source,
    signal,
  );
  const rms = Math.sqrt(trace(gram) / (source.rows * source.cols));
  if (!(rms > 0)) return undefined;
  const scale = rough / rms;
  const meanNorm = normSum / rms / source.rows;
  if (encoder === atoms) return { scale, analysis: atoms, synthesis: atoms, meanNorm, whitened: false };
  const product = kernels.multiply(encoder, gram);
  const deviations = Array.from({ length: encoder.rows }, (_, i) => {
    const energy = row(product, i).reduce((sum, x, k) => sum + x * encoder.data[i * encoder.cols + k], 0);
    return Math.sqrt(Math.max(energy, 0) / source.rows) / rms;
  });
  const least = LEAST_DEVIATION * Math.max(...deviations);
  const spread = deviations.map((deviation) => Math.max(deviation, least));
  const inverse = spread.map((deviation) => 1 / deviation);
  const coordinates = { analysis: scaleRows(encoder, inverse), synthesis: scaleRows(atoms, spread) };
  return { scale, ...coordinates, meanNorm, whitened: true };
}

/** Least deviation of codes, relative to the others; smaller ones are raised to this. */
const LEAST_DEVIATION = 1e-9;

/** Samples about a mean. */
interface Block {
  readonly source: Source;
  readonly survey: Survey;
  readonly mean: Float64Array | undefined;
}

export async function blockProblem(
  { scale, analysis, synthesis, meanNorm, whitened }: StreamFrame,
  { source, survey, mean }: Block,
  { executor, signal }: StreamPlace,
): Promise<{ block: Problem; energy: number }> {
  const { kernels } = executor;
  const conditioning = { offset: mean, scale };
  const { gram } = await executor.sum(secondMomentsPass, { conditioning }, source, signal);
  const turned = kernels.multiply(kernels.multiply(analysis, gram), analysis, 'nt');
  const spreads = whitened ? { spread: 1, middle: 1 } : spreadsOf(diagonalOf(turned).sort().reverse());
  const block = new Problem({
    source,
    executor,
    conditioning,
    coordinates: { size: analysis.rows, whitened, analysis, synthesis, gram: turned, ...spreads },
    sizes: mean ? { meanNorm, leastNorm: meanNorm } : { meanNorm },
    largest: (mean ? 2 : 1) * survey.largest * scale,
    nonZeroSamples: source.rows - (mean ? 0 : survey.zeroSamples),
    allSamples: source.rows,
    unit: whitened ? 1 : scale,
    signal,
  });
  return { block, energy: trace(gram) };
}

/** Returns the energies of the codes: the eigenvalues, if codes are uncorrelated. */
const diagonalOf = ({ rows, data }: Matrix64): Float64Array =>
  Float64Array.from({ length: rows }, (_, i) => data[i * rows + i]);

export function dictionaryOf(
  { analysis, synthesis, whitened }: StreamFrame,
  B: Matrix64,
  mean: Float64Array | undefined,
  kernels: Kernels,
): Dictionary {
  if (!whitened) return denseDictionary({ atoms: kernels.multiply(B, synthesis), mean });
  const raw = kernels.multiply(transpose(solve(B, identity(B.rows))!), synthesis);
  const norms = Float64Array.from({ length: raw.rows }, (_, i) => norm(row(raw, i)));
  const atoms = scaleRows(
    raw,
    norms.map((length) => 1 / length),
  );
  return denseDictionary({ atoms, encoder: scaleRows(kernels.multiply(B, analysis), norms), mean });
}
