/** Packages that hold data: too large to come along, found where the user has installed them. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InputError } from '../../core/errors.ts';

export interface DataPackage {
  readonly name: string;
  /** The one that was looked into. */
  readonly version: string;
}

/** Its folder: beside orthodict, or where the command is run. */
export function dataPackageFolder(data: DataPackage): string {
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      return dirname(createRequire(from).resolve(`${data.name}/package.json`));
    } catch {
      // not there: look in the next place
    }
  }
  throw new InputError(
    `the package ${data.name} is needed for its data; npm install ${data.name}@${data.version} installs it.`,
  );
}

/** What to do about it, where it is not installed. */
export function missingDataPackage(data: DataPackage): string | undefined {
  try {
    dataPackageFolder(data);
    return undefined;
  } catch (error) {
    return (error as InputError).message;
  }
}
