// Bundles what Node runs (the command line, both entries of the library, the threads) into few files: loading two hundred
// modules takes longer than a small problem. The modules stay next to the bundle, for tests and for bundlers, which drop
// unused code. All entries are bundled at once: they share one copy of every class and of the table of passes.
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const { peerDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** Modules found by address, as in `new URL('./thread-worker.js', import.meta.url)`, keep their names. */
const ENTRIES = {
  'cli/main': 'src/cli/main.ts',
  'bundle/index': 'src/index.ts',
  'bundle/node': 'src/node/index.ts',
  'bundle/extend': 'src/extend.ts',
  'bundle/cluster': 'src/distributed/index.ts',
  ...Object.fromEntries(modulesByAddress().map((path) => [`bundle/${basename(path, '.ts')}`, path])),
};

function modulesByAddress() {
  const files = readdirSync(`${root}src`, { recursive: true, withFileTypes: true }).filter(
    (file) => file.isFile() && !file.parentPath.startsWith(join(root, 'src/browser')), // not for Node
  );
  return files.flatMap(({ name, parentPath }) => {
    const addresses = readFileSync(join(parentPath, name), 'utf8').matchAll(
      /new URL\('\.\/([\w-]+)\.js', import\.meta\.url\)/g,
    );
    return [...addresses].map(([, module]) => relative(root, join(parentPath, `${module}.ts`)));
  });
}

/**
 * Files, cut by what is needed together, lowest first: a thread loads the first two, `learn` all but the last
 * two and those for Parquet. Imports of src/ point one way, so these files do not import each other in a circle.
 */
const FILES = {
  base: /\/src\/core\/(errors|printable)|\/src\/io\/bytes\/spec/,
  engine:
    /\/src\/(core|kernels|linalg|engine|passes|dictionaries(?!\/factoring))\/|\/src\/node\/threads\/(?!thread-worker|native\/blas-trial)/,
  commander: /\/commander\/|\/src\/cli\/terminal\/(output|interrupt|help-form)\.ts/,
  learning: /\/src\/(rotations|dictionaries|learn)\//,
  parquet: /\/node_modules\/(hyparquet|hysnappy|fzstd)/,
  storage: /\/src\/io\/(?!codecs\/picture\/(table|array))|\/src\/node\/(io\/(?!picture-|checkpoint)|chart|run)/,
  terminal: /\/src\/cli\/(terminal\/(?!files)|charts\/chart\.ts)/,
  pictures:
    /\/src\/pictures\/(colour|gallery|labelled-gallery|patch-grid|patches|picture|png)\.ts|\/src\/io\/codecs\/picture\/|\/src\/node\/io\/picture-/,
  models: /\/src\/(metrics|synthetic|models|pictures)\//,
};

/** Removes commander's code for subcommands that are separate programs: there are none here. */
const noPrograms = {
  name: 'no-programs',
  resolveId: (id, importer = '') =>
    id === 'node:child_process' && /[\\/]commander[\\/]/.test(importer) ? '\0none' : null,
  load: (id) => (id === '\0none' ? 'module.exports = {};' : null),
};

/**
 * Puts the kernels, their code and their text, into the engine's file for Node, which always needs them. In a page they are
 * separate files, so that the page appears first.
 */
const kernelsInside = {
  name: 'kernels-inside',
  transform(code, id) {
    if (!/[\\/](kernels[\\/]wasm[\\/]compile|kernels[\\/]select|threads[\\/]kernels)\.ts$/.test(id)) return null;
    const paths = [];
    const inside = code.replace(/import\(('[^']+')\)/g, (_, path) => `Promise.resolve(kernels${paths.push(path)})`);
    if (paths.length === 0) throw new Error(`bundle: ${id} must import the kernels.`);
    return `${paths.map((path, k) => `import * as kernels${k + 1} from ${path};`).join('\n')}\n${inside}`;
  },
};

const groups = Object.entries(FILES).map(([name, pattern], k, all) => ({
  name,
  test: (id) => pattern.test(id.replaceAll('\\', '/')),
  priority: all.length - k,
}));

const build = await rolldown({
  cwd: root,
  input: ENTRIES,
  platform: 'node',
  plugins: [noPrograms, kernelsInside],
  // packages with platform-specific parts, and optional ones, are installed, not bundled
  external: Object.keys(peerDependencies),
  resolve: { alias: { fflate: 'fflate/browser' } }, // its version for Node loads worker threads at once
});
rmSync(`${root}dist/bundle`, { recursive: true, force: true });
const { output } = await build.write({
  dir: 'dist',
  entryFileNames: '[name].js',
  chunkFileNames: 'bundle/[name]-[hash].js',
  comments: false,
  codeSplitting: { groups },
});
chmodSync(`${root}dist/cli/main.js`, 0o755);
writeFileSync(`${root}dist/bundle/LICENSES.txt`, licences());

/** The licences of the packages in the bundle. */
function licences() {
  const inside = output.flatMap(({ moduleIds }) => moduleIds.map((id) => /.*\/node_modules\/([^/]+)\//.exec(id)));
  const folders = new Map(inside.filter(Boolean).map(([folder, name]) => [name, folder]));
  return [...folders]
    .toSorted()
    .map(([name, folder]) => {
      const { version } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
      const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
      return `${name} ${version}\n\n${readFileSync(`${folder}${licence}`, 'utf8').trim()}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
