// Compiles the modules of assembly/ twice, with and without relaxed SIMD, and embeds the binaries as base64 in
// src/kernels/generated/, beside the types of what they export, as the compiler declares them.
// Does nothing if the outputs are newer than every source; `--force` compiles anyway.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('..', import.meta.url));
const generated = `${root}src/kernels/generated/`;
const variants = { baseline: 'simd', relaxed: 'simd,relaxed-simd' };
/** Modules by the beginning of their file's name: the kernels, and those on memory that threads share. */
const modules = {
  '': { entry: 'index.ts', features: '', options: [] },
  'shared-': {
    entry: 'shared.ts',
    features: ',threads',
    options: ['--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536'],
  },
};

const sources = readdirSync(`${root}assembly`).filter((file) => file.endsWith('.ts'));
const newest = Math.max(
  ...sources.map((file) => modified(`${root}assembly/${file}`)),
  modified(fileURLToPath(import.meta.url)),
  modified(`${root}node_modules/assemblyscript/package.json`),
);

mkdirSync(generated, { recursive: true });
const types = `${generated}exports.ts`;
if (modified(types) < newest) rmSync(`${generated}baseline.ts`, { force: true }); // compiled below, with its types
for (const [prefix, module] of Object.entries(modules)) {
  for (const [variant, features] of Object.entries(variants)) {
    const output = `${generated}${prefix}${variant}.ts`;
    if (modified(output) > newest && !process.argv.includes('--force')) continue;
    const { binary, declarations } = await compile(module, features);
    if (output.endsWith('/baseline.ts')) writeFileSync(types, typesText(declarations));
    writeFileSync(output, moduleText(`${prefix}${variant}`, binary));
    console.log(`build-kernels: ${prefix}${variant}, ${binary.length} bytes`);
  }
}

async function compile(module, features) {
  const written = {};
  const options = [
    module.entry,
    '-O3',
    '--runtime',
    'stub',
    '--noAssert',
    '--enable',
    features + module.features,
    ...module.options,
    '--use',
    'abort=',
    '--outFile',
    'kernels.wasm',
    '--bindings',
    'raw',
  ];
  const { error, stderr } = await asc.main(options, {
    readFile: (name) => (sources.includes(name) ? readFileSync(`${root}assembly/${name}`, 'utf8') : null),
    writeFile: (name, contents) => {
      written[name] = contents;
    },
  });
  if (error) {
    console.error(stderr.toString());
    process.exit(1);
  }
  return { binary: written['kernels.wasm'], declarations: written['kernels.d.ts'] };
}

/** The functions that the compiler declares, without its notes on their types in WebAssembly. */
function typesText(declarations) {
  const functions = [...declarations.matchAll(/export function (.*;)$/gm)].map(([, signature]) => `  ${signature}\n`);
  return `/** The functions of the kernels, as their compiler declares them; written by scripts/build-kernels.mjs. */
export interface KernelExports {\n${functions.join('')}}\n`;
}

function moduleText(variant, binary) {
  const base64 = Buffer.from(binary).toString('base64');
  return `/** The ${variant} kernels, compiled from assembly/ by scripts/build-kernels.mjs. */\nexport default '${base64}' as string;\n`;
}

function modified(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
