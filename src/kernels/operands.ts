/**
 * Checks the operands of every kernel, for every backend: fast kernels trust the sizes, and would read or write outside an
 * operand of another size. A call with operands that do not fit is a bug of this package, not an error of its user.
 */
import type { Matrix } from '../core/matrix.ts';
import type {
  Conditioning,
  FastTransform,
  Kernels,
  LikelihoodResponse,
  RotateRequest,
  RotationTransform,
  SparseCodes,
} from './kernels.ts';

/** The kernels of a backend, without their name. */
type Operations = Omit<Required<Kernels>, 'name'>;

/** Throws a RangeError if the operands of a call do not fit each other. */
type Checks = { readonly [K in keyof Operations]: (...operands: Parameters<Operations[K]>) => void };

const CHECKS: Checks = {
  eigen: (symmetric) => requireSize('eigen', 'the matrix', symmetric, symmetric.rows, symmetric.rows),
  multiply(a, b, form = 'nn', into) {
    const inner = form === 'tn' ? a.rows : a.cols;
    requireSize('multiply', 'A', a, a.rows, a.cols);
    requireSize('multiply', 'B', b, form === 'nt' ? b.rows : inner, form === 'nt' ? inner : b.cols);
    if (a.data.constructor !== b.data.constructor) throw misfit('multiply', 'B', 'of the precision of A', 'the other');
    if (into) requireTarget(into, a, b, form === 'tn' ? a.cols : a.rows, form === 'nt' ? b.rows : b.cols);
  },
  covariance: (samples, conditioning) => requireSamples('covariance', samples, conditioning),
  correlate({ samples, atoms, conditioning, response }) {
    requireSamples('correlate', samples, conditioning, atoms);
    if (response.kind === 'mask') requireLength('correlate', 'thresholds', response.thresholds, atoms.rows);
    if (response.kind === 'likelihood') requireLikelihood(response);
  },
  histogram: ({ samples, conditioning, atoms }) => requireSamples('histogram', samples, conditioning, atoms),
  measure({ samples, conditioning, atoms, thresholds }) {
    requireSamples('measure', samples, conditioning, atoms);
    requireLength('measure', 'thresholds', thresholds, atoms.rows);
  },
  survey: (samples, conditioning) => requireSamples('survey', samples, conditioning),
  project: (samples, atoms, conditioning) => requireSamples('project', samples, conditioning, atoms),
  projectByAtom({ samples, atoms, conditioning, codes, start }) {
    requireSamples('projectByAtom', samples, conditioning, atoms);
    requireSize('projectByAtom', 'codes', codes, atoms.rows, codes.cols);
    if (!isIndexBelow(codes.cols - samples.rows + 1)(start))
      throw misfit('projectByAtom', 'start', `0 to ${codes.cols - samples.rows}`, `${start}`);
  },
  transform(samples, map, conditioning) {
    requireSamples('transform', samples, conditioning);
    requireMap(map, samples.cols);
  },
  pursue({ samples, conditioning, atoms, keep }) {
    requireSamples('pursue', samples, conditioning, atoms);
    requireCount('pursue', 'keep', keep, samples.cols);
  },
  lasso: ({ samples, conditioning, atoms }) => requireSamples('lasso', samples, conditioning, atoms),
  codeMoments(samples, codes, components, conditioning) {
    requireSamples('codeMoments', samples, conditioning);
    requireCodes(codes, samples.rows, components);
  },
  rotatePlanes(request) {
    requireSize('rotatePlanes', 'rows', request.rows, request.rows.rows, request.rows.cols);
    requirePlanes(request);
  },
};

/** Wraps kernels so that calls with operands that do not fit each other throw a RangeError. */
export function withCheckedOperands(kernels: Kernels): Kernels {
  type Call = (...operands: unknown[]) => unknown;
  const checked = Object.entries(CHECKS as Readonly<Record<string, Call>>).flatMap(([name, check]) => {
    const kernel = kernels[name as keyof Operations] as Call | undefined;
    const call: Call = (...operands) => {
      check(...operands);
      return kernel!(...operands);
    };
    return kernel ? [[name, call]] : [];
  });
  return { name: kernels.name, ...Object.fromEntries(checked) };
}

function requireSamples(who: string, samples: Matrix, { offset }: Conditioning, atoms?: Matrix): void {
  requireSize(who, 'samples', samples, samples.rows, samples.cols);
  if (offset) requireLength(who, 'offset', offset, samples.cols);
  if (atoms) requireSize(who, 'atoms', atoms, atoms.rows, samples.cols);
}

function requireLikelihood({ theta, leastEnergy = 0, spread = 1, ...others }: LikelihoodResponse): void {
  if (!(theta > 0 && theta < 1)) throw misfit('correlate', 'theta', 'between 0 and 1', `${theta}`);
  if (!(leastEnergy >= 0)) throw misfit('correlate', 'leastEnergy', 'at least 0', `${leastEnergy}`);
  const { spike, slab, meanEnergy } = others;
  for (const [name, value] of Object.entries({ spike, slab, spread, meanEnergy }))
    if (!(value > 0 && value < Infinity)) throw misfit('correlate', name, 'a positive number', `${value}`);
}

function requireMap(map: FastTransform, n: number): void {
  if (map.kind === 'rotations') {
    requireRotations(map, n);
    return;
  }
  const { reflectors, combined } = map;
  requireSize('transform', 'reflectors', reflectors, reflectors.rows, n);
  requireSize('transform', 'combined', combined, reflectors.rows, n);
}

function requireRotations({ rotations, order, signs }: RotationTransform, n: number): void {
  requireSize('transform', 'rotations', rotations, rotations.rows, 4);
  requireLength('transform', 'order', order, n);
  requireLength('transform', 'signs', signs, n);
  const isFeature = isIndexBelow(n);
  for (let at = 0; at < rotations.data.length; at += 4) {
    const [i, j] = [rotations.data[at], rotations.data[at + 1]];
    if (!isFeature(i) || !isFeature(j)) throw misfit('transform', 'rotations', `of features below ${n}`, `${i}, ${j}`);
  }
  if (!order.every(isFeature)) throw misfit('transform', 'order', `of features below ${n}`, 'others');
}

function requireCodes({ starts, atoms, values }: SparseCodes, rows: number, components: number): void {
  requireCount('codeMoments', 'components', components);
  requireLength('codeMoments', 'starts', starts, rows + 1);
  requireLength('codeMoments', 'values', values, atoms.length);
  const ordered = starts.every((start, j) => start >= (j > 0 ? starts[j - 1] : 0));
  if (!ordered || starts[rows] > atoms.length) throw misfit('codeMoments', 'starts', 'places of codes', 'others');
  if (!atoms.every((k) => k >= 0 && k < components))
    throw misfit('codeMoments', 'atoms', `atoms below ${components}`, 'others');
}

function requireCount(who: string, name: string, count: number, most = Infinity): void {
  if (!(Number.isInteger(count) && count >= 0 && count <= most))
    throw misfit(who, name, `a whole number up to ${most}`, `${count}`);
}

function requirePlanes({ rows: { rows }, planes }: RotateRequest): void {
  const isRow = isIndexBelow(rows);
  for (const [i, j] of planes) {
    if (isRow(i) && isRow(j) && i !== j) continue;
    throw misfit('rotatePlanes', 'planes', `pairs of different rows below ${rows}`, `${i}, ${j}`);
  }
}

const isIndexBelow = (count: number) => (k: number) => k >= 0 && k < count && Number.isInteger(k);

function requireSize(who: string, name: string, { rows, cols, data }: Matrix, wantedRows: number, wantedCols: number) {
  if (rows === wantedRows && cols === wantedCols && rows >= 0 && data.length === rows * cols) return;
  throw misfit(who, name, `${wantedRows}×${wantedCols}`, `${rows}×${cols} of ${data.length} numbers`);
}

function requireTarget(into: Matrix, a: Matrix, b: Matrix, rows: number, cols: number): void {
  requireSize('multiply', 'the target', into, rows, cols);
  const { data } = into;
  const apart = data.buffer !== a.data.buffer && data.buffer !== b.data.buffer;
  if (apart && data.constructor === a.data.constructor) return;
  throw misfit('multiply', 'the target', 'memory of its own in the precision of A', 'other memory');
}

function requireLength(who: string, name: string, { length }: ArrayLike<number>, wanted: number): void {
  if (length !== wanted) throw misfit(who, name, `of length ${wanted}`, `${length}`);
}

const misfit = (who: string, name: string, mustBe: string, got: string): RangeError =>
  new RangeError(`kernels: ${name} of ${who} must be ${mustBe}; got ${got}.`);
