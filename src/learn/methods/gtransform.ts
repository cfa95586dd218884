/**
 * Learns a fast transform (Rusu & Thompson 2017): Procrustes alternation that keeps the atoms a product of G plane
 * rotations.
 *
 *     X = HT(Z Aᵀ),   A ← S P R_G … R_1 with large tr(Aᵀ C),   C = Xᵀ Z
 *
 * In every step two products compete: a greedy one for C, and the last one. The angles of both are optimised for C, one
 * after the other. This cannot make the last one worse, so the objective never falls.
 */
import { inputError } from '../../core/errors.ts';
import { inner, type Matrix64, range } from '../../core/matrix.ts';
import { count } from '../../core/options.ts';
import { fitRotations, polishRotations } from '../../dictionaries/factoring/factor-givens.ts';
import { type AtomsState, atomsShape, initialState } from '../../engine/solver.ts';
import { type Field, matrix, orthogonal, vector } from '../../engine/state-shape.ts';
import type { RotationTransform } from '../../kernels/kernels.ts';
import { rotationMatrix } from '../../linalg/rotations.ts';
import { selectedCorrelationPass } from '../../passes/selected-correlation.ts';
import { exploringPrecision } from '../common-options.ts';
import type { Problem } from '../problem.ts';
import { asSolver, defineMethod } from './method.ts';
import { checkKept, describeKept, keepOptions, requireKept, workingSelection } from './procrustes.ts';

export const gtransform = defineMethod({
  name: 'gtransform',
  summary: 'a fast transform by Procrustes alternation: the atoms are a product of plane rotations',
  space: 'orthogonal',
  options: { ...keepOptions, rotations: count({ placeholder: 'G', help: 'number of rotations; default: n log2 n' }) },
  fixed: { whiten: ['none', ''], refine: ['none', 'whose product of rotations is not refined'] },
  check: checkKept,
  fit({ cols }, { components = cols }) {
    if (components === cols) return;
    throw inputError('learn', 'components', `all ${cols}, or left out, with method gtransform`, components);
  },
  describe: (settings) => describeKept('gtransform', settings),
  solver(problem, settings, start) {
    requireFullRank(problem);
    const n = problem.size;
    const rotations = settings.rotations ?? Math.max(1, Math.round(n * Math.log2(n)));
    const selection = workingSelection(problem, settings);
    const precision = exploringPrecision(settings);
    const penalty = (selection.threshold ?? 0) ** 2;
    return asSolver<GTransformState>({
      name: 'gtransform',
      shape: {
        ...atomsShape(orthogonal(n, n, problem.kernels)),
        ...productShape(n, rotations),
      },
      async init() {
        const product = stateOf(fitRotations(start, rotations));
        return { ...initialState(product.atoms), ...product };
      },
      async step(state) {
        const sums = await problem.sum(selectedCorrelationPass, state.atoms, { selection, precision });
        const { correlation, energy, kept } = sums;
        requireKept(kept, settings);
        const products = [productOf(state), fitRotations(correlation, rotations)].map((product) =>
          stateOf(polishRotations(correlation, product)),
        );
        const [last, fresh] = products.map(({ atoms }) => inner(atoms, correlation));
        const next = fresh > last ? products[1] : products[0];
        const change = Math.sqrt(Math.max(0, 2 - (2 * inner(next.atoms, state.atoms)) / n));
        return { ...next, objective: energy - penalty * kept, change };
      },
      report: ({ objective, change }) => ({ objective: problem.reported(objective, 2), merit: objective, change }),
      atoms: ({ atoms }) => atoms,
      objectiveUnit: problem.objectiveUnit(2),
      rotations: (state) => state.rotations,
    });
  },
});

interface GTransformState extends AtomsState {
  /** G×4. */
  readonly rotations: Matrix64;
  readonly order: Float64Array;
  readonly signs: Float64Array;
}

function requireFullRank({ size, input }: Problem): void {
  if (!input.coordinates.analysis) return;
  throw inputError(
    'learn',
    'the samples',
    'of full rank for method gtransform',
    `rank ${size} of ${input.source.cols} features`,
  );
}

/** State fields of products that `givensDictionary` accepts. */
function productShape(n: number, most: number): Record<'rotations' | 'order' | 'signs', Field> {
  const whole = vector(n, { least: 0, most: n - 1 });
  const signs = vector(n, { least: -1, most: 1 });
  const rotations = matrix({ most }, 4, 'rotations of two features', ({ rows, data }) => {
    const bad = range(rows).find((r) => !isRotation(data.subarray(4 * r, 4 * r + 4), n));
    return bad === undefined ? undefined : `another row ${bad}`;
  });
  const special = (field: Field, mustBe: string, fits: (x: Float64Array) => boolean): Field => ({
    mustBe,
    fault: (value, state) => field.fault(value, state) ?? (fits(value as Float64Array) ? undefined : 'others'),
  });
  return {
    rotations,
    order: special(whole, `a permutation of 0 to ${n - 1}`, (x) => new Set(x).size === n && x.every(Number.isInteger)),
    signs: special(signs, `${n} numbers, 1 or −1`, (x) => x.every((sign) => Math.abs(sign) === 1)),
  };
}

function isRotation([i, j, c, s]: Float64Array, n: number): boolean {
  const isFeature = (k: number) => Number.isInteger(k) && k >= 0 && k < n;
  return isFeature(i) && isFeature(j) && i !== j && Math.abs(Math.hypot(c, s) - 1) < ROUNDING;
}
const ROUNDING = 1e-12;

function stateOf(product: RotationTransform) {
  const { rotations, order, signs } = product;
  return { atoms: rotationMatrix(product), rotations, order: Float64Array.from(order), signs };
}

function productOf({ rotations, order, signs }: GTransformState): RotationTransform {
  return { kind: 'rotations', rotations, order: Int32Array.from(order), signs };
}
