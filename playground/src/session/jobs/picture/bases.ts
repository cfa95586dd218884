/** The two bases that a learned one is compared with, and how sparse codes are in a basis. */
import type { Matrix, Matrix64 } from 'orthodict';
import { dctAtoms, type Kernels } from 'orthodict/extend';

/** An orthogonal basis of colours for the cosine transform: brightness, red to blue, green to purple. */
const COLOURS = [
  [1, 1, 1].map((x) => x / Math.sqrt(3)),
  [1, 0, -1].map((x) => x / Math.sqrt(2)),
  [1, -2, 1].map((x) => x / Math.sqrt(6)),
];

/** The cosine transform of square patches; in colour, applied to brightness and two differences. */
export function cosines(side: number, channels: 1 | 3): Matrix64 {
  const plain = dctAtoms(side, side);
  if (channels === 1) return plain;
  const pixels = side * side;
  const n = channels * pixels;
  const data = new Float64Array(n * n);
  for (let wave = 0; wave < pixels; wave++) {
    COLOURS.forEach((parts, colour) => {
      const row = (wave * channels + colour) * n;
      for (let pixel = 0; pixel < pixels; pixel++) {
        const height = plain.data[wave * pixels + pixel];
        parts.forEach((part, c) => {
          data[row + pixel * channels + c] = height * part;
        });
      }
    });
  }
  return { rows: n, cols: n, data };
}

/** Subtracts the mean of each channel from every sample. */
export function withoutMeans(samples: Matrix<Float32Array>, channels: number): Matrix<Float32Array> {
  const { rows, cols } = samples;
  const data = samples.data.slice();
  for (let j = 0; j < rows; j++) {
    for (let c = 0; c < channels; c++) {
      const [first, end] = [j * cols + c, (j + 1) * cols];
      let sum = 0;
      for (let k = first; k < end; k += channels) sum += data[k];
      for (let k = first; k < end; k += channels) data[k] -= (sum * channels) / cols;
    }
  }
  return { rows, cols, data };
}

/** Computes Σ |x|^q over the codes of all samples: in orthogonal bases, the larger, the sparser. */
export function normOfCodes(samples: Matrix, atoms: Matrix64, q: number, kernels: Kernels): number {
  const codes = kernels.project(samples, atoms, { scale: 1 }, 'f32');
  let sum = 0;
  for (let k = 0; k < codes.data.length; k++) sum += Math.abs(codes.data[k]) ** q;
  return sum;
}
