// Writes into src/browser/generated/: the list of all passes of the package, which a web worker knows from the start, and the
// worker as one text, for pages whose bundler does not copy its file.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const generated = `${root}src/browser/generated/`;

mkdirSync(generated, { recursive: true });

/** The passes that a module exports: constants made by a call whose first argument is `import.meta.url`. */
function passesIn(path) {
  const text = readFileSync(`${root}src/${path}`, 'utf8');
  if (!text.includes('import.meta.url')) return [];
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest).statements.flatMap((statement) => {
    const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported || !ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name, initializer: made }) => {
      const [first] = made && ts.isCallExpression(made) ? made.arguments : [];
      const isPass = first && ts.isPropertyAccessExpression(first) && ts.isMetaProperty(first.expression);
      return isPass ? [name.text] : [];
    });
  });
}

const modules = readdirSync(`${root}src`, { recursive: true })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'))
  .sort()
  .flatMap((path) => {
    const passes = passesIn(path);
    return passes.length > 0 ? [{ path, passes }] : [];
  });
const imports = modules.map(({ path, passes }) => `import { ${passes.join(', ')} } from '../../${path}';\n`);
const names = modules.flatMap(({ passes }) => passes);
writeFileSync(
  `${generated}passes.ts`,
  `/** Every pass of the package, listed by scripts/build-page-worker.mjs. */
import type { AnyPass } from '../../engine/pass.ts';
${imports.join('')}
export const packagePasses = [${names.join(', ')}] as readonly unknown[] as readonly AnyPass[];
`,
);

const build = await rolldown({ cwd: root, input: 'src/browser/page-worker.ts', platform: 'browser' });
const { output } = await build.generate({ format: 'es', minify: true, comments: false, codeSplitting: false });
if (output.length !== 1) throw new Error(`build-page-worker: the worker must be one file; got ${output.length}.`);
writeFileSync(
  `${generated}page-worker-text.ts`,
  `/** The web worker, made of page-worker.ts by scripts/build-page-worker.mjs. */\nexport default ${JSON.stringify(output[0].code)} as string;\n`,
);
