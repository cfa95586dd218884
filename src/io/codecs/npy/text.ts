/**
 * Text in .npy files: elements of equal width, padded with zeros; `U` is UTF-32 in either byte order, `S` bytes.
 */
import { InputError } from '../../../core/errors.ts';
import { latin1Text, utf16Text } from '../../bytes/text-bytes.ts';
import { swapBytes } from './dtype.ts';

export interface TextType {
  /** Bytes per element. */
  readonly width: number;
  readonly unicode: boolean;
  readonly bigEndian: boolean;
}

/** Parses a `descr` such as `<U12`; undefined if it is not of text. */
export function parseTextType(descr: string): TextType | undefined {
  const [, order, kind, digits] = /^([<>|=]?)([US])(\d+)$/.exec(descr) ?? [];
  if (kind === undefined) return undefined;
  const unicode = kind === 'U';
  return { width: Number(digits) * (unicode ? 4 : 1), unicode, bigEndian: order === '>' };
}

/** Decodes `count` elements; changes the order of `bytes`. */
export function decodeText(name: string, bytes: Uint8Array, count: number, type: TextType): string[] {
  const { width, unicode, bigEndian } = type;
  if (unicode) swapBytes(bytes, { size: 4, bigEndian });
  const decode = unicode ? fromUtf32(name) : fromBytes;
  return Array.from({ length: count }, (_, i) => decode(bytes.subarray(i * width, (i + 1) * width)));
}

function fromBytes(bytes: Uint8Array): string {
  return latin1Text(bytes.subarray(0, lengthWithoutPadding(bytes)));
}

const fromUtf32 = (name: string) => (bytes: Uint8Array) => {
  const all = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const points = all.subarray(0, lengthWithoutPadding(all));
  const units = new Uint16Array(2 * points.length);
  let length = 0;
  for (const point of points) {
    if (point > 0x10ffff) throw new InputError(`${name}: the text is damaged.`);
    if (point > 0xffff) units[length++] = 0xd7c0 + (point >> 10); // 0xd800 − (0x10000 >> 10)
    units[length++] = point > 0xffff ? 0xdc00 + (point & 0x3ff) : point;
  }
  return utf16Text(units.subarray(0, length));
};

function lengthWithoutPadding(points: Uint8Array | Uint32Array): number {
  let length = points.length;
  while (length > 0 && points[length - 1] === 0) length--;
  return length;
}
