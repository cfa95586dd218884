import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dataPackageFolder, missingDataPackage } from '#lab/data-package.ts';

it('finds the folder of an installed package', () => {
  const data = { name: 'fast-check', version: '4.10.2' };
  expect(existsSync(join(dataPackageFolder(data), 'package.json'))).toBe(true);
  expect(missingDataPackage(data)).toBeUndefined();
});

it('says what to install if it is missing', () => {
  const data = { name: 'no-such-pictures', version: '1.2.3' };
  const words =
    'the package no-such-pictures is needed for its data; install it with npm install no-such-pictures@1.2.3.';
  expect(missingDataPackage(data)).toBe(words);
  expect(() => dataPackageFolder(data)).toThrow(words);
});
