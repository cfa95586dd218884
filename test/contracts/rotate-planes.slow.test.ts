/** Rotating rows in planes, for every implementation of the kernels: the reference is the oracle. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Matrix, type Precision, row } from '#src/core/matrix.ts';
import { createRandom, normalMatrix, type Random } from '#src/core/random.ts';
import type { Kernels, PlaneRows } from '#src/kernels/kernels.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { planeRows } from '#src/kernels/wasm/plane-rows.ts';
import { backendNames, createBackend, testCompiled, whyNot } from '../kernels/backends.ts';
import { planesBounds, violation } from '../kernels/bounds.ts';

const seed = Number(process.env.ORTHODICT_TEST_SEED ?? 5);
const runs = { numRuns: 30 };
const size = fc.constantFrom(1, 2, 3, 5, 7, 8, 13, 16, 17, 31);
/** Around the edges of vectors, of lines of a cache and of chunks. */
const columns = fc.constantFrom(1, 2, 3, 5, 8, 17, 100, 255, 256, 257, 505, 512, 513, 1030);
const dataSeed = fc.integer({ min: 0, max: 2 ** 31 });

const inPrecision = (matrix: Matrix, as: Precision): Matrix => ({
  ...matrix,
  data: as === 'f32' ? Float32Array.from(matrix.data) : Float64Array.from(matrix.data),
});
const normals = (rows: number, cols: number, random: Random, as: Precision): Matrix =>
  inPrecision(normalMatrix(rows, cols, random), as);

describe.each(backendNames.filter((name) => !whyNot[name]))('kernels %s', (name) => {
  let kernels: Kernels;
  beforeAll(async () => {
    kernels = await createBackend(name);
  });

  describe.each([
    ['quartic', 'f64'],
    ['quartic', 'f32'],
    ['cubic', 'f64'],
    ['cubic', 'f32'],
  ] as const)('rotatePlanes, %s, %s', (sums, as) => {
    const somePlanes = (rows: number, count: number, random: Random): [number, number][] =>
      Array.from({ length: rows > 1 ? count : 0 }, () => {
        const i = random.integer(rows);
        return [i, (i + 1 + random.integer(rows - 1)) % rows];
      });
    /** Rotates by angles that do not depend on the sums, leaving out some; returns all sums. */
    const rotate = (by: Kernels, rows: PlaneRows, planes: readonly [number, number][]): number[][] => {
      const found: number[][] = [];
      const choose = (given: Float64Array) => {
        const k = found.push([...given]);
        return k % 4 === 0 ? undefined : ([Math.cos(k), Math.sin(k)] as const);
      };
      by.rotatePlanes({ rows, planes, sums, choose });
      return found;
    };
    const copyOf = (X: Matrix): Matrix => ({ ...X, data: X.data.slice() });
    const inSharedMemory = (X: Matrix): PlaneRows => {
      const rows = planeRows(X.rows, X.cols, as);
      for (let i = 0; i < X.rows; i++) row(rows, i).set(row(X, i));
      return rows;
    };

    test('agrees for any number of columns and planes', () => {
      const count = fc.constantFrom(0, 1, 2, 5, 10, 40);
      const property = (rows: number, cols: number, planes: number, data: number) => {
        const random = createRandom(data, 'planes');
        const X = normals(rows, cols, random, as);
        const [rotated, expected] = [copyOf(X), inPrecision(X, 'f64')];
        const pairs = somePlanes(rows, planes, random);
        const [found, wanted] = [rotate(kernels, rotated, pairs), rotate(referenceKernels, expected, pairs)];
        expect(found.map(({ length }) => length)).toEqual(pairs.map(() => (sums === 'cubic' ? 4 : 3)));
        const { entries, powers } = planesBounds(X, pairs.length, sums, as);
        expect(violation(rotated.data, expected.data, entries)).toBeUndefined();
        expect(violation(found.flat(), wanted.flat(), found.flat().fill(powers))).toBeUndefined();
      };
      fc.assert(fc.property(size, columns, count, dataSeed, property), runs);
    });

    test('has the same bits in shared WebAssembly memory, whose columns beyond the last stay zero', () => {
      const property = (rows: number, cols: number, data: number) => {
        const random = createRandom(data, 'shared memory');
        const rotated = normals(rows, cols, random, as);
        const shared = inSharedMemory(rotated);
        expect(shared.memory).toBeDefined();
        const pairs = somePlanes(rows, 20, random);
        expect(rotate(kernels, shared, pairs)).toEqual(rotate(kernels, rotated, pairs));
        for (let i = 0; i < rows; i++) {
          expect(
            row(shared, i)
              .subarray(0, cols)
              .every((x, l) => x === row(rotated, i)[l]),
          ).toBe(true);
          expect(
            row(shared, i)
              .subarray(cols)
              .every((x) => x === 0),
          ).toBe(true);
        }
      };
      fc.assert(fc.property(size, columns, dataSeed, property), runs);
    });

    test('touches the rows of its planes only, in shared memory and in the middle of a buffer too', () => {
      const X = normals(5, 70, createRandom(seed, 'rows'), as);
      const buffer = new SharedArrayBuffer(8 * 353);
      const shared = as === 'f32' ? new Float32Array(buffer, 12, 350) : new Float64Array(buffer, 24, 350);
      shared.set(X.data);
      const rotated = copyOf(X);
      const planes: [number, number][] = [[3, 1]];
      expect(rotate(kernels, { ...X, data: shared }, planes)).toEqual(rotate(kernels, rotated, planes));
      expect(Array.from(shared)).toEqual(Array.from(rotated.data));
      const changed = [0, 1, 2, 3, 4].filter((i) => row(rotated, i).some((x, l) => x !== row(X, i)[l]));
      expect(changed).toEqual([1, 3]);
    });

    test('a NaN stays in its rows', () => {
      const X = normals(4, 300, createRandom(seed, 'nan'), as);
      X.data[299] = Number.NaN;
      for (const rows of [X, inSharedMemory(X)]) {
        const found = rotate(kernels, rows, [
          [0, 1],
          [2, 3],
        ]);
        expect(found[0].some(Number.isNaN)).toBe(true);
        expect([...row(rows, 2), ...row(rows, 3), ...found[1]].every(Number.isFinite)).toBe(true);
      }
    });

    testCompiled(name)('rows taken in pieces give the same bits', async () => {
      const random = createRandom(seed, 'pieces');
      const X = normals(9, 600, random, as);
      const planes = somePlanes(9, 30, random);
      const whole = copyOf(X);
      const sumsOfWhole = rotate(kernels, whole, planes);
      for (const rows of [1, 2, 5]) {
        const rotated = copyOf(X);
        expect(rotate(await createBackend(name, rows * 600 * X.data.BYTES_PER_ELEMENT), rotated, planes)).toEqual(
          sumsOfWhole,
        );
        expect(rotated).toEqual(whole);
      }
    });
  });
});
