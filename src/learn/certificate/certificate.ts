/**
 * Decides which atoms are right, without the truth, from the exact zeros of their codes.
 *
 * Let Z_i be the samples in which the code of atom i is zero: they lie in a hyperplane. The hyperplane of a true atom holds all
 * samples that do not use it. A wrong direction b = Σ_k b_k d_k that mixes m ≥ 2 true atoms holds the samples that use none of the
 * m, which span K − m dimensions, and can be turned to hold m − 1 more. If the values of the codes are generic, these m − 1 are
 * independent of all others in it: without any one of them the hyperplane could turn. So atom i is certified if
 *
 *     the samples of Z_i span K − 1 dimensions, and still do without any one of them
 *
 * In numbers, with x̃_j the other codes of sample j, scaled to norm 1, G = Σ x̃_j x̃_jᵀ over Z_i and h_j = x̃_jᵀ G⁻¹ x̃_j the leverage of
 * a sample: tr G⁻¹ is not huge and h_j < 1 for every j. The samples hold the atom in place, so its error is at most
 *
 *     ε_i = (Σ_j x̃_ij² · tr G⁻¹)^(1/2)
 *
 * Data whose values are not generic is refused:
 *
 * - samples that are multiples of each other count once. Samples that use a single atom are multiples too; they count if no
 *   other samples are repeated;
 * - if the ratio of the codes of two atoms is the same in several samples, as with codes in {−1, 0, 1}, a turned basis has zeros
 *   there: zeros cannot decide between the two.
 */
import { dot, type Matrix64, type Precision, range, row, zeros } from '../../core/matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { cholesky } from '../../linalg/cholesky.ts';
import { distinctSamples } from './distinct-samples.ts';

/** Why an atom is not certified. */
export type Refusal = 'no energy' | 'no zeros' | 'few zeros' | 'undetermined' | 'few values' | 'imprecise';

/** Whether an atom is certified. */
export type AtomVerdict =
  /** `error`: the distance to the true atom of the same length 1 is at most this. */
  { readonly error: number; readonly refusal?: undefined } | { readonly error?: undefined; readonly refusal: Refusal };

/** Rules of the certificate. */
export const CERTIFICATE = {
  /** A code this small is zero, relative to the root mean square of the codes of its sample. Float32 cannot tell smaller ones. */
  zero: { f32: 1e-6, f64: 1e-8 },
  /** Energy of an atom relative to the mean of all; with less it is rounding. */
  leastEnergy: 1e-6,
  /** Samples that use an atom. */
  fewestCodes: 3,
  /** Samples that use another atom and not this one: each other atom must have that many, or the two could be turned. */
  fewestApart: 2,
  /** A sample of a larger leverage alone holds the hyperplane in place. */
  mostLeverage: 1 - 1e-4,
  /** Largest tr G⁻¹: with more, the samples span K − 1 dimensions by their rounding alone. */
  mostLoose: 1e6,
  /** Samples of a hyperplane that are looked at first, per atom and in addition; most atoms need no more. */
  firstLook: { perAtom: 2, more: 8 },
  /** Samples that have the same ratio of two codes; and how many samples are looked at for that. */
  fewestRepeated: 3,
  ratioSamples: 128,
  /** Largest error that is worth a certificate. */
  mostError: 1e-4,
  /**
   * Up to this many atoms are judged as one group. More are judged in groups of dependent supports: a wrong atom shares true
   * atoms with others, so that their zeros coincide more often than by chance.
   */
  largestGroup: 64,
  /** Standard deviations by which supports of a group depend on each other. */
  dependence: 5,
} as const;

export interface CertificateOptions {
  readonly kernels: Kernels;
  /** Precision of samples and atoms, whichever is lower. */
  readonly precision?: Precision | undefined;
  /** By how much errors of the encoder grow in the dictionary. */
  readonly condition?: number | undefined;
}

/** `codes`: of all atoms (K×p), an atom in a row. */
export function certificate(
  codes: Matrix64,
  { kernels, precision = 'f64', condition = 1 }: CertificateOptions,
): AtomVerdict[] {
  const K = codes.rows;
  const known = readCodes(codes, precision);
  const { energies } = known;
  const meanEnergy = energies.reduce((sum, energy) => sum + energy, 0) / K;
  const both = kernels.multiply(known.support, known.support, 'nt');
  const groups = groupsOf(both, known.codes.cols);
  return range(K).map((i) => {
    const used = both.data[i * K + i];
    const isFaint = !(energies[i] > CERTIFICATE.leastEnergy * meanEnergy) || used < CERTIFICATE.fewestCodes;
    if (isFaint) return { refusal: 'no energy' };
    if (used === known.codes.cols) return { refusal: 'no zeros' };
    // samples with atom k but without atom i
    const isApart = (k: number) => both.data[k * K + k] - both.data[i * K + k] >= CERTIFICATE.fewestApart;
    if (!range(K).every((k) => k === i || isApart(k))) return { refusal: 'few zeros' };
    const others = groups[i].filter((k) => k !== i);
    if (others.length >= CERTIFICATE.largestGroup) return { refusal: 'undetermined' };
    const error = errorBound(known, i, others, kernels);
    if (error === undefined) return { refusal: 'undetermined' };
    if (others.some((k) => hasRepeatedRatios(known, i, k))) return { refusal: 'few values' };
    return condition * error <= CERTIFICATE.mostError ? { error: condition * error } : { refusal: 'imprecise' };
  });
}

/** Digits of an atom that are right, for an error of at most this. */
export const digitsOf = (error: number): number => Math.floor(-Math.log10(Math.max(error, Number.EPSILON)));

/** Codes of the samples that count, scaled to norm 1 by sample. */
interface Known {
  /** K×p. */
  readonly codes: Matrix64;
  /** K×p: 1 where a code is not zero. */
  readonly support: Matrix64;
  /** Sums of squares of the codes of every atom, before the scaling. */
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
  counted.forEach((j, at) => {
    const scale = 1 / Math.sqrt(squares[j]);
    for (let i = 0; i < K; i++) {
      codes.data[i * counted.length + at] = data[i * p + j] * scale;
      support.data[i * counted.length + at] = isZero(i, j) ? 0 : 1;
    }
  });
  return { codes, support, energies, cut };
}

/**
 * The group of every atom: all atoms, or those whose supports depend on each other, one through another. `both`: in how many of
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
  const groups: number[][] = [];
  for (const first of all) {
    if (groups[first]) continue;
    const group = [first];
    groups[first] = group;
    for (const i of group) {
      for (const k of all) {
        if (groups[k] || !depends(i, k)) continue;
        groups[k] = group;
        group.push(k);
      }
    }
  }
  return groups;
}

/** ε_i, or undefined if the samples without atom i do not determine it against the `others`. */
function errorBound({ codes, support, cut }: Known, i: number, others: number[], kernels: Kernels): number | undefined {
  if (others.length === 0) return cut;
  const p = codes.cols;
  const isUsed = (k: number, j: number) => support.data[k * p + j] === 1;
  const here = range(p).filter((j) => !isUsed(i, j) && others.some((k) => isUsed(k, j)));
  const { perAtom, more } = CERTIFICATE.firstLook;
  const first = here.slice(0, perAtom * others.length + more);
  const bound = (samples: number[]) => boundFrom(codes, i, others, samples, kernels);
  return bound(first) ?? (first.length < here.length ? bound(here) : undefined);
}

function boundFrom(codes: Matrix64, i: number, others: number[], samples: number[], kernels: Kernels) {
  const m = others.length;
  if (samples.length <= m) return undefined;
  const p = codes.cols;
  const X = zeros(m, samples.length);
  let leaked = 0;
  samples.forEach((j, at) => {
    let energy = 0;
    for (const k of others) energy += codes.data[k * p + j] ** 2;
    const scale = 1 / Math.sqrt(energy);
    others.forEach((k, r) => {
      X.data[r * samples.length + at] = codes.data[k * p + j] * scale;
    });
    leaked += Math.max(Math.abs(codes.data[i * p + j]) * scale, Number.EPSILON) ** 2;
  });
  const L = cholesky(kernels.multiply(X, X, 'nt'));
  if (!L) return undefined;
  const inverse = invertLower(L);
  const loose = dot(inverse.data, inverse.data);
  if (!(loose <= CERTIFICATE.mostLoose)) return undefined;
  const held = kernels.multiply(inverse, X);
  const leverages = new Float64Array(samples.length);
  for (let at = 0; at < held.data.length; at++) leverages[at % samples.length] += held.data[at] ** 2;
  if (leverages.some((leverage) => !(leverage <= CERTIFICATE.mostLeverage))) return undefined;
  return Math.sqrt(leaked * loose);
}

/** L⁻¹ of a lower triangular L. */
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

/** Whether some ratio of two codes recurs: with values of a continuous distribution it never does. */
function hasRepeatedRatios({ codes, support, cut }: Known, i: number, k: number): boolean {
  const looked = Math.min(codes.cols, CERTIFICATE.ratioSamples);
  const ratios = new Float64Array(looked);
  let count = 0;
  for (let j = 0; j < looked; j++) {
    const [own, other] = [i * codes.cols + j, k * codes.cols + j];
    if (support.data[own] * support.data[other] === 1) ratios[count++] = codes.data[own] / codes.data[other];
  }
  const sorted = ratios.subarray(0, count).sort();
  const width = CERTIFICATE.fewestRepeated - 1;
  return sorted.some((ratio, at) => sorted[at + width] - ratio < cut * Math.abs(ratio));
}
