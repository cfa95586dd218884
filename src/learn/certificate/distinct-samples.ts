/**
 * Samples that count as evidence. Multiples of one sample are the same evidence and count once. Samples that use a single atom are
 * multiples of each other by nature. They all count if the data has samples that use more, and none of these is repeated.
 */
import type { Matrix64, Precision } from '../../core/matrix.ts';

/** Two samples of length 1 closer than this are the same. */
const SAME = { f32: 1e-5, f64: 1e-9 };

/** Fewest samples with several atoms that can show that samples are not repeated. */
const FEWEST_RICH = 10;

/** Returns which of the `samples` (columns of `codes`, K×p) count, in their order. */
export function distinctSamples(
  codes: Matrix64,
  samples: readonly number[],
  isZero: (atom: number, sample: number) => boolean,
  precision: Precision,
): readonly number[] {
  const classes = multiplesOf(codes, samples, SAME[precision]);
  const usesSeveral = (j: number): boolean => {
    let used = 0;
    for (let i = 0; i < codes.rows && used < 2; i++) if (!isZero(i, j)) used++;
    return used > 1;
  };
  const rich = classes.filter(([first]) => usesSeveral(first));
  const isVaried = rich.length >= FEWEST_RICH && rich.every((same) => same.length === 1);
  return isVaried ? samples : classes.map(([first]) => first).sort((a, b) => a - b);
}

/** Samples of nearly the same angle are compared: within this many times `SAME`. */
const NEAR = 100;

/** Groups samples by direction. */
function multiplesOf({ rows: K, cols: p, data }: Matrix64, samples: readonly number[], same: number): number[][] {
  const angles = new Float64Array(p);
  const norms = new Float64Array(p);
  for (const j of samples) {
    // multiples have the same angle in any plane; this one is arbitrary
    let [x, y, squares] = [0, 0, 0];
    for (let i = 0; i < K; i++) {
      const code = data[i * p + j];
      x += Math.cos(1 + i * i) * code;
      y += Math.sin(1 + i * i) * code;
      squares += code * code;
    }
    angles[j] = x === 0 ? 0 : Math.atan(y / x);
    norms[j] = Math.sqrt(squares);
  }
  const areSame = (a: number, b: number): boolean => {
    let inner = 0;
    for (let i = 0; i < K; i++) inner += data[i * p + a] * data[i * p + b];
    const scale = (Math.sign(inner) * norms[a]) / norms[b];
    let squares = 0;
    for (let i = 0; i < K; i++) squares += (data[i * p + a] - scale * data[i * p + b]) ** 2;
    return Math.sqrt(squares) < same * norms[a];
  };
  const classes: number[][] = [];
  let near = 0; // classes from here on have nearly the angle
  for (const j of [...samples].sort((a, b) => angles[a] - angles[b])) {
    while (near < classes.length && angles[j] - angles[classes[near][0]] > NEAR * same) near++;
    let at = near;
    while (at < classes.length && !areSame(classes[at][0], j)) at++;
    if (at < classes.length) classes[at].push(j);
    else classes.push([j]);
  }
  return classes;
}
