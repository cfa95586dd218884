/** Converts values of a Parquet column to floats: float32 if they are half or single floats, otherwise float64. */
import type { DecodedArray } from 'hyparquet';
import type { FloatArray } from '../../../core/matrix.ts';
import { convertHalf, convertLong } from '../npy/dtype.ts';
import type { NumberType } from './footer.ts';

export const isSingle = ({ physical, half }: NumberType): boolean => physical === 'FLOAT' || half === true;

/** Converts values to floats. `values`: as hyparquet reads them from bytes of this type. */
export function floatsOf(values: DecodedArray, { scale, half, unsigned = false }: NumberType): FloatArray {
  if (scale !== undefined) return Float64Array.from(values, (value) => decimalOf(value, scale));
  if (half) return halvesOf(values as Uint8Array[]);
  if (values instanceof Float32Array || values instanceof Float64Array) return values;
  if (values instanceof BigInt64Array) {
    const out = new Float64Array(values.length);
    convertLong(new Int32Array(values.buffer, values.byteOffset, 2 * values.length), unsigned, out, 0);
    return out;
  }
  if (values instanceof Int32Array && unsigned) {
    return Float64Array.from(new Uint32Array(values.buffer, values.byteOffset, values.length));
  }
  return Float64Array.from(values as ArrayLike<number | boolean>, Number);
}

function halvesOf(values: readonly Uint8Array[]): Float32Array {
  const out = new Float32Array(values.length);
  convertHalf(
    Uint16Array.from(values, ([low, high]) => low | (high << 8)),
    out,
    0,
  );
  return out;
}

/** Largest power of ten that a float64 holds exactly. */
const EXACT_POWER = 22;

/** Returns unscaled / 10^scale, rounded once. `unscaled`: an integer, or its bytes, highest first, in two's complement. */
function decimalOf(unscaled: number | bigint | Uint8Array, scale: number): number {
  const integer = unscaled instanceof Uint8Array ? integerOf(unscaled) : unscaled;
  const number = Number(integer);
  if (Number.isSafeInteger(number) && scale <= EXACT_POWER) return number / 10 ** scale;
  return Number(`${integer}e-${scale}`);
}

function integerOf(bytes: Uint8Array): bigint {
  return BigInt.asIntN(
    8 * bytes.length,
    bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n),
  );
}
