/** The lines of a text that may be compressed and of any size: read in pieces, a line at most as long as its budget says. */
import type { ReadBudget } from './budget.ts';
import type { ByteReader, Bytes } from './bytes.ts';
import { gunzipReader, sequentialReader } from './bytes.ts';

export interface TextContent {
  readonly name: string;
  readonly budget: ReadBudget;
  /** Reads from the first byte; can be called repeatedly. */
  reader(): ByteReader;
  close(): Promise<void>;
}

const PIECE = 1 << 20;

/** The text of a file, unpacked if `gzipped`; closing it closes `bytes`. */
export function textContent(bytes: Bytes, gzipped: boolean): TextContent {
  const reader = () => (gzipped ? gunzipReader(bytes) : sequentialReader(bytes));
  return { name: bytes.name, budget: bytes.budget, reader, close: () => bytes.close() };
}

/** The lines without their ends (LF or CRLF), in batches; the decoder removes a byte order mark. */
export async function* lineBatches({ budget, reader: open }: TextContent): AsyncGenerator<string[]> {
  const reader = open();
  const decoder = new TextDecoder();
  const piece = new Uint8Array(PIECE);
  let rest = '';
  try {
    for (;;) {
      const count = await reader.read(piece);
      const lines = decoder.decode(piece.subarray(0, count), { stream: count > 0 }).split('\n');
      lines[0] = rest + lines[0];
      rest = count === 0 ? '' : (lines.pop() ?? '');
      budget.line(rest.length);
      for (let i = 0; i < lines.length; i++) if (lines[i].endsWith('\r')) lines[i] = lines[i].slice(0, -1);
      yield lines;
      if (count === 0) return;
    }
  } finally {
    await reader.close();
  }
}
