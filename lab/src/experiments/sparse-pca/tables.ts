/**
 * Tables that come with scikit-learn: a line of counts and names, then a line per sample, its features and its class.
 * Every feature is divided by its standard deviation.
 */
import { readFile } from 'node:fs/promises';
import { fromRows, type Matrix64 } from 'orthodict';
import { range, scaleRows, transpose } from 'orthodict/extend';
import { type DataPackage, dataPackageFile } from '../../data-package.ts';

const scikitLearn = (file: string): DataPackage => ({
  name: 'python3-sklearn',
  version: '1.2.1',
  debian: `usr/lib/python3/dist-packages/sklearn/datasets/data/${file}`,
});

export const cancer: DataPackage = scikitLearn('breast_cancer.csv');
export const wine: DataPackage = scikitLearn('wine_data.csv');

export async function readTable(data: DataPackage): Promise<Matrix64> {
  const [, ...lines] = (await readFile(dataPackageFile(data), 'utf8')).trim().split('\n');
  const samples = fromRows(lines.map((line) => line.split(',').slice(0, -1).map(Number)));
  const features = transpose(samples);
  return transpose(
    scaleRows(
      features,
      range(features.rows).map(
        (k) => 1 / deviationOf(features.data.subarray(k * features.cols, (k + 1) * features.cols)),
      ),
    ),
  );
}

function deviationOf(values: Float64Array): number {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  return Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length);
}
