/** Codes of one row or the first few rows, and the distribution of their values. */
import type { Dictionary, Matrix, Source } from 'orthodict/browser';

/** Distribution of the codes, in units of the root mean square of each atom's own codes. */
export interface CodeHistogram {
  /** The lower end of every bin; the first and the last also count everything beyond. */
  readonly from: readonly number[];
  /** Share of the codes in every bin. */
  readonly share: readonly number[];
  readonly width: number;
  /** Share of the codes below a quarter of the root mean square: 20 % for normal ones. */
  readonly nearZero: number;
  /** Number of rows that were read. */
  readonly rows: number;
}

const BINS = { end: 3.125, width: 0.25 };
const NEAR = 0.25;
/** Rows to read for the distribution: this many blocks of consecutive rows, spread evenly. */
const LOOK = { runs: 64, rows: 4096, codes: 1 << 20 };

export async function codesOf(source: Source, dictionary: Dictionary, start: number, end: number): Promise<Matrix> {
  return dictionary.encode(copyOf(await source.read(start, Math.min(end, source.rows))));
}

/** Copies a matrix, because a source may reuse its buffer. */
const copyOf = ({ rows, cols, data }: Matrix): Matrix => ({ rows, cols, data: data.slice() });

export async function histogramOf(source: Source, dictionary: Dictionary): Promise<CodeHistogram> {
  const pieces = await someCodes(source, dictionary);
  const { components } = dictionary;
  const sums = new Float64Array(components);
  let rows = 0;
  for (const piece of pieces) {
    piece.data.forEach((code, at) => {
      sums[at % components] += code * code;
    });
    rows += piece.rows;
  }
  const usual = sums.map((sum) => Math.sqrt(sum / rows));
  const bins = new Float64Array(Math.round((2 * BINS.end) / BINS.width));
  let [all, near] = [0, 0];
  for (const piece of pieces) {
    piece.data.forEach((code, at) => {
      const unit = usual[at % components];
      if (!(unit > 0)) return;
      const bin = Math.floor((code / unit + BINS.end) / BINS.width);
      bins[Math.min(bins.length - 1, Math.max(0, bin))]++;
      all++;
      if (Math.abs(code) < NEAR * unit) near++;
    });
  }
  return {
    from: Array.from(bins, (_, k) => k * BINS.width - BINS.end),
    share: Array.from(bins, (count) => count / Math.max(1, all)),
    width: BINS.width,
    nearZero: near / Math.max(1, all),
    rows,
  };
}

async function someCodes(source: Source, dictionary: Dictionary): Promise<Matrix[]> {
  const most = Math.max(LOOK.runs, Math.min(LOOK.rows, Math.floor(LOOK.codes / dictionary.components)));
  if (source.rows <= most) return [await codesOf(source, dictionary, 0, source.rows)];
  const run = Math.floor(most / LOOK.runs);
  const pieces: Matrix[] = [];
  for (let k = 0; k < LOOK.runs; k++) {
    const start = Math.floor((k * (source.rows - run)) / (LOOK.runs - 1));
    pieces.push(await codesOf(source, dictionary, start, start + run));
  }
  return pieces;
}
