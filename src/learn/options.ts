/** The options of `learn`: one interface, one frozen set of defaults that help and docs read, validated once. */
import * as v from 'valibot';
import { InputError, inputError } from '../core/errors.ts';
import type { Matrix } from '../core/matrix.ts';
import { validateSelection } from '../passes/select-codes.ts';

export const METHODS = [
  'msp',
  'pga',
  'givens',
  'procrustes',
  'gtransform',
  'fastica',
  'pca',
  'dct',
  'subgradient',
  'online',
  'ksvd',
] as const;
export type Method = (typeof METHODS)[number];

export interface LearnOptions {
  /**
   * `msp`: matching, stretching and projection; `pga`: projected gradient ascent with `step`; `givens`: plane rotations, all codes in
   * memory; `procrustes`: with `keep` or `threshold`; `gtransform`: the same for a product of `rotations`. For comparison: `fastica` with
   * `nonlinearity`; `pca`; `dct`, which is fixed, with `dctShape`; `subgradient` with `search`; `online` with `lambda` and `batch`; `ksvd` with
   * `keep` or `residual`. The last two learn any number of `components`.
   */
  readonly method?: Method | undefined;
  /** q of the ℓ_q norm to maximise: 3 or an even number from 4; 3 needs fewer samples. */
  readonly norm?: number | undefined;
  /** β of shifted MSP. `auto`: the natural one where the data is white, none elsewhere. */
  readonly shift?: 'auto' | 'none' | number | undefined;
  /** Momentum between the steps of MSP where there is no shift: far fewer passes, perhaps another local maximum. */
  readonly momentum?: boolean | undefined;
  /** `auto`: where the data is white, explore no longer and on no more samples than the refinement needs to go on from. */
  readonly scout?: 'auto' | 'none' | undefined;
  /** α of projected gradient ascent: A ← polar(A + α φ(X)ᵀ Y); Infinity is MSP. */
  readonly step?: number | undefined;
  /** Of gtransform: how many there are to be; default: n log₂ n. */
  readonly rotations?: number | undefined;
  /** Of procrustes and gtransform: the largest codes of a sample that are kept. Of ksvd: the most atoms a sample may use. */
  readonly keep?: number | undefined;
  /** Of procrustes and gtransform: codes of at least this size are kept; default, without `keep`: their root mean square. */
  readonly threshold?: number | undefined;
  /** Of fastica: kurtosis, or log cosh, which minds outliers less. */
  readonly nonlinearity?: 'cube' | 'logcosh' | undefined;
  /** Of dct: `8x8` for samples that are pictures of 8 rows and 8 columns, row by row; default: signals of one dimension. */
  readonly dctShape?: string | undefined;
  /** Of subgradient: every atom by itself, or all of them at once as an orthogonal matrix. */
  readonly search?: 'atoms' | 'whole' | undefined;
  /** Of online: λ of the lasso, for samples of root mean square norm 1; default: 0.3/√n. */
  readonly lambda?: number | undefined;
  /** Of online: samples between two updates of the atoms. */
  readonly batch?: number | undefined;
  /** Of ksvd: a sample's pursuit ends when its residual is no larger than this, relatively. Default, without `keep`: √n atoms a sample. */
  readonly residual?: number | undefined;
  /** `auto`: refine with the zeros of the codes where they are credible. */
  readonly refine?: 'auto' | 'none' | undefined;
  /** `none`: an orthogonal dictionary of the data as it is; `zca`: a complete one that need not be orthogonal. */
  readonly whiten?: 'none' | 'zca' | undefined;
  /** Subtract the mean sample first; the dictionary remembers it. */
  readonly center?: boolean | undefined;
  /** Number of atoms; default: as many as features. */
  readonly components?: number | undefined;
  /** `mixed`: float32 while exploring, float64 while refining. */
  readonly precision?: 'mixed' | 'f32' | 'f64' | undefined;
  readonly maxIterations?: number | undefined;
  /** Stop when a step moves the atoms by no more than this (root mean square over atoms). */
  readonly tolerance?: number | undefined;
  /** Stop when three steps together raise the objective by no more than this, relatively. */
  readonly objectiveTolerance?: number | undefined;
  /** Stop exploring after this time. */
  readonly maxSeconds?: number | undefined;
  readonly seed?: number | undefined;
  /** Atoms to start from (K×n, as rows) instead of a random orthogonal matrix. */
  readonly start?: Matrix | undefined;
}

export const learnDefaults = Object.freeze({
  method: 'msp',
  norm: 4,
  shift: 'auto',
  momentum: false,
  scout: 'auto',
  step: Number.POSITIVE_INFINITY,
  nonlinearity: 'cube',
  search: 'atoms',
  batch: 512,
  refine: 'auto',
  whiten: 'none',
  center: false,
  precision: 'mixed',
  maxIterations: 1000,
  tolerance: 1e-5,
  objectiveTolerance: 1e-8,
  maxSeconds: Number.POSITIVE_INFINITY,
  seed: 0,
} as const satisfies LearnOptions);

/** What a method does otherwise than the others when it is not told. */
export const methodDefaults: Readonly<Partial<Record<Method, LearnOptions>>> = Object.freeze({
  fastica: { whiten: 'zca', refine: 'none' },
  pca: { refine: 'none' },
  dct: { refine: 'none' },
  subgradient: { refine: 'none' },
  online: { refine: 'none', maxIterations: 50 },
  ksvd: { refine: 'none', maxIterations: 100, tolerance: 1e-3 },
});

/** Methods that work on the samples as they are: their atoms need not lie in the span of the data, or be orthogonal there. */
const FREE: readonly Method[] = ['dct', 'online', 'ksvd'];
export const isFree = (method: Method): boolean => FREE.includes(method);

export type LearnSettings = {
  readonly [K in Exclude<keyof LearnOptions, Unset>]-?: NonNullable<LearnOptions[K]>;
} & Pick<LearnOptions, Unset>;

/** Options without a default. */
type Unset = 'components' | 'rotations' | 'keep' | 'threshold' | 'dctShape' | 'lambda' | 'residual' | 'start';

const positive = v.pipe(
  v.number(),
  v.check((x) => x > 0),
);
const notNegative = v.pipe(
  v.number(),
  v.check((x) => x >= 0),
);

/** Each option's schema with the words for what it must be. */
const rules: Record<keyof LearnSettings, [mustBe: string, schema: v.GenericSchema]> = {
  method: [`one of ${METHODS.join(', ')}`, v.picklist(METHODS)],
  norm: [
    '3 or an even number from 4 to 64',
    v.pipe(
      v.number(),
      v.check((q) => q === 3 || (q % 2 === 0 && q >= 4 && q <= 64)),
    ),
  ],
  shift: ['auto, none or a number', v.union([v.picklist(['auto', 'none']), v.pipe(v.number(), v.finite())])],
  momentum: ['true or false', v.boolean()],
  scout: ['auto or none', v.picklist(['auto', 'none'])],
  step: ['a number above 0', positive],
  rotations: ['a whole number from 1', v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)))],
  keep: ['a whole number from 1', v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)))],
  threshold: ['a number above 0', v.optional(v.pipe(positive, v.finite()))],
  nonlinearity: ['cube or logcosh', v.picklist(['cube', 'logcosh'])],
  dctShape: ['ROWSxCOLUMNS, as in 8x8', v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d*x[1-9]\d*$/)))],
  search: ['atoms or whole', v.picklist(['atoms', 'whole'])],
  lambda: ['a number above 0', v.optional(v.pipe(positive, v.finite()))],
  batch: ['a whole number from 1', v.pipe(v.number(), v.integer(), v.minValue(1))],
  residual: [
    'a number, at least 0 and below 1',
    v.optional(
      v.pipe(
        v.number(),
        v.check((x) => x >= 0 && x < 1),
      ),
    ),
  ],
  refine: ['auto or none', v.picklist(['auto', 'none'])],
  whiten: ['none or zca', v.picklist(['none', 'zca'])],
  center: ['true or false', v.boolean()],
  components: ['a whole number from 1', v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)))],
  precision: ['mixed, f32 or f64', v.picklist(['mixed', 'f32', 'f64'])],
  maxIterations: ['a whole number from 1', v.pipe(v.number(), v.integer(), v.minValue(1))],
  tolerance: ['a number, 0 or more', notNegative],
  objectiveTolerance: ['a number, 0 or more', notNegative],
  maxSeconds: ['a number above 0', positive],
  seed: ['a whole number', v.pipe(v.number(), v.safeInteger())],
  start: ['a matrix', v.optional(v.custom(isMatrix))],
};

function isMatrix(value: unknown): boolean {
  const { rows, cols, data } = (value ?? {}) as Partial<Matrix>;
  return (data instanceof Float32Array || data instanceof Float64Array) && data.length === Number(rows) * Number(cols);
}

export function settleOptions(options: LearnOptions): LearnSettings {
  for (const name of Object.keys(options)) {
    if (!(name in rules)) {
      throw new InputError(`learn: there is no option "${name}"; known: ${Object.keys(rules).join(', ')}.`);
    }
  }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings = { ...learnDefaults, ...methodDefaults[given.method as Method], ...given } as LearnSettings;
  for (const [name, [mustBe, schema]] of Object.entries(rules)) {
    const value = settings[name as keyof LearnSettings];
    if (!v.is(schema, value)) throw inputError('learn', name, mustBe, value);
  }
  if (settings.method !== 'pga' && given.step !== undefined) {
    throw inputError('learn', 'step', 'given with method pga only', `step ${settings.step} with ${settings.method}`);
  }
  if (['pga', 'givens'].includes(settings.method) && given.shift !== undefined && given.shift !== 'auto') {
    throw inputError('learn', 'shift', 'given with method msp only', `shift ${settings.shift} with ${settings.method}`);
  }
  if (settings.method === 'givens' && settings.norm !== 4) {
    throw inputError('learn', 'norm', '4 with method givens', settings.norm);
  }
  const only = {
    keep: ['procrustes', 'gtransform', 'ksvd'],
    threshold: ['procrustes', 'gtransform'],
    rotations: ['gtransform'],
    nonlinearity: ['fastica'],
    dctShape: ['dct'],
    search: ['subgradient'],
    lambda: ['online'],
    batch: ['online'],
    residual: ['ksvd'],
  };
  for (const [name, methods] of Object.entries(only)) {
    if (given[name] !== undefined && !methods.includes(settings.method)) {
      throw inputError(
        'learn',
        name,
        `given with method ${methods.join(' or ')} only`,
        `${name} with ${settings.method}`,
      );
    }
  }
  validateSelection('learn', settings);
  refuseUnfit(settings);
  return settings;
}

/** Whitening and refinement are for orthogonal matrices that the data's distribution decides. */
function refuseUnfit({ method, whiten, refine, start }: LearnSettings): void {
  const unfit = isFree(method) || method === 'pca';
  if (method === 'fastica' && whiten !== 'zca') {
    throw inputError('learn', 'whiten', 'zca with method fastica, which needs white data', whiten);
  }
  if (method === 'dct' && start) {
    throw inputError('learn', 'start', 'left out with method dct, which is fixed', `${start.rows}×${start.cols}`);
  }
  if (unfit && whiten !== 'none') throw inputError('learn', 'whiten', `none with method ${method}`, whiten);
  if (unfit && refine !== 'none') throw inputError('learn', 'refine', `none with method ${method}`, refine);
}
