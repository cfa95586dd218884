/**
 * Linear assignment by shortest augmenting paths (Jonker & Volgenant 1987; rectangular: Crouse 2016), O(rows² cols).
 *
 *     minimise Σ_i c(i, column(i)),  all columns different
 *
 * The prices u (rows) and v (columns) certify optimality: u_i + v_j ≤ c_ij everywhere, with equality on the assigned
 * pairs, v ≤ 0, and v_j = 0 for every free column. Hence the cost is Σu + Σv.
 */

import { inputError } from '../core/errors.ts';
import type { Matrix64 } from '../core/matrix.ts';
import { describeEntry, firstNotFinite } from '../core/require-matrix.ts';

export interface Assignment {
  /** The column assigned to each row. */
  readonly columns: Int32Array;
  readonly rowPrices: Float64Array;
  readonly columnPrices: Float64Array;
}

/** Assigns a different column to each row at the least total cost; needs at least as many columns as rows. */
export function assign(cost: Matrix64): Int32Array {
  return assignWithPrices(cost).columns;
}

/** `assign`, with the prices that certify optimality. */
export function assignWithPrices(cost: Matrix64): Assignment {
  validate(cost);
  const { rows, cols } = cost;
  const rowPrices = new Float64Array(rows);
  const columnPrices = new Float64Array(cols);
  const columns = new Int32Array(rows).fill(-1);
  const rowOf = new Int32Array(cols).fill(-1);
  const search = createSearch(cost, rowPrices, columnPrices, rowOf);

  for (let start = 0; start < rows; start++) {
    const { sink, length, visited, distance, cameFrom } = search(start);
    rowPrices[start] += length;
    for (const j of visited) {
      const slack = length - distance[j];
      columnPrices[j] -= slack;
      rowPrices[rowOf[j]] += slack;
    }
    for (let column = sink; column !== -1; ) {
      const i = cameFrom[column];
      const freed = columns[i];
      columns[i] = column;
      rowOf[column] = i;
      column = freed;
    }
  }
  return { columns, rowPrices, columnPrices };
}

interface Path {
  /** The free column at the end of the path. */
  readonly sink: number;
  readonly length: number;
  /** Assigned columns closer than the sink. */
  readonly visited: Int32Array;
  readonly distance: Float64Array;
  /** The row before each column on its shortest path. */
  readonly cameFrom: Int32Array;
}

/** Dijkstra's search over reduced costs c − u − v ≥ 0, from an unassigned row to the nearest free column. */
function createSearch(cost: Matrix64, rowPrices: Float64Array, columnPrices: Float64Array, rowOf: Int32Array) {
  const { cols, data } = cost;
  const distance = new Float64Array(cols);
  const cameFrom = new Int32Array(cols);
  const open = new Int32Array(cols);
  const visited = new Int32Array(cols);

  return (start: number): Path => {
    distance.fill(Infinity);
    for (let j = 0; j < cols; j++) open[j] = j;
    let openCount = cols;
    let visitedCount = 0;
    let length = 0;
    let i = start;
    for (;;) {
      const base = length - rowPrices[i];
      let nearest = 0;
      let least = Infinity;
      for (let k = 0; k < openCount; k++) {
        const j = open[k];
        const through = base + data[i * cols + j] - columnPrices[j];
        if (through < distance[j]) {
          distance[j] = through;
          cameFrom[j] = i;
        }
        if (distance[j] < least || (distance[j] === least && rowOf[j] === -1)) {
          least = distance[j];
          nearest = k;
        }
      }
      const j = open[nearest];
      length = least;
      if (rowOf[j] === -1) return { sink: j, length, visited: visited.subarray(0, visitedCount), distance, cameFrom };
      visited[visitedCount++] = j;
      open[nearest] = open[--openCount];
      i = rowOf[j];
    }
  };
}

function validate({ rows, cols, data }: Matrix64): void {
  if (rows > cols) {
    throw inputError('assign', 'cost', 'at least as wide as tall', `${rows} rows and ${cols} columns`);
  }
  const bad = firstNotFinite(data);
  if (bad >= 0) throw inputError('assign', 'cost', 'finite', describeEntry({ cols, data }, bad));
}
