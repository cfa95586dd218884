// Removes dist/, so that files of modules that no longer exist do not stay in the package.
import { rmSync } from 'node:fs';

rmSync(new URL('../dist/', import.meta.url), { recursive: true, force: true });
