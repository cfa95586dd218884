/**
 * Symmetric FastICA (Hyvärinen 1999) on white data, E[z zᵀ] = I: the fixed point of Newton's method for the extrema of
 * E G(x_i), all atoms at once.
 *
 *     A ← polar(E[g(x) zᵀ] − diag(E g′(x)) A),   x = A z
 *
 *     cube      G = x⁴/4,       g = x³,       E g′ = 3
 *     logcosh   G = log cosh x,  g = tanh x,  g′ = 1 − tanh² x
 *     exp       G = −e^(−x²/2),  g = −G x,    g′ = −G (1 − x²)
 *
 * The objective is Σ_i (E G(x_i) − E G(N(0,1)))², the distance of the codes from normal; it may fall in a step. Signs
 * of rows do not matter: a row flips in every step if its codes have lighter tails than the normal distribution.
 */
import {
  asSolver,
  atomsShape,
  changeUpToSigns,
  defineMethod,
  exploringPrecision,
  field,
  initialState,
  type Matrix64,
  option,
  type Precision,
  type Problem,
  polar,
} from 'orthodict/extend';
import { contrastCorrelationPass } from './contrast-correlation.ts';

const NONLINEARITIES = ['cube', 'logcosh', 'exp'] as const;
type Nonlinearity = (typeof NONLINEARITIES)[number];

/** E G(N(0,1)) */
const NORMAL_MEAN = { cube: 3 / 4, logcosh: 0.37456720748, exp: -Math.SQRT1_2 } as const;

export const fastica = defineMethod({
  name: 'fastica',
  forComparison: true,
  summary: 'symmetric FastICA on whitened data',
  space: 'orthogonal',
  independent: true,
  defaults: { refine: 'none' },
  fixed: { whiten: ['zca', 'which needs white data'] },
  options: {
    nonlinearity: option.choice(NONLINEARITIES, {
      placeholder: 'G',
      default: 'cube',
      help: 'cube: kurtosis; logcosh: less sensitive to outliers; exp: least sensitive, for very heavy tails',
    }),
  },
  describe: ({ nonlinearity }) => `fastica, ${nonlinearity}`,
  solver(problem, settings, start) {
    const { nonlinearity } = settings;
    const precision = exploringPrecision(settings);
    const p = problem.samples;
    return asSolver({
      name: 'fastica',
      shape: atomsShape(field.orthogonal(start.rows, start.cols, problem.kernels, precision)),
      init: async () => initialState(start),
      async step({ atoms }) {
        const { correlation, values, slopes } = await sums(problem, atoms, nonlinearity, precision);
        const next = polar(newtonStep(atoms, correlation, slopes, p), problem.kernels, precision);
        const objective = values.reduce((sum, value) => sum + (value / p - NORMAL_MEAN[nonlinearity]) ** 2, 0);
        return { atoms: next, objective, change: changeUpToSigns(next, atoms) };
      },
      report: ({ objective, change }) => ({ objective, change }),
      atoms: ({ atoms }) => atoms,
    });
  },
});

/** Σ g(x) zᵀ, Σ G(x) and Σ g′(x). */
async function sums(problem: Problem, A: Matrix64, nonlinearity: Nonlinearity, precision: Precision) {
  if (nonlinearity !== 'cube') return problem.sum(contrastCorrelationPass, A, { precision, contrast: nonlinearity });
  const { correlation, values } = await problem.correlate(A, { kind: 'power', norm: 4 }, precision);
  return {
    correlation,
    values: values.map((fourth) => fourth / 4),
    slopes: values.map(() => 3 * problem.samples),
  };
}

/** Returns (G − diag(slopes) A)/p. */
function newtonStep(A: Matrix64, G: Matrix64, slopes: Float64Array, p: number): Matrix64 {
  const K = A.rows;
  return { rows: K, cols: K, data: G.data.map((g, at) => (g - slopes[Math.floor(at / K)] * A.data[at]) / p) };
}
