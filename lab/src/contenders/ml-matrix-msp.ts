/** Plain MSP with ml-matrix, the obvious choice for a JavaScript user: float64, one thread, polar factor by SVD. */
import type { Matrix64 } from 'orthodict';
import { createRandom, randomOrthogonal, row } from 'orthodict/extend';
import type { Contender, Snapshot, Task } from './contender.ts';

const ITERATIONS = 60;
/** At n=100, p=40k an iteration takes 4 seconds. */
const MOST_FEATURES = 25;

const load = () => import('ml-matrix');
type Library = Awaited<ReturnType<typeof load>>;

export const mlMatrixMsp: Contender = {
  name: 'ml-matrix MSP',
  ours: false,
  excuse: ({ features }) =>
    features > MOST_FEATURES ? `runs up to n=${MOST_FEATURES} only: at n=100 a run takes about 4 minutes` : undefined,
  async open() {
    const library = await load().catch(() => undefined);
    if (!library) return { missing: 'the npm package ml-matrix is not installed' };
    return { description: 'ml-matrix, 1 thread', run: (task) => run(library, task), async close() {} };
  },
};

async function run({ Matrix, SingularValueDecomposition }: Library, task: Task): Promise<Snapshot[]> {
  const rowsOf = (matrix: Matrix64) => Array.from({ length: matrix.rows }, (_, i) => row(matrix, i));
  const Y = new Matrix(rowsOf(task.given.samples));
  let A = new Matrix(rowsOf(randomOrthogonal(Y.columns, createRandom(task.seed, 'bench start'))));
  const snapshots: Snapshot[] = [];
  let seconds = 0;
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    await new Promise((resolve) => setImmediate(resolve));
    task.signal.throwIfAborted();
    const started = performance.now();
    const X = Y.mmul(A.transpose());
    const { leftSingularVectors: U, rightSingularVectors: V } = new SingularValueDecomposition(
      Matrix.pow(X, 3).transpose().mmul(Y),
    );
    A = U.mmul(V.transpose());
    seconds += (performance.now() - started) / 1000;
    const atoms = { rows: A.rows, cols: A.columns, data: Float64Array.from(A.to1DArray()) };
    snapshots.push({ seconds, found: { atoms } });
  }
  return snapshots;
}
