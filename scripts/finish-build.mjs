// tsc does not keep the executable bit that the package's `bin` needs.
import { chmodSync, existsSync } from 'node:fs';

const main = new URL('../dist/cli/main.js', import.meta.url);
if (existsSync(main)) chmodSync(main, 0o755);
