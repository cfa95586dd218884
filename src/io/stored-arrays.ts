/**
 * Checks arrays from a file before anything is built from them: numbers, finite, of the expected dimensions, and of
 * sizes that agree with each other. A size is a number, or a letter that stands for the same number in every array of the file: the
 * first array with it sets the number.
 */
import { InputError } from '../core/errors.ts';
import type { FloatArray, Matrix } from '../core/matrix.ts';
import { describeEntry, firstNotFinite } from '../core/require-matrix.ts';
import { shapeText } from './codecs/npy/header.ts';
import type { NpyArray } from './codecs/npy/npy.ts';

type Size = number | string;

export class StoredArrays {
  readonly #path: string;
  readonly #arrays: ReadonlyMap<string, NpyArray>;
  /** Size of each letter, and the name of the array that set it. */
  readonly #sizes = new Map<string, { readonly size: number; readonly from: string }>();

  constructor(path: string, arrays: ReadonlyMap<string, NpyArray>) {
    this.#path = path;
    this.#arrays = arrays;
  }

  /** Returns a matrix. `sizes`: of rows and columns. */
  matrix(name: string, rows: Size, cols: Size): Matrix | undefined {
    const array = this.#numbers(name, 'a matrix', [rows, cols]);
    if (!array) return undefined;
    const matrix = { rows: array.shape[0], cols: array.shape[1], data: array.data };
    const bad = firstNotFinite(matrix.data);
    if (bad >= 0) throw this.#refusal(name, 'finite', describeEntry(matrix, bad));
    return matrix;
  }

  vector(name: string, length: Size): Float64Array | undefined {
    const array = this.limits(name, length);
    const bad = array ? firstNotFinite(array) : -1;
    if (bad >= 0) throw this.#refusal(name, 'finite', `${array![bad]} at ${bad}`);
    return array;
  }

  /** Returns a vector that may be infinite. */
  limits(name: string, length: Size): Float64Array | undefined {
    const array = this.#numbers(name, 'a vector', [length]);
    return array && Float64Array.from(array.data);
  }

  /** Returns a single text. */
  text(name: string): string | undefined {
    const array = this.#arrays.get(name);
    if (!array) return undefined;
    const [text] = array.data;
    if (typeof text === 'string' && array.data.length === 1) return text;
    throw this.#refusal(name, 'one text', describe(array));
  }

  #numbers(
    name: string,
    kind: string,
    sizes: readonly Size[],
  ): { shape: readonly number[]; data: FloatArray } | undefined {
    const array = this.#arrays.get(name);
    if (!array) return undefined;
    const { shape, data } = array;
    if (Array.isArray(data) || shape.length !== sizes.length) {
      throw this.#refusal(name, `${kind} of numbers`, describe(array));
    }
    sizes.forEach((size, axis) => {
      const known = typeof size === 'number' ? { size, from: '' } : this.#sizes.get(size);
      if (known && known.size !== shape[axis]) {
        const wanted = sizes.map((each) => (typeof each === 'number' ? each : (this.#sizes.get(each)?.size ?? each)));
        const like = known.from && `, like ${known.from}`;
        throw this.#refusal(name, `of shape ${wanted.join(' × ')}${like}`, shape.join(' × '));
      }
      if (typeof size === 'string') this.#sizes.set(size, known ?? { size: shape[axis], from: name });
    });
    return { shape, data };
  }

  #refusal(name: string, mustBe: string, got: string): InputError {
    return new InputError(`${this.#path}:${name} must be ${mustBe}; got ${got}.`);
  }
}

const describe = ({ dtype, shape }: NpyArray): string => `${dtype} (${shapeText(shape)})`;
