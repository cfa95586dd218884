/** Parameters and sums as bytes, for other machines: the format of engine/workers/plain-data.ts, without shared memory. */
import { InputError } from '../core/errors.ts';
import { FlatMemory, flatBytes } from '../engine/workers/plain-data.ts';

const noNumber = (): undefined => undefined;
const noMemory = (): never => {
  throw new Error('executor: the data of a pass refers to memory of another machine.');
};

/** Whether a value can travel. */
export const canTravel = (value: unknown): boolean => Number.isFinite(flatBytes(value, noNumber));

/** `what`: for the message if it is too large or not plain data. */
export function toBytes(value: unknown, what: string, most: number): Uint8Array {
  const bytes = flatBytes(value, noNumber);
  if (!Number.isFinite(bytes)) throw new Error(`cluster: ${what} must be plain data; got something else.`);
  if (bytes > most) throw new InputError(`cluster: ${what} must be at most ${most} bytes; got ${bytes}.`);
  const memory = new ArrayBuffer(bytes);
  new FlatMemory(memory).write(value, 0, noNumber);
  return new Uint8Array(memory);
}

/** The same for a result. Where it is too large for a message, a smaller block may do: no fault of the input. */
export function resultBytes(value: unknown, what: string, most: number): Uint8Array {
  try {
    return toBytes(value, what, most);
  } catch (error) {
    throw error instanceof InputError ? new RangeError(`${what} is too large for the memory of a message`) : error;
  }
}

/** Throws if the bytes are not those of a value. */
export function fromBytes(bytes: Uint8Array): unknown {
  const own = new Uint8Array(Math.floor(bytes.length / 8) * 8);
  own.set(bytes.subarray(0, own.length)); // aligned
  return new FlatMemory(own.buffer).read(0, noMemory);
}

/** Plain data of many small objects, such as a list of files, as the bytes of a text. */
export function toText(value: unknown, what: string, most: number): Uint8Array {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  if (bytes.length > most) throw new InputError(`cluster: ${what} must be at most ${most} bytes; got ${bytes.length}.`);
  return bytes;
}

export const fromText = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));
