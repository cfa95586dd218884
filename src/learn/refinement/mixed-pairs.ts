/**
 * Pairs of refined atoms that are mixtures of the same two, a = (u ± v)/√2: a saddle of the objective where exploring can stop, and
 * whose codes have zeros too, where both u's and v's are zero. Two atoms of their own have non-zeros in different samples; the
 * two mixtures have theirs in the same ones. A turn by 45° separates them.
 */
import { copy, type Matrix64, row } from '../../core/matrix.ts';
import { sharedZeros } from '../../core/shared-memory.ts';
import type { Problem } from '../problem.ts';
import { describeAtoms } from './code-distribution.ts';

/** Samples that suffice for the test. */
const ENOUGH = 4096;
/** Least share of their non-zeros that two mixtures have in common; without noise, all. */
const COMMON = 0.9;
/** Largest share of non-zeros of an atom to test: denser ones have most of them in common by chance. */
const TELLING = 0.8;

/** Largest ratio of an atom's share of non-zeros to that of the sparser ones. */
const MIXTURE = 1.35;

/** Whether some atoms are mixtures: a mixture of two has nearly twice the non-zeros of one. A false alarm only costs some exploring. */
export function someAreMixtures(counts: Float64Array): boolean {
  const shares = describeAtoms(counts)
    .map(({ share }) => share)
    .sort((a, b) => a - b);
  return shares[shares.length - 1] > MIXTURE * shares[shares.length >> 2]; // at least a quarter are no mixtures
}

export function meanShare(counts: Float64Array): number {
  const shares = describeAtoms(counts).map(({ share }) => share);
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** Returns the atoms with mixed pairs separated, or undefined if there are none. `counts`: the histogram of their codes. */
export async function partPairs(
  problem: Problem,
  atoms: Matrix64,
  counts: Float64Array,
): Promise<Matrix64 | undefined> {
  const part = await problem.part(Math.min(ENOUGH, problem.samples));
  const codes = sharedZeros(atoms.rows, part.samples, 'f64') as Matrix64;
  await part.writeCodes(atoms, codes);
  const supports = describeAtoms(counts).map(({ cut }, i) =>
    row(codes, i).map((code) => (Math.abs(code) > cut ? 1 : 0)),
  );
  const sizes = supports.map((support) => support.reduce((sum, one) => sum + one, 0));
  const parted = copy(atoms);
  const done = new Set<number>();
  for (let i = 0; i < atoms.rows; i++) {
    for (let k = i + 1; k < atoms.rows && !done.has(i); k++) {
      if (done.has(k) || !areOne(supports[i], supports[k], sizes[i], sizes[k])) continue;
      turn(parted, i, k);
      done.add(i).add(k);
    }
  }
  return done.size > 0 ? parted : undefined;
}

function areOne(a: Float64Array, b: Float64Array, countA: number, countB: number): boolean {
  const [few, many] = [Math.min(countA, countB), Math.max(countA, countB)];
  if (few < COMMON * many || many > TELLING * a.length || few === 0) return false;
  let both = 0;
  for (let j = 0; j < a.length; j++) both += a[j] * b[j];
  return both > COMMON * many;
}

/** Replaces a pair by (a − b)/√2 and (a + b)/√2. */
function turn(atoms: Matrix64, i: number, k: number): void {
  const [a, b] = [row(atoms, i), row(atoms, k)];
  for (let j = 0; j < a.length; j++) [a[j], b[j]] = [(a[j] - b[j]) * Math.SQRT1_2, (a[j] + b[j]) * Math.SQRT1_2];
}
