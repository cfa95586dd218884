/** Data packages: too large to ship with orthodict, found where the user installed them. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InputError } from '../../core/errors.ts';

export interface DataPackage {
  readonly name: string;
  /** The version this code was tested with. */
  readonly version: string;
}

/** The package's folder: beside orthodict, or where the command is run. */
export function dataPackageFolder(data: DataPackage): string {
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      return dirname(createRequire(from).resolve(`${data.name}/package.json`));
    } catch {
      // not here: look in the next place
    }
  }
  throw new InputError(
    `the package ${data.name} is needed for its data; install it with npm install ${data.name}@${data.version}.`,
  );
}

/** How to install the package, if it is missing. */
export function missingDataPackage(data: DataPackage): string | undefined {
  try {
    dataPackageFolder(data);
    return undefined;
  } catch (error) {
    return (error as InputError).message;
  }
}
