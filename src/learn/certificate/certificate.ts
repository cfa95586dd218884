/**
 * Decides which atoms are right, without knowing the truth, from the exact zeros of their codes.
 *
 * Let Z_i be the samples in which the code of atom i is zero: they lie in a hyperplane. The hyperplane of a true atom holds all
 * samples that do not use it. A wrong direction b = Σ_k b_k d_k that mixes m ≥ 2 true atoms holds the samples that use none of the
 * m, which span K − m dimensions, and can be turned to hold m − 1 more. If the values of the codes are generic, these m − 1 are
 * independent of all others in it: without any one of them the hyperplane could turn. If samples have an offset that the codes
 * do not contain, the hyperplane may pass beside the origin, so 1 counts as one more code. Atom i is certified if
 *
 *     the samples (x_j, 1) of Z_i span K dimensions, and still do without any two of them
 *
 * One would do in theory; two samples may have a direction in common that is no atom, such as an error in the same feature.
 * In numbers, with x̃_j the other codes of sample j and 1, scaled to norm 1, G = Σ x̃_j x̃_jᵀ over the m samples of Z_i and
 * h_jl = x̃_jᵀ G⁻¹ x̃_l: tr G⁻¹ is not huge, and (1 − h_jj)(1 − h_ll) > h_jl² for every two. The true atom satisfies X̃ δ = −x̃_i, as far as
 * the samples are exact, so atom i has at most the error
 *
 *     ε_i = ‖x̃_i‖ (tr G⁻¹)^(1/2) (1 + (m/(m − K))^(1/2))
 *
 * in which the last term stands for errors of the samples: codes that were fitted show them too small.
 *
 * Data that is not generic or not exact is refused:
 *
 * - samples that are multiples of each other count once. Samples that use a single atom are multiples too; they count if no
 *   other samples are repeated;
 * - zeros stand apart from other codes. If many codes are just not zero, the zeros are the middle of some noise;
 * - atoms whose supports correlate may be mixtures of the same two, held in place by samples that use something else, such as outliers.
 *   With P over the samples that have a zero at all,
 *
 *       φ_ik = (P(i and k) − P(i) P(k)) / √(P(i)(1 − P(i)) P(k)(1 − P(k)))
 *
 * - if a code takes the same value in several samples, or the ratio of the codes of two atoms is the same, as with codes in
 *   {−1, 0, 1}, a turned basis has zeros there: zeros cannot decide.
 */
import { dot, type Matrix64, type Precision, range, row, zeros } from '../../core/matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { cholesky } from '../../linalg/cholesky.ts';
import { distinctSamples } from './distinct-samples.ts';

/** Why an atom is not certified. */
export type Refusal =
  | 'no energy'
  | 'no zeros'
  | 'few zeros'
  | 'undetermined'
  | 'shared'
  | 'few values'
  | 'imprecise'
  | 'others';

/** Verdict on an atom: a bound of its error, or why it is not certified. */
export type AtomVerdict =
  /** `error`: bound of the distance to the true atom, both of length 1. */
  { readonly error: number; readonly refusal?: undefined } | { readonly error?: undefined; readonly refusal: Refusal };

/** Thresholds of the certificate. */
export const CERTIFICATE = {
  /** A code this small is zero, relative to the root mean square of the codes of its sample. Float32 cannot resolve smaller ones. */
  zero: { f32: 1e-6, f64: 1e-8 },
  /** Least energy of an atom relative to the mean of all; anything less is rounding. */
  leastEnergy: 1e-6,
  /** Fewest samples that must use an atom. */
  fewestCodes: 3,
  /** Fewest samples that use another atom and not this one, for each other atom: with fewer, the two could be turned. */
  fewestApart: 2,
  /** Least slack of two samples, (1 − h_j)(1 − h_l) − h_jl². With less, the two alone hold the hyperplane in some direction. */
  leastSlack: 1e-8,
  /** Largest tr G⁻¹. Above it, the samples span K − 1 dimensions by their rounding alone. */
  mostLoose: 1e6,
  /** Samples of a hyperplane to check first, per atom and in addition; most atoms need no more. */
  firstLook: { perAtom: 2, more: 8 },
  /** Largest φ of two atoms. */
  mostShared: 0.5,
  /**
   * Samples with the same value of a code, or ratio of two, that make it a repeat; and how many samples are searched for values and
   * for ratios.
   */
  fewestRepeated: 3,
  valueSamples: 4096,
  ratioSamples: 2048,
  /** Codes within this many times the limit of a zero are nearly zero; next: how many of them are allowed per zero. */
  nearlyZero: 100,
  mostNearlyZero: 0.1,
  /** Largest error that is worth a certificate. */
  mostError: 1e-4,
  /**
   * Up to this many atoms are judged as one group. More are judged in groups of dependent supports: a wrong atom shares true
   * atoms with others, so that their zeros coincide more often than by chance.
   */
  largestGroup: 64,
  /** Standard deviations from which supports count as dependent. */
  dependence: 5,
  /** An atom used by more than this share of the samples shows no dependence: it belongs to every group. */
  dense: 0.98,
  /** Zeros that an atom must exceed, per atom, if its group is smaller than all atoms. */
  zerosPerAtom: 1.25,
} as const;

export interface CertificateOptions {
  readonly kernels: Kernels;
  /** The lower of the precisions of samples and atoms. */
  readonly precision?: Precision | undefined;
}

/** Returns a verdict for every atom. `codes`: of all atoms (K×p), an atom in a row. */
export function certificate(codes: Matrix64, { kernels, precision = 'f64' }: CertificateOptions): AtomVerdict[] {
  const K = codes.rows;
  const known = readCodes(codes, precision);
  const samples = known.codes.cols;
  const meanEnergy = known.energies.reduce((sum, energy) => sum + energy, 0) / K;
  const both = kernels.multiply(known.support, known.support, 'nt');
  const groups = groupsOf(both, samples);
  const shares = sharedSupports(both, known);
  return range(K).map((i) => {
    const used = both.data[i * K + i];
    const isFaint = !(known.energies[i] > CERTIFICATE.leastEnergy * meanEnergy) || used < CERTIFICATE.fewestCodes;
    if (isFaint) return { refusal: 'no energy' };
    if (used === samples) return { refusal: 'no zeros' };
    if (nearZeros(known, i) > CERTIFICATE.mostNearlyZero * (samples - used)) return { refusal: 'imprecise' };
    // samples with atom k but without atom i
    const isApart = (k: number) => both.data[k * K + k] - both.data[i * K + k] >= CERTIFICATE.fewestApart;
    if (!range(K).every((k) => k === i || isApart(k))) return { refusal: 'few zeros' };
    const group = groups[i];
    if (group.length < K && samples - used <= CERTIFICATE.zerosPerAtom * K) return { refusal: 'few zeros' };
    if (group.length > CERTIFICATE.largestGroup) return { refusal: 'undetermined' };
    if (shares(i)) return { refusal: 'shared' };
    const others = group.filter((k) => k !== i);
    const error = errorBound(known, i, others, kernels);
    if (error === undefined) return { refusal: 'undetermined' };
    if (recursWith(known, i, others)) return { refusal: 'few values' };
    return error <= CERTIFICATE.mostError ? { error } : { refusal: 'imprecise' };
  });
}

/** Converts an error bound of an atom into correct decimal digits. */
export const digitsOf = (error: number): number => Math.floor(-Math.log10(Math.max(error, Number.EPSILON)));

/** The codes of the samples that count. */
interface Known {
  /** Codes scaled to norm 1 per sample, K×p. */
  readonly codes: Matrix64;
  /** Norms of the samples' codes, relative to their root mean square. */
  readonly norms: Float64Array;
  /** K×p: 1 where a code is not zero. */
  readonly support: Matrix64;
  /** Sums of squares of the codes of every atom, before scaling. */
  readonly energies: Float64Array;
  readonly cut: number;
}

function readCodes(all: Matrix64, precision: Precision): Known {
  const { rows: K, cols: p, data } = all;
  const squares = new Float64Array(p);
  const energies = new Float64Array(K);
  for (let i = 0; i < K; i++) {
    for (let j = 0; j < p; j++) {
      const square = data[i * p + j] ** 2;
      squares[j] += square;
      energies[i] += square;
    }
  }
  const cut = CERTIFICATE.zero[precision] / Math.sqrt(K);
  const isZero = (i: number, j: number) => Math.abs(data[i * p + j]) < cut * Math.sqrt(squares[j]);
  const living = range(p).filter((j) => squares[j] > 0);
  const counted = distinctSamples(all, living, isZero, precision);
  const codes = zeros(K, counted.length);
  const support = zeros(K, counted.length);
  const meanSquare = counted.reduce((sum, j) => sum + squares[j], 0) / counted.length;
  const norms = Float64Array.from(counted, (j) => Math.sqrt(squares[j] / meanSquare));
  counted.forEach((j, at) => {
    const scale = 1 / Math.sqrt(squares[j]);
    for (let i = 0; i < K; i++) {
      codes.data[i * counted.length + at] = data[i * p + j] * scale;
      support.data[i * counted.length + at] = isZero(i, j) ? 0 : 1;
    }
  });
  return { codes, norms, support, energies, cut };
}

/** Returns a function that checks whether the support of an atom correlates with that of another. */
function sharedSupports(both: Matrix64, { support: { rows: K, cols: p, data } }: Known): (i: number) => boolean {
  const used = new Uint16Array(p); // atoms that a sample uses
  for (let at = 0; at < data.length; at++) used[at % p] += data[at];
  const telling = used.filter((count) => count < K).length;
  const all = p - telling;
  const share = (i: number, k: number) => (both.data[i * K + k] - all) / telling;
  const variance = (i: number) => share(i, i) * (1 - share(i, i));
  return (i) =>
    range(K).some((k) => {
      const common = share(i, k) - share(i, i) * share(k, k);
      return k !== i && common > CERTIFICATE.mostShared * Math.sqrt(variance(i) * variance(k));
    });
}

/**
 * The group of every atom: all atoms, or those linked by a chain of dependent supports. `both`: in how many of
 * `samples` both atoms have a code.
 */
function groupsOf(both: Matrix64, samples: number): number[][] {
  const K = both.rows;
  const all = range(K);
  if (K <= CERTIFICATE.largestGroup) return all.map(() => all);
  const share = all.map((i) => both.data[i * K + i] / samples);
  const depends = (i: number, k: number) => {
    const spread = Math.sqrt((share[i] * (1 - share[i]) * share[k] * (1 - share[k])) / samples);
    return both.data[i * K + k] / samples - share[i] * share[k] > CERTIFICATE.dependence * spread;
  };
  const isDense = (i: number) => share[i] > CERTIFICATE.dense;
  const dense = all.filter(isDense);
  const groups: number[][] = all.map(() => all);
  const open = new Set(all.filter((i) => !isDense(i)));
  for (const first of open) {
    const group = [first];
    open.delete(first);
    for (const i of group) {
      for (const k of [...open].filter((k) => depends(i, k))) {
        open.delete(k);
        group.push(k);
      }
    }
    for (const i of group) groups[i] = [...group, ...dense];
  }
  return groups;
}

/** Returns ε_i, or undefined if the samples without atom i do not determine it against the `others`. */
function errorBound(known: Known, i: number, others: number[], kernels: Kernels): number | undefined {
  const { codes, support } = known;
  const p = codes.cols;
  const isUsed = (k: number, j: number) => support.data[k * p + j] === 1;
  const here: number[] = [];
  for (let j = 0; j < p; j++) {
    if (!isUsed(i, j) && (others.length === 0 || others.some((k) => isUsed(k, j)))) here.push(j);
  }
  const { perAtom, more } = CERTIFICATE.firstLook;
  const first = here.slice(0, perAtom * others.length + more);
  const bound = (samples: number[]) => boundFrom(known, i, others, samples, kernels);
  return bound(first) ?? (first.length < here.length ? bound(here) : undefined);
}

function boundFrom({ codes, norms }: Known, i: number, others: number[], samples: number[], kernels: Kernels) {
  const [size, m, p] = [others.length + 1, samples.length, codes.cols];
  if (m <= size + 1) return undefined;
  const X = zeros(size, m);
  let leaked = 0;
  samples.forEach((j, at) => {
    const one = 1 / (norms[j] * Math.sqrt(codes.rows)); // of the size of a code
    let energy = one ** 2;
    for (const k of others) energy += codes.data[k * p + j] ** 2;
    const scale = 1 / Math.sqrt(energy);
    others.forEach((k, r) => {
      X.data[r * m + at] = codes.data[k * p + j] * scale;
    });
    X.data[others.length * m + at] = one * scale;
    leaked += Math.max(Math.abs(codes.data[i * p + j]) * scale, Number.EPSILON) ** 2;
  });
  const L = cholesky(kernels.multiply(X, X, 'nt'));
  if (!L) return undefined;
  const inverse = invertLower(L);
  const loose = dot(inverse.data, inverse.data);
  if (!(loose <= CERTIFICATE.mostLoose)) return undefined;
  const held = kernels.multiply(inverse, X);
  if (!holdsWithoutAnyTwo(kernels.multiply(held, held, 'tn'))) return undefined;
  return Math.sqrt(leaked * loose) * (1 + Math.sqrt(m / (m - size)));
}

/** Whether the samples still determine a hyperplane without any two of them. `H`: their hat matrix, with the leverages on its diagonal. */
function holdsWithoutAnyTwo({ rows: m, data: h }: Matrix64): boolean {
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < i; j++) {
      const left = (1 - h[i * m + i]) * (1 - h[j * m + j]) - h[i * m + j] ** 2;
      if (!(left >= CERTIFICATE.leastSlack)) return false;
    }
  }
  return true;
}

/** Returns L⁻¹ of a lower triangular L. */
function invertLower(L: Matrix64): Matrix64 {
  const n = L.rows;
  const inverse = zeros(n, n);
  for (let i = 0; i < n; i++) {
    const own = row(inverse, i);
    own[i] = 1;
    for (let k = 0; k < i; k++) {
      const factor = L.data[i * n + k];
      for (let j = 0; j <= k; j++) own[j] -= factor * inverse.data[k * n + j];
    }
    for (let j = 0; j <= i; j++) own[j] /= L.data[i * n + i];
  }
  return inverse;
}

/** Counts the codes of atom i that are nearly, but not exactly, zero. */
function nearZeros({ codes, support, cut }: Known, i: number): number {
  const [own, isUsed] = [row(codes, i), row(support, i)];
  return own.filter((code, j) => isUsed[j] === 1 && Math.abs(code) < CERTIFICATE.nearlyZero * cut).length;
}

/** Whether a code size of atom i recurs, or a ratio of its codes to those of another atom. */
const recursWith = (known: Known, i: number, others: readonly number[]): boolean =>
  recurs(sizesOf(known, i), known.cut) || others.some((k) => recurs(ratiosOf(known, i, k), known.cut));

/** Sizes of the codes of atom i that are not zero, in the data's own scale. */
function sizesOf({ codes, norms, support }: Known, i: number): Float64Array {
  const looked = Math.min(codes.cols, CERTIFICATE.valueSamples);
  const sizes = new Float64Array(looked);
  let count = 0;
  for (let j = 0; j < looked; j++) {
    const at = i * codes.cols + j;
    if (support.data[at] === 1) sizes[count++] = Math.abs(codes.data[at]) * norms[j];
  }
  return sizes.subarray(0, count);
}

/** Ratios of the codes of two atoms in the samples that use both. */
function ratiosOf({ codes, support }: Known, i: number, k: number): Float64Array {
  const looked = Math.min(codes.cols, CERTIFICATE.ratioSamples);
  const ratios = new Float64Array(looked);
  let count = 0;
  for (let j = 0; j < looked; j++) {
    const [own, other] = [i * codes.cols + j, k * codes.cols + j];
    if (support.data[own] * support.data[other] === 1) ratios[count++] = codes.data[own] / codes.data[other];
  }
  return ratios.subarray(0, count);
}

/** Whether enough of the values are equal, up to a share of them: values of a continuous distribution never are. */
function recurs(values: Float64Array, share: number): boolean {
  values.sort();
  const width = CERTIFICATE.fewestRepeated - 1;
  for (let at = width; at < values.length; at++) {
    if (values[at] - values[at - width] < share * Math.abs(values[at])) return true;
  }
  return false;
}
