/** Parameters and sums as bytes, for other machines: the format of engine/workers/plain-data.ts, without shared memory. */
import { InputError } from '../core/errors.ts';
import { noReference, PlainDataMemory, plainDataBytes } from '../engine/workers/plain-data.ts';

const noMemory = (): never => {
  throw new Error('executor: the data of a pass refers to memory of another machine.');
};

/** Whether a value can be sent to another machine. */
export const canTravel = (value: unknown): boolean => Number.isFinite(plainDataBytes(value, noReference));

/** Encodes a value. `what`: for the message if it is too large or not plain data. */
export function toBytes(value: unknown, what: string, most: number): Uint8Array {
  const bytes = plainDataBytes(value, noReference);
  if (!Number.isFinite(bytes)) throw new Error(`cluster: ${what} must be plain data; got something else.`);
  if (bytes > most) throw new InputError(`cluster: ${what} must be at most ${most} bytes; got ${bytes}.`);
  const memory = new ArrayBuffer(bytes);
  new PlainDataMemory(memory).write(value, 0, noReference);
  return new Uint8Array(memory);
}

/** Encodes a result. One that is too large is not the fault of the input: that of a smaller block may fit. */
export function resultBytes(value: unknown, what: string, most: number): Uint8Array {
  try {
    return toBytes(value, what, most);
  } catch (error) {
    throw error instanceof InputError ? new RangeError(`${what} is too large for the memory of a message`) : error;
  }
}

/** Decodes a value; throws if the bytes are not those of one. */
export function fromBytes(bytes: Uint8Array): unknown {
  const own = new Uint8Array(Math.floor(bytes.length / 8) * 8);
  own.set(bytes.subarray(0, own.length)); // aligned
  return new PlainDataMemory(own.buffer).read(0, noMemory);
}

/** Encodes plain data of many small objects, such as a list of files, as text. */
export function toText(value: unknown, what: string, most: number): Uint8Array {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  if (bytes.length > most) throw new InputError(`cluster: ${what} must be at most ${most} bytes; got ${bytes.length}.`);
  return bytes;
}

export const fromText = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));
