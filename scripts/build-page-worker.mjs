// Writes the web worker as one text into src/browser/generated/, for pages whose bundler does not copy its file.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const generated = `${root}src/browser/generated/`;

const build = await rolldown({ cwd: root, input: 'src/browser/page-worker.ts', platform: 'browser' });
const { output } = await build.generate({ format: 'es', minify: true, comments: false, codeSplitting: false });
if (output.length !== 1) throw new Error(`build-page-worker: the worker must be one file; got ${output.length}.`);
mkdirSync(generated, { recursive: true });
writeFileSync(
  `${generated}page-worker-text.ts`,
  `/** The web worker, made of page-worker.ts by scripts/build-page-worker.mjs. */\nexport default ${JSON.stringify(output[0].code)} as string;\n`,
);
