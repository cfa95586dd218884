/**
 * How well a few codes describe samples: a dictionary compared with principal components and the cosine transform, in
 * passes over the samples.
 *
 *     missing = Σ ‖y − ŷ‖² / Σ ‖y − m‖²      ŷ from the k largest codes of y; m: the mean of the dictionary, or 0
 *
 * All of them describe y − m, so the mean costs no code. Principal components are those of the evaluated samples, which
 * is their best case, unless other samples are given to fit them. The cosine transform has the shape of the samples; where
 * it is unknown, that of a signal or of a square picture, whichever misses less, summed over k.
 */
import { breather } from '../core/breathe.ts';
import { inputError } from '../core/errors.ts';
import { type Matrix, range } from '../core/matrix.ts';
import { counts, defineOptions, type OptionSpec, type SettingsOf, toggle } from '../core/options.ts';
import { isMatrix } from '../core/require-matrix.ts';
import { largestMagnitude, requireScale } from '../core/scale.ts';
import { dctOfShape, dctShapeOf, dctShapeOption, possibleDctShapes, requireDctShape } from '../dictionaries/dct.ts';
import type { Dictionary } from '../dictionaries/dictionary.ts';
import { requireColumns } from '../dictionaries/require-shape.ts';
import { Run, type RunOptions } from '../engine/run.ts';
import { sourceOf } from '../engine/source/memory.ts';
import type { Source } from '../engine/source/source.ts';
import type { Conditioning, Kernels } from '../kernels/kernels.ts';
import { eighWithPauses } from '../linalg/eigh.ts';
import { orthogonalityError } from '../linalg/polar.ts';
import { type BasisEnergies, type CodedBasis, keptEnergiesPass } from '../passes/kept-energies.ts';
import { secondMomentsPass } from '../passes/second-moments.ts';
import { surveyFinite } from '../passes/survey.ts';
import type { EvaluateOptions } from './option-types.ts';

const isSamples = (value: unknown): value is Matrix | Source =>
  isMatrix(value) || typeof (value as Partial<Source> | null)?.read === 'function';

/** The options of `evaluate`. */
export const evaluateOptions = defineOptions({
  keep: counts({ placeholder: 'LIST', help: 'numbers of codes kept, as in 1,2,5,10,20, which is the default' }),
  dctShape: dctShapeOption(
    'the shape of the patches, or else signals or square pictures, whichever misses less energy',
  ),
  compare: toggle({
    default: true,
    help: 'compare with PCA and the cosine transform',
    off: 'evaluate the model alone, without PCA and the cosine transform',
  }),
  learned: {
    is: isSamples,
    mustBe: 'a matrix or a source',
    default: undefined,
    help: 'samples to fit PCA to; default: the evaluated ones',
    type: 'Matrix | Source',
  } satisfies OptionSpec<Matrix | Source, undefined>,
});

type Settings = SettingsOf<typeof evaluateOptions.table>;

/** How well a few codes of one dictionary describe the samples. */
export interface CodeQuality {
  /** The share of the energy that is missing when every sample keeps k codes, by k. */
  readonly missing: readonly number[];
  /** Average number of codes per sample that hold 90 % and 99 % of the energy of its codes. */
  readonly codesFor90: number;
  readonly codesFor99: number;
  /** Kurtosis N Σx⁴ / (Σx²)² over all N codes: 3 for normal codes, more for sparse ones. */
  readonly kurtosis: number;
}

/** What `evaluate` finds. */
export interface Evaluation {
  readonly samples: number;
  readonly features: number;
  readonly components: number;
  /** k: numbers of codes kept. */
  readonly keep: readonly number[];
  readonly model: CodeQuality;
  /** Principal components; absent without `compare` and with more than 2048 features. */
  readonly pca?: CodeQuality;
  /** The samples that principal components were fitted to: these, or those learned from. */
  readonly pcaOf?: 'these samples' | 'learned samples';
  /** The cosine transform, absent like `pca`, and its shape: 1xCOLUMNS for signals, ROWSxCOLUMNS or ROWSxCOLUMNSx3 for pictures. */
  readonly dct?: CodeQuality;
  readonly dctShape?: string;
  readonly atomUse: {
    /** The share of the energy of all codes, by atom. */
    readonly energy: readonly number[];
    /** The share of the samples that need each atom for 99 % of the energy of their codes. */
    readonly used: readonly number[];
    /** Atoms, counted from 0, that fewer than one sample in a thousand uses. */
    readonly unused: readonly number[];
  };
}

const USUAL_KEEP = [1, 2, 5, 10, 20];
/** Share of the samples below which an atom counts as unused. */
const RARELY = 1e-3;
/** Atoms this close to orthonormal count as orthonormal, such as those of a float32 file. */
const ORTHONORMAL = 1e-5;
/** Largest number of features for which bases are compared: for more it would take longer than the rest. */
export const MOST_COMPARED = 2048;

/**
 * Measures how well a few codes of a dictionary describe samples, compared with principal components and the cosine
 * transform. Checkpoints are not used.
 *
 * @example
 * ```js
 * import { evaluate, generate, learn } from 'orthodict';
 *
 * const { samples } = generate({ samples: 4000, features: 20, theta: 0.3, seed: 1 });
 * const { dictionary } = await learn(samples);
 * const { model, pca } = await evaluate(dictionary, samples, { keep: [5] });
 * console.log(model.missing[0] < 0.2, pca.missing[0] > 0.25); // true true
 * ```
 */
export async function evaluate(
  dictionary: Dictionary,
  samples: Matrix | Source,
  options: EvaluateOptions = {},
  runOptions: Omit<RunOptions, 'checkpoint' | 'resume'> = {},
): Promise<Evaluation> {
  const settings = evaluateOptions.settle('evaluate', options);
  const source = sourceOf('evaluate', samples);
  const learned = settings.learned && sourceOf('evaluate', settings.learned);
  if (learned) requireColumns('evaluate', 'learned', learned, dictionary.features, 'features');
  return evaluateSource(dictionary, source, settings, await Run.start('evaluate', runOptions), learned);
}

/** Evaluates a source. `learned`: other samples to fit principal components to. */
export async function evaluateSource(
  dictionary: Dictionary,
  source: Source,
  settings: Pick<Settings, 'keep' | 'dctShape' | 'compare'>,
  run: Run,
  learned?: Source,
): Promise<Evaluation> {
  const { who, executor, signal, kernels } = run;
  requireColumns(who, 'samples', source, dictionary.features, 'features');
  const { features, components, mean } = dictionary;
  const keep = requireKeep(who, settings.keep, features);
  const shapes = dctShapesOf(settings.dctShape, source);
  for (const shape of shapes) requireDctShape(who, features, shape);
  const compared = settings.compare && features <= MOST_COMPARED;
  run.begin('evaluate');
  const conditioning = await conditioningOf(source, mean, run);
  const bases: CodedBasis[] = [
    codedBasis(dictionary, kernels),
    ...(compared ? [await pcaBasis(learned ?? source, learned ? undefined : conditioning, mean, run)] : []),
    ...(compared ? shapes.map((shape) => orthonormalBasis(dctOfShape(who, features, shape))) : []),
  ];
  const params = { bases, conditioning, keep: Float64Array.from(keep) };
  const { energy, bases: sums } = await executor.sum(keptEnergiesPass, params, source, signal);
  if (!(energy > 0)) throw inputError(who, 'samples', 'different from the mean of the model somewhere', 'equal ones');
  const [model, pca, ...transforms] = sums.map((sum) => qualityOf(sum, energy, source.rows));
  const pcaOf = learned ? 'learned samples' : 'these samples';
  return {
    samples: source.rows,
    features,
    components,
    keep,
    model,
    ...(compared && { pca, pcaOf, ...bestTransform(transforms, shapes) }),
    atomUse: atomUse(sums[0], source.rows),
  };
}

/** The transform that leaves least energy, and its shape. */
function bestTransform(transforms: readonly CodeQuality[], shapes: readonly string[]) {
  const dct = transforms.reduce((best, each) => (total(each) < total(best) ? each : best), transforms[0]);
  return { dct, dctShape: shapes[transforms.indexOf(dct)] };
}

const dctShapesOf = (given: string | undefined, { cols, patch }: Source): string[] =>
  given !== undefined ? [given] : patch ? [dctShapeOf(patch)] : possibleDctShapes(cols);

const total = ({ missing }: CodeQuality): number => missing.reduce((sum, share) => sum + share, 0);

function requireKeep(who: string, keep: readonly number[] | undefined, features: number): number[] {
  const tooMany = keep?.find((k) => k > features);
  if (tooMany !== undefined) throw inputError(who, 'keep', `at most ${features}, the features of a sample`, tooMany);
  const wanted = keep ?? USUAL_KEEP.filter((k) => k <= features);
  return [...new Set(wanted)].sort((a, b) => a - b);
}

/** Subtracts the mean, and divides by the largest number, so that no square overflows. */
async function conditioningOf(source: Source, mean: Float64Array | undefined, run: Run): Promise<Conditioning> {
  const { who, executor, signal } = run;
  const { largest } = await surveyFinite(who, source, executor, { signal });
  requireScale(who, 'samples', largest);
  const most = Math.max(largest, mean ? largestMagnitude(mean) : 0);
  if (most === 0) throw inputError(who, 'samples', 'different from zero somewhere', 'only zeros');
  return { offset: mean, scale: 1 / most };
}

function codedBasis(dictionary: Dictionary, kernels: Kernels): CodedBasis {
  const { transform } = dictionary;
  if (transform.kind === 'reflectors' || transform.kind === 'rotations') return { transform, orthonormal: true };
  if (transform.kind === 'pursuit') return { transform, orthonormal: false };
  const { atoms } = dictionary;
  if (transform.encoder !== atoms) return { transform, orthonormal: false, atoms };
  return { transform, orthonormal: orthogonalityError(atoms, kernels) <= ORTHONORMAL };
}

const orthonormalBasis = (encoder: Dictionary['atoms']): CodedBasis => ({
  transform: { kind: 'dense', encoder },
  orthonormal: true,
});

/** Principal components. `known`: the conditioning of these samples. */
async function pcaBasis(
  source: Source,
  known: Conditioning | undefined,
  mean: Float64Array | undefined,
  run: Run,
): Promise<CodedBasis> {
  const { executor, signal, kernels } = run;
  const conditioning = known ?? (await conditioningOf(source, mean, run));
  const { gram } = await executor.sum(secondMomentsPass, { conditioning }, source, signal);
  return orthonormalBasis((await eighWithPauses(gram, kernels, breather(signal))).vectors);
}

function qualityOf(
  { missing, needed, energies, fourths }: BasisEnergies,
  energy: number,
  samples: number,
): CodeQuality {
  const squares = energies.reduce((sum, value) => sum + value, 0);
  return {
    missing: Array.from(missing, (value) => value / energy),
    codesFor90: needed[0] / samples,
    codesFor99: needed[1] / samples,
    kurtosis: squares > 0 ? (samples * energies.length * fourths[0]) / squares ** 2 : Number.NaN,
  };
}

function atomUse({ energies, used }: BasisEnergies, samples: number): Evaluation['atomUse'] {
  const all = energies.reduce((sum, value) => sum + value, 0);
  const shares = Array.from(used, (count) => count / samples);
  return {
    energy: Array.from(energies, (value) => (all > 0 ? value / all : 0)),
    used: shares,
    unused: range(shares.length).filter((i) => shares[i] < RARELY),
  };
}
