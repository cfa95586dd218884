/** How often each word is in each document: a sparse matrix in compressed rows (CSR), and its products with dense ones. */
import { inputError } from './errors.ts';
import { type Matrix, type Matrix64, zeros } from './matrix.ts';

/** Row l has counts `data[at]` of words `indices[at]` for at from `indptr[l]` to `indptr[l + 1]`. */
export interface Counts {
  /** Documents. */
  readonly rows: number;
  /** Words of the vocabulary. */
  readonly cols: number;
  readonly data: Float64Array;
  readonly indices: Int32Array;
  /** One more than rows. */
  readonly indptr: Int32Array;
}

/** Checks that it is one. */
export function requireCounts(counts: Counts, who = 'topics', name = 'counts'): Counts {
  const { rows, cols, data, indices, indptr } = counts;
  if (!(rows > 0 && cols > 0)) throw inputError(who, name, 'at least one document and one word', `${rows} × ${cols}`);
  if (indptr.length !== rows + 1 || indptr[0] !== 0 || indptr[rows] !== data.length || indices.length !== data.length) {
    const got = `${indptr.length} row ends, ${data.length} numbers and ${indices.length} indices for ${rows} documents`;
    throw inputError(who, name, 'in compressed rows', got);
  }
  for (let l = 0; l < rows; l++) {
    if (indptr[l + 1] < indptr[l])
      throw inputError(who, name, 'in compressed rows', `row ${l} that ends before it begins`);
    for (let at = indptr[l]; at < indptr[l + 1]; at++) {
      const place = `at document ${l}, word ${indices[at]}`;
      if (!(indices[at] >= 0 && indices[at] < cols))
        throw inputError(who, name, `of words from 0 to ${cols - 1}`, place);
      if (!(data[at] >= 0 && Number.isInteger(data[at]))) {
        throw inputError(who, name, 'whole numbers, 0 or more', `${data[at]} ${place}`);
      }
    }
  }
  return counts;
}

export interface Triplet {
  readonly row: number;
  readonly col: number;
  readonly value: number;
}

/** Entries in any order; those of the same place add up. */
export function countsFromTriplets(rows: number, cols: number, entries: readonly Triplet[]): Counts {
  const indptr = new Int32Array(rows + 1);
  for (const { row } of entries) indptr[row + 1]++;
  for (let l = 0; l < rows; l++) indptr[l + 1] += indptr[l];
  const next = indptr.slice();
  const indices = new Int32Array(entries.length);
  const data = new Float64Array(entries.length);
  for (const { row, col, value } of entries) {
    indices[next[row]] = col;
    data[next[row]++] = value;
  }
  return { rows, cols, data, indices, indptr };
}

/** The non-zero numbers of a dense matrix. */
export function countsFromMatrix({ rows, cols, data }: Matrix): Counts {
  const entries: Triplet[] = [];
  for (let at = 0; at < data.length; at++) {
    if (data[at] !== 0) entries.push({ row: Math.floor(at / cols), col: at % cols, value: data[at] });
  }
  return countsFromTriplets(rows, cols, entries);
}

/** Some of the documents. */
export function selectDocuments({ cols, data, indices, indptr }: Counts, documents: readonly number[]): Counts {
  const ends = new Int32Array(documents.length + 1);
  documents.forEach((l, k) => {
    ends[k + 1] = ends[k] + indptr[l + 1] - indptr[l];
  });
  const out = { data: new Float64Array(ends[documents.length]), indices: new Int32Array(ends[documents.length]) };
  documents.forEach((l, k) => {
    out.data.set(data.subarray(indptr[l], indptr[l + 1]), ends[k]);
    out.indices.set(indices.subarray(indptr[l], indptr[l + 1]), ends[k]);
  });
  return { rows: documents.length, cols, indptr: ends, ...out };
}

/** Words of each document. */
export function documentLengths({ rows, data, indptr }: Counts): Float64Array {
  return Float64Array.from({ length: rows }, (_, l) =>
    data.subarray(indptr[l], indptr[l + 1]).reduce((sum, count) => sum + count, 0),
  );
}

/** C X, rows×m. */
export function multiplyCounts({ rows, data, indices, indptr }: Counts, X: Matrix64): Matrix64 {
  const m = X.cols;
  const out = zeros(rows, m);
  for (let l = 0; l < rows; l++) {
    for (let at = indptr[l]; at < indptr[l + 1]; at++) {
      const count = data[at];
      for (let k = 0, from = indices[at] * m, to = l * m; k < m; k++) out.data[to++] += count * X.data[from++];
    }
  }
  return out;
}

/** Cᵀ diag(weights) X, cols×m. */
export function multiplyTransposed(counts: Counts, weights: Float64Array, X: Matrix64): Matrix64 {
  const { rows, cols, data, indices, indptr } = counts;
  const m = X.cols;
  const out = zeros(cols, m);
  for (let l = 0; l < rows; l++) {
    for (let at = indptr[l]; at < indptr[l + 1]; at++) {
      const factor = data[at] * weights[l];
      for (let k = 0, to = indices[at] * m, from = l * m; k < m; k++) out.data[to++] += factor * X.data[from++];
    }
  }
  return out;
}

/** Σ_l weights_l c_l, one number per word. */
export function weightedSum({ rows, cols, data, indices, indptr }: Counts, weights: Float64Array): Float64Array {
  const out = new Float64Array(cols);
  for (let l = 0; l < rows; l++) {
    for (let at = indptr[l]; at < indptr[l + 1]; at++) out[indices[at]] += weights[l] * data[at];
  }
  return out;
}
