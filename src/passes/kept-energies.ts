/**
 * How few codes describe the samples, for several dictionaries at once. With y a conditioned sample and x its codes:
 *
 *     missing_k = Σ ‖y − ŷ‖²      ŷ from the k largest codes; from k atoms, where a pursuit finds the codes
 *     needed_s  = Σ the least number of codes that hold the share s of Σ x²
 *     used_i    = samples in which atom i is one of the codes that hold the share MOST_ENERGY
 *
 * A code's own energy is x² ‖a‖², where atoms are not of norm 1.
 *
 * Orthonormal atoms need no ŷ: what is missing is the energy of the codes left out, and what lies outside their span.
 */
import { firstRows, type Matrix, type Matrix64, norm, row } from '../core/matrix.ts';
import { addFields, definePass } from '../engine/pass.ts';
import type { Conditioning, Kernels } from '../kernels/kernels.ts';
import { conditioned } from './conditioned.ts';
import { encodePass, type Transform } from './encode.ts';

/** The shares of the energy for which the codes needed are counted. */
const ENERGY_SHARES = [0.9, 0.99] as const;
/** The codes that hold this share are those that a sample uses. */
const MOST_ENERGY = 0.99;

/** A dictionary in the form that the pass needs. */
export interface CodedBasis {
  readonly transform: Transform;
  /** Whether the rows of the encoder are the atoms, and orthonormal. */
  readonly orthonormal: boolean;
  /** Atoms, K×n, if the transform does not contain them, as for an encoder that differs from the atoms. */
  readonly atoms?: Matrix64 | undefined;
}

export interface KeptEnergiesParams {
  readonly bases: readonly CodedBasis[];
  readonly conditioning: Conditioning;
  /** Numbers of codes kept, k. */
  readonly keep: Float64Array;
}

/** Sums over samples, for one dictionary. */
export interface BasisEnergies {
  /** Missing energy, by k. */
  readonly missing: Float64Array;
  /** Number of codes needed, by share: see {@link ENERGY_SHARES}. */
  readonly needed: Float64Array;
  /** Energy of each atom, and number of samples that use it. */
  readonly energies: Float64Array;
  readonly used: Float64Array;
  /** Σ of the squares of energies. */
  readonly fourths: Float64Array;
}

export interface KeptEnergies {
  /** Σ ‖y‖². */
  readonly energy: number;
  readonly bases: readonly BasisEnergies[];
}

export const keptEnergiesPass = definePass<KeptEnergiesParams, KeptEnergies>(import.meta.url, {
  name: 'kept-energies',
  effort: 16,
  contribute({ samples }, { bases, conditioning, keep }, kernels) {
    const Y = conditioned(samples, conditioning);
    const norms = Float64Array.from({ length: Y.rows }, (_, j) => norm(row(Y, j)) ** 2);
    const energy = norms.reduce((sum, value) => sum + value, 0);
    return { energy, bases: bases.map((basis) => energiesIn(basis, Y, norms, keep, kernels)) };
  },
  add: addFields,
  example: (samples) => ({
    params: {
      bases: [
        { transform: { kind: 'dense', encoder: firstRows(samples) }, orthonormal: true },
        { transform: { kind: 'dense', encoder: firstRows(samples) }, orthonormal: false, atoms: firstRows(samples) },
      ],
      conditioning: { scale: 1 },
      keep: Float64Array.of(1, 3),
    },
  }),
});

function energiesIn(
  basis: CodedBasis,
  Y: Matrix64,
  norms: Float64Array,
  keep: Float64Array,
  kernels: Kernels,
): BasisEnergies {
  const codes = codesOf(basis, Y, undefined, kernels);
  const K = codes.cols;
  const outside = (j: number, all: number) => (K < Y.cols ? Math.max(0, norms[j] - all) : 0);
  const missing = basis.orthonormal ? new Float64Array(keep.length) : keep.map((k) => residual(basis, Y, k, kernels));
  const sums = {
    missing,
    needed: new Float64Array(ENERGY_SHARES.length),
    energies: new Float64Array(K),
    used: new Float64Array(K),
    fourths: new Float64Array(1),
  };
  const squares = new Float64Array(K);
  const sizes = sizesOf(basis, K);
  for (let j = 0; j < Y.rows; j++) {
    for (let i = 0; i < K; i++) squares[i] = codes.data[j * K + i] ** 2 * sizes[i];
    const { sorted, smallest } = cumulatedEnergies(squares);
    if (basis.orthonormal) {
      const rest = outside(j, smallest[K]);
      keep.forEach((k, at) => {
        missing[at] += rest + smallest[Math.max(0, K - k)];
      });
    }
    ENERGY_SHARES.forEach((share, at) => {
      sums.needed[at] += codesFor(share, smallest);
    });
    addUse(sums, squares, sorted[K - codesFor(MOST_ENERGY, smallest)]);
  }
  return sums;
}

/** ‖a‖² of every atom; those not given have norm 1. */
const sizesOf = ({ atoms }: CodedBasis, K: number): Float64Array =>
  Float64Array.from({ length: K }, (_, i) => (atoms ? norm(row(atoms, i)) ** 2 : 1));

/** Adds the energy and use of atoms. `least`: the smallest square that counts as used; undefined if none does. */
function addUse({ energies, used, fourths }: BasisEnergies, squares: Float64Array, least = Number.POSITIVE_INFINITY) {
  for (let i = 0; i < squares.length; i++) {
    energies[i] += squares[i];
    fourths[0] += squares[i] ** 2;
    if (squares[i] >= least) used[i]++;
  }
}

/** Σ ‖y − ŷ‖², where ŷ is the result of encoding and decoding. */
function residual(basis: CodedBasis, Y: Matrix64, keep: number, kernels: Kernels): number {
  const again = kernels.multiply(codesOf(basis, Y, keep, kernels) as Matrix64, atomsOf(basis));
  let sum = 0;
  for (let i = 0; i < Y.data.length; i++) sum += (Y.data[i] - again.data[i]) ** 2;
  return sum;
}

/** Codes in float64, like Y. */
function codesOf({ transform }: CodedBasis, Y: Matrix64, keep: number | undefined, kernels: Kernels): Matrix {
  const params = { transform, conditioning: { scale: 1 }, selection: { keep } };
  return encodePass.contribute({ samples: Y, start: 0, index: 0 }, params, kernels);
}

function atomsOf({ transform, atoms }: CodedBasis): Matrix64 {
  if (atoms) return atoms;
  if (transform.kind === 'pursuit') return transform.atoms;
  if (transform.kind === 'dense') return transform.encoder;
  throw new Error('kept-energies: atoms of a product must be given, or orthonormal.');
}

/** The squares in ascending order; entry m of `smallest` is the sum of the m smallest, m = 0 … K. */
export function cumulatedEnergies(squares: Float64Array): { sorted: Float64Array; smallest: Float64Array } {
  const sorted = squares.slice().sort();
  const smallest = new Float64Array(squares.length + 1);
  for (let m = 0; m < sorted.length; m++) smallest[m + 1] = smallest[m] + sorted[m];
  return { sorted, smallest };
}

/** The least number of codes that hold this share of the energy; 0 if there is none. */
function codesFor(share: number, smallest: Float64Array): number {
  const K = smallest.length - 1;
  const allowed = (1 - share) * smallest[K];
  let count = 0;
  while (count < K && smallest[K - count] > allowed) count++;
  return count;
}
