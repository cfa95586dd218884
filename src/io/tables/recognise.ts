/** Recognises formats by their first bytes. */
import type { Bytes } from '../bytes/bytes.ts';
import { latin1Text } from '../bytes/text-bytes.ts';

/** First bytes of files of these formats. Text can begin with anything. */
const BEGINNINGS = { npy: '\x93NUMPY', npz: 'PK\x03\x04', parquet: 'PAR1' } as const;

/** Detects the format by the first bytes; undefined if they are of none of these. */
export async function recognisedFormat(bytes: Bytes): Promise<keyof typeof BEGINNINGS | undefined> {
  const head = new Uint8Array(Math.min(8, bytes.byteLength));
  await bytes.readAt(head, 0);
  const text = latin1Text(head);
  const found = Object.entries(BEGINNINGS).find(([, beginning]) => text.startsWith(beginning));
  return found?.[0] as keyof typeof BEGINNINGS | undefined;
}
