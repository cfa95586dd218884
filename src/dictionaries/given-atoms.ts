/**
 * Makes a dictionary of atoms without an encoder, A (K×n). Orthonormal atoms are their own encoder. Other independent ones are
 * encoded by least squares: with unit rows U and Uᵀ = Q R,
 *
 *     codes = y A⁺,   A = D U,   A⁺ = Q R⁻ᵀ D⁻¹,   encoder = (A⁺)ᵀ = D⁻¹ R⁻¹ Qᵀ,
 *
 * and all others, more than features or dependent, by a pursuit.
 */
import { inputError } from '../core/errors.ts';
import {
  addScaled,
  identity,
  type Matrix,
  type Matrix64,
  norm,
  precisionOf,
  row,
  scaleRows,
  toFloat64,
  transpose,
} from '../core/matrix.ts';
import { selectKernels } from '../kernels/select.ts';
import { solve } from '../linalg/lu.ts';
import { orthogonalityError } from '../linalg/polar.ts';
import { qr } from '../linalg/qr.ts';
import { denseDictionary } from './dense.ts';
import type { Dictionary } from './dictionary.ts';
import { overcompleteDictionary } from './overcomplete.ts';

export interface GivenAtoms {
  readonly atoms: Matrix;
  readonly mean?: Float64Array | undefined;
}

/** A dictionary, and a remark for the user on its codes. */
export interface DictionaryOfAtoms {
  readonly dictionary: Dictionary;
  /** Absent if the atoms are orthonormal. */
  readonly remark?: string | undefined;
}

/** Largest entry of AAᵀ − I that counts as orthonormal, for float32. */
const ORTHONORMAL = 1e-5;
/** Largest condition of unit atoms: beyond it, codes keep fewer than four digits of float64. */
const MOST_CONDITION = 1e12;
const POWER_ITERATIONS = 20;

/** Makes the dictionary of atoms alone: by themselves, by their pseudo-inverse, or by a pursuit. */
export async function dictionaryOfAtoms({ atoms: given, mean }: GivenAtoms): Promise<DictionaryOfAtoms> {
  const atoms = toFloat64(given);
  const { rows: K, cols: n } = atoms;
  const lengths = Float64Array.from({ length: K }, (_, k) => norm(row(atoms, k)));
  const empty = lengths.indexOf(0);
  if (empty >= 0) throw inputError('dictionary', 'atoms', 'different from zero', `zeros in row ${empty}`);
  const pursued = (why: string): DictionaryOfAtoms => {
    const scaled = lengths.some((length) => Math.abs(length - 1) > ORTHONORMAL) ? ' of atoms scaled to length 1' : '';
    const remark = `${why}: codes${scaled} are found by orthogonal matching pursuit`;
    return { dictionary: overcompleteDictionary({ atoms, mean }), remark };
  };
  if (K > n) return pursued(`${K} atoms of ${n} features are not independent`);
  if (orthogonalityError(atoms, await selectKernels('auto')) <= ORTHONORMAL) {
    return { dictionary: denseDictionary({ atoms, mean }) };
  }
  const inverses = lengths.map((length) => 1 / length);
  const units = scaleRows(atoms, inverses);
  const { q, r } = qr(transpose(units));
  const unitEncoder = solve(r, transpose(q));
  const condition = unitEncoder ? largestSingularValue(units) * largestSingularValue(unitEncoder) : Infinity;
  if (!unitEncoder || !(condition <= MOST_CONDITION)) return pursued('the atoms are not independent');
  const dictionary = denseDictionary({ atoms, encoder: scaleRows(unitEncoder, inverses), mean });
  const remark = `the atoms are not orthonormal: codes are found by their ${K === n ? 'inverse' : 'pseudo-inverse'} (condition ${Number(condition.toPrecision(2))})`;
  return { dictionary, remark };
}

/** Largest E Aᵀ − I from rounding, and that at which Newton's steps end (`exact`; Frobenius norms). */
const INVERSE = { rounded: 0.5, exact: 1e-13, steps: 5 };

/**
 * Restores the encoder E of atoms A when both were rounded to float32. If it was their inverse, E Aᵀ = I, rounding cost the condition of
 * the atoms times 1e-7; every step E ← E + (I − E Aᵀ) E squares that error. An encoder that is no inverse stays as it is.
 */
export async function restoredEncoder(atoms: Matrix, encoder: Matrix): Promise<Matrix> {
  if (precisionOf(encoder) === 'f64' || atoms.rows > atoms.cols) return encoder;
  const kernels = await selectKernels('auto');
  const A = toFloat64(atoms);
  let E = toFloat64(encoder);
  for (let step = 0; step < INVERSE.steps; step++) {
    const rest = addScaled(identity(E.rows), -1, kernels.multiply(E, A, 'nt'));
    const error = norm(rest.data);
    if (!(error < INVERSE.rounded)) return encoder;
    if (error < INVERSE.exact * Math.sqrt(E.rows)) break;
    E = addScaled(E, 1, kernels.multiply(rest, E));
  }
  return E;
}

/** Computes it by power iterations from the longest row. */
function largestSingularValue(M: Matrix64): number {
  const { rows, cols, data } = M;
  let longest = row(M, 0);
  for (let i = 1; i < rows; i++) if (norm(row(M, i)) > norm(longest)) longest = row(M, i);
  let v = longest.slice();
  let value = norm(v);
  for (let step = 0; step < POWER_ITERATIONS; step++) {
    const next = new Float64Array(cols);
    const length = norm(v);
    for (let i = 0; i < rows; i++) {
      let product = 0;
      for (let j = 0; j < cols; j++) product += (data[i * cols + j] * v[j]) / length;
      for (let j = 0; j < cols; j++) next[j] += product * data[i * cols + j];
    }
    value = Math.max(value, Math.sqrt(norm(next)));
    v = next;
  }
  return value;
}
