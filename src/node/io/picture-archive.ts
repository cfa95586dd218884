/**
 * Stores compressed pictures in .npz files, deflated. For plane 1 (and 2 and 3 of a colour picture): `atoms1` (int8, side²×side²), `means1`
 * (int16, one for each tile) and `codes1` (int8 or int16, side²×tiles); and `meta`, JSON text. NumPy reads them without pickle.
 */

import { zipSync } from 'fflate';
import * as v from 'valibot';
import { InputError } from '../../core/errors.ts';
import { requireFileName, requireObject } from '../../core/require-matrix.ts';
import { parseJson } from '../../io/codecs/json.ts';
import { type NpyOutput, type NumberArray, npyBytes, npyText } from '../../io/codecs/npy/write.ts';
import { StoredArrays } from '../../io/stored-arrays.ts';
import type { CompressedPicture, CompressedPlane } from '../../pictures/compress.ts';
import { patchPlaces } from '../../pictures/patch-grid.ts';
import { readArrays } from './arrays.ts';
import { writeAtomically } from './atomic-write.ts';

const FORMAT = 'picture 1';
const LARGEST_SIDE = 1 << 16;
const side = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LARGEST_SIDE));
const metaSchema = v.object({
  format: v.literal(FORMAT),
  width: side,
  height: side,
  bits: v.picklist([8, 16, 32]),
  side: v.pipe(side, v.minValue(2), v.maxValue(32)),
  step: v.pipe(v.number(), v.minValue(1e-6), v.maxValue(1e6)),
  planes: v.picklist([1, 3]),
});

/** Writes a compressed picture; returns the bytes of the file. */
export async function savePicture(path: string, picture: CompressedPicture): Promise<number> {
  requireFileName('savePicture', path);
  requireObject('savePicture', 'picture', picture, 'what compressPicture returned', ['planes', 'side']);
  const { planes, ...meta } = picture;
  const n = picture.side ** 2;
  const arrays: [string, NpyOutput][] = [
    ['meta', npyText(JSON.stringify({ format: FORMAT, ...meta, planes: planes.length }))],
  ];
  for (const [k, { atoms, means, codes }] of planes.entries()) {
    arrays.push([`atoms${k + 1}`, npyBytes([n, n], atoms)]);
    arrays.push([`means${k + 1}`, npyBytes([means.length], means)]);
    arrays.push([`codes${k + 1}`, npyBytes([n, means.length], narrow(codes))]);
  }
  const files: Record<string, Uint8Array> = {};
  for (const [name, { chunks }] of arrays) files[`${name}.npy`] = await bytesOf(chunks);
  const bytes = zipSync(files, { level: 9, mtime: new Date(1980, 0, 1) });
  await writeAtomically(path, [bytes]);
  return bytes.byteLength;
}

async function bytesOf(chunks: NpyOutput['chunks']): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return new Uint8Array(Buffer.concat(parts));
}

/** Narrows codes to a byte, which is enough for most. */
const narrow = (codes: Int16Array): NumberArray =>
  codes.every((code) => Math.abs(code) <= 127) ? Int8Array.from(codes) : codes;

/** Reads a picture that `savePicture` wrote. */
export async function loadPicture(path: string): Promise<CompressedPicture> {
  if (!/\.npz$/i.test(path)) throw new InputError(`${path}: a compressed picture must be an .npz file.`);
  const stored = new StoredArrays(path, await readArrays(path));
  const parsed = v.safeParse(metaSchema, parseJson(`${path}:meta`, stored.text('meta') ?? 'null'));
  if (!parsed.success) {
    throw new InputError(
      `${path}: must be a picture written by orthodict image compress; got ${parsed.issues[0].message}.`,
    );
  }
  const { format: _, planes, ...meta } = parsed.output;
  const tiles = patchPlaces(path, meta, { width: meta.side, stride: meta.side }).count;
  return {
    ...meta,
    planes: Array.from({ length: planes }, (_, k) => planeOf(path, stored, k + 1, meta.side ** 2, tiles)),
  };
}

function planeOf(path: string, stored: StoredArrays, k: number, n: number, tiles: number): CompressedPlane {
  const atoms = stored.matrix(`atoms${k}`, n, n);
  const means = stored.vector(`means${k}`, tiles);
  const codes = stored.matrix(`codes${k}`, n, tiles);
  if (!atoms || !means || !codes)
    throw new InputError(`${path}: must have the arrays atoms${k}, means${k} and codes${k}.`);
  return { atoms: Int8Array.from(atoms.data), means: Int16Array.from(means), codes: Int16Array.from(codes.data) };
}
