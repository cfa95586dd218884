/** Splits a text of any size, perhaps compressed, into lines: read in pieces, with lines limited by the budget. */
import type { Content } from './content.ts';

/** Text that can be read from its beginning, any number of times. */
export type TextContent = Pick<Content, 'name' | 'budget' | 'reader'>;

const PIECE = 1 << 20;
const LINE_FEED = 0x0a;

/** Yields the text in blocks of whole lines, without a byte order mark. Cut by bytes, so that each block is one string in memory. */
export async function* textBlocks({ budget, reader: open }: TextContent, pieceLength = PIECE): AsyncGenerator<string> {
  const reader = open();
  let decoder = new TextDecoder();
  let bytes = new Uint8Array(pieceLength);
  let kept = 0;
  try {
    for (;;) {
      if (kept === bytes.length) bytes = doubled(bytes);
      const count = kept + (await reader.read(bytes.subarray(kept)));
      const isLast = count < bytes.length;
      const end = isLast ? count : bytes.lastIndexOf(LINE_FEED) + 1;
      if (end > 0) {
        yield decoder.decode(bytes.subarray(0, end));
        decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // only the first block may begin with a mark
      }
      if (isLast) return;
      bytes.copyWithin(0, end, count);
      kept = count - end;
      budget.line(kept);
    }
  } finally {
    await reader.close();
  }
}

function doubled(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(2 * bytes.length);
  longer.set(bytes);
  return longer;
}

/** Returns the end of the line that begins at `from`: its LF, or the end of the block. */
export function lineEnd(block: string, from: number): number {
  const end = block.indexOf('\n', from);
  return end < 0 ? block.length : end;
}

/** Returns the line [from, end) without the CR of a CRLF. */
export const lineText = (block: string, from: number, end: number): string =>
  block.slice(from, end > from && block[end - 1] === '\r' ? end - 1 : end);

/** Yields the lines without their ends (LF or CRLF), in batches. */
export async function* lineBatches(content: TextContent): AsyncGenerator<string[]> {
  for await (const block of textBlocks(content)) {
    const lines: string[] = [];
    for (let from = 0, end = 0; from < block.length; from = end + 1) {
      end = lineEnd(block, from);
      lines.push(lineText(block, from, end));
    }
    yield lines;
  }
}
