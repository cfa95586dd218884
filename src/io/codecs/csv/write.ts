/** Writes numbers as text: a line of names, then one line per row. Numbers are read back exactly. */
import type { FloatArray } from '../../../core/matrix.ts';

export interface NamedRows {
  readonly names: readonly string[];
  /** Numbers row by row, in pieces of whole rows. */
  readonly pieces: AsyncIterable<FloatArray> | Iterable<FloatArray>;
}

/** Yields the bytes of the text. `separator`: of fields, a comma or a tab. */
export async function* csvChunks(
  { names, pieces }: NamedRows,
  separator = ',',
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  yield encoder.encode(`${names.map((name) => field(name, separator)).join(separator)}\n`);
  for await (const piece of pieces) yield encoder.encode(textOf(piece, names.length, separator));
}

const field = (name: string, separator: string): string =>
  name.includes(separator) || /["\r\n]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;

function textOf(piece: FloatArray, cols: number, separator: string): string {
  const shown = piece instanceof Float32Array ? shortest : String;
  let text = '';
  for (let at = 0; at < piece.length; at += cols) {
    for (let k = 0; k < cols; k++) text += (k > 0 ? separator : '') + shown(piece[at + k]);
    text += '\n';
  }
  return text;
}

/** Formats a float32: nine digits distinguish any two floats; most need fewer. */
function shortest(value: number): string {
  const few = Number(value.toPrecision(7));
  return String(Math.fround(few) === value ? few : Number(value.toPrecision(9)));
}
