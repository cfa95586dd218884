/** Lists what a process loads: files of the bundle, and the modules of src/ inside them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { start } from './run.ts';

export interface Loaded {
  /** Names of files in dist/, such as `cli/main.js`. */
  readonly files: readonly string[];
  /** `src/cli/main.ts`, and `node_modules/…` of packages that are bundled. */
  readonly modules: readonly string[];
  /** Packages that are not bundled. */
  readonly packages: readonly string[];
}

/** Runs `node script args…`, which must succeed. Node's coverage files show what was loaded. */
export async function loadedBy(script: string, args: readonly string[]): Promise<Loaded> {
  const folder = mkdtempSync(join(tmpdir(), 'orthodict-loaded-'));
  try {
    const { code, stderr } = await start(script, args, undefined, { NODE_V8_COVERAGE: folder }).finished;
    if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
    const urls = new Set(readdirSync(folder).flatMap((name) => urlsIn(join(folder, name))));
    const paths = [...urls].filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
    const ours = paths.filter((path) => !path.includes('node_modules'));
    return {
      files: ours.map((path) => path.replaceAll('\\', '/').replace(/.*\/dist\//, '')).toSorted(),
      modules: ours.flatMap(modulesIn).toSorted(),
      packages: [...new Set(paths.flatMap((path) => /node_modules[\\/]([^\\/]+)/.exec(path)?.[1] ?? []))].toSorted(),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** There is one file per thread. */
const urlsIn = (path: string): string[] =>
  (JSON.parse(readFileSync(path, 'utf8')) as { result: { url: string }[] }).result.map(({ url }) => url);

/** Finds the modules in a file: the bundler puts a comment with its name before each. */
const modulesIn = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^\/\/ ((?:src|node_modules)\/\S+)$/gm)].map((match) => match[1]);
