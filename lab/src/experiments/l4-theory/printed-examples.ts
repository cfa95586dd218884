/** The runs of MSP that the paper prints, examples 1 and 2: A_0, A_1, … to four decimals. */
import { fromRows, type Matrix64 } from 'orthodict';

export interface PrintedExample {
  /** q of the ℓq norm. */
  readonly norm: number;
  readonly iterates: readonly Matrix64[];
  /** The stretch A_0∘^(q−1), as printed. */
  readonly stretch: Matrix64;
}

export const example1: PrintedExample = {
  norm: 4,
  iterates: [
    [
      [-0.8249, 0.382, -0.4168],
      [-0.524, -0.2398, 0.8173],
      [-0.2122, -0.8925, -0.3979],
    ],
    [
      [-0.9795, 0.0621, -0.1917],
      [-0.1953, -0.0594, 0.9789],
      [-0.0494, -0.9963, -0.0703],
    ],
    [
      [-1, 0.0002, -0.0077],
      [-0.0077, -0.0003, 1],
      [-0.0002, -1, -0.0003],
    ],
    [
      [-1, 0, 0],
      [0, 0, 1],
      [0, -1, 0],
    ],
  ].map(fromRows),
  stretch: fromRows([
    [-0.5613, 0.0557, -0.0724],
    [-0.1439, -0.0138, 0.5459],
    [-0.0096, -0.7109, -0.063],
  ]),
};

export const example2: PrintedExample = {
  norm: 10,
  iterates: [
    [
      [-0.6142, 0.3943, 0.6836],
      [-0.2039, 0.7575, -0.6201],
      [0.7623, 0.5203, 0.3849],
    ],
    [
      [-0.2657, 0.0908, 0.9598],
      [-0.015, 0.995, -0.0983],
      [0.9639, 0.0406, 0.263],
    ],
    [
      [0, 0, 1],
      [0, 1, 0],
      [1, 0, 0],
    ],
  ].map(fromRows),
  stretch: fromRows([
    [-0.0124, 0.0002, 0.0326],
    [0, 0.0821, -0.0136],
    [0.087, 0.0028, 0.0002],
  ]),
};
