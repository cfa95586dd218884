// Measures how large the code is, and how much of it a reader has to read.
//
//     npm run measure:code            this checkout, which must be built
//     npm run measure:code -- DIR     another one; --names lists the names exported from several files
//
// Prints lines and files by room, the files that one `learn` runs, the closure of imports of some commands, the exports of every entry,
// names exported from several files, casts, and long or branching functions. `lab` is measured separately from the product.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const root =
  process.argv.slice(2).find((word) => !word.startsWith('--')) ?? fileURLToPath(new URL('..', import.meta.url));
const LONG = 40;
const BRANCHING = 15;

const filesIn = (folder) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((name) => join(folder, name).replaceAll('\\', '/'))
        .filter((name) => name.endsWith('.ts') && !name.includes('/generated/'))
        .sort()
    : [];

const texts = new Map();
const textOf = (file) => {
  if (!texts.has(file)) texts.set(file, readFileSync(join(root, file), 'utf8'));
  return texts.get(file);
};
const linesOf = (files) => files.reduce((sum, file) => sum + textOf(file).split('\n').length - 1, 0);
const print = (what, ...figures) => console.log(`${what.padEnd(44)} ${figures.join('  ')}`);

const product = filesIn('src');
const laboratory = filesIn('lab/src');

console.log('## Lines, files');
const rooms = Map.groupBy?.(product, roomOf) ?? grouped(product);
for (const [room, files] of [...rooms].sort()) print(room, linesOf(files), files.length);
print('product', linesOf(product), product.length);
print('lab', linesOf(laboratory), laboratory.length);

function roomOf(file) {
  return file.split('/').length > 2 ? file.split('/').slice(0, 2).join('/') : 'src';
}
function grouped(files) {
  const groups = new Map();
  for (const file of files) groups.set(roomOf(file), [...(groups.get(roomOf(file)) ?? []), file]);
  return groups;
}

console.log('\n## What one learn runs (2,000 x 20, one thread), and what commands import');
print('files of which learn runs a function', filesRunByLearn());
for (const entry of [
  'src/cli/commands/learn.ts',
  'src/cli/commands/encode.ts',
  'lab/src/commands/reproduce.ts',
  'src/cli/commands/reproduce.ts',
]) {
  if (!existsSync(join(root, entry))) continue;
  const closure = closureOf(entry);
  print(`closure of ${entry}`, `${closure.length} files`, `${linesOf(closure)} lines`);
}

/** Files with a function that was called, not only loaded; counted by V8 in a separate process. */
function filesRunByLearn() {
  const folder = mkdtempSync(join(tmpdir(), 'orthodict-coverage-'));
  const script = `
    import { takeCoverage } from 'node:v8';
    const { generate } = await import(${JSON.stringify(pathToFileURL(join(root, 'dist/index.js')).href)});
    const { learn } = await import(${JSON.stringify(pathToFileURL(join(root, 'dist/node/index.js')).href)});
    const { samples } = generate({ samples: 2000, features: 20, theta: 0.3, seed: 1 });
    takeCoverage(); // counting starts here
    await learn(samples, {}, { threads: 1 });
    takeCoverage();
    process.exit(0);`;
  const env = { ...process.env, NODE_V8_COVERAGE: folder };
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`measure-code: the build of ${root} does not run: ${stderr}`);
  const reports = readdirSync(folder).sort((a, b) => Number(a.split('-').at(-2)) - Number(b.split('-').at(-2)));
  const last = JSON.parse(readFileSync(join(folder, reports.at(-1) === reports[0] ? reports[0] : reports[1]), 'utf8'));
  rmSync(folder, { recursive: true });
  const ran = last.result.filter(
    ({ url, functions }) =>
      url.includes('/dist/') && functions.some((each) => each.functionName !== '' && each.ranges[0].count > 0),
  );
  return ran.length;
}

/** The files that a file needs when it is loaded: static imports, including types. */
function closureOf(entry) {
  const found = new Set([entry]);
  for (const file of found) {
    for (const [, name] of textOf(file)
      .replaceAll(/\/\*[\s\S]*?\*\//g, '')
      .matchAll(/(?:from|import)\s*'([^']+)'/g)) {
      const path = pathOf(file, name);
      if (path && existsSync(join(root, path))) found.add(path);
    }
  }
  return [...found];
}

function pathOf(file, name) {
  if (name.startsWith('.')) return relative(root, normalize(join(root, dirname(file), name)));
  const entry = {
    orthodict: 'index',
    'orthodict/node': 'node/index',
    'orthodict/extend': 'extend',
    'orthodict/cluster': 'distributed/index',
  }[name];
  return entry && `src/${entry}.ts`;
}

console.log('\n## Exports of entries: values, types');
const entries = ['index', 'node/index', 'browser/index', 'distributed/index', 'extend']
  .map((name) => `src/${name}.ts`)
  .filter((name) => existsSync(join(root, name)));
const program = ts.createProgram([...product.map((file) => join(root, file))], {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
});
const checker = program.getTypeChecker();
for (const entry of entries) {
  const symbols = exportsOf(program.getSourceFile(join(root, entry)));
  const values = symbols.filter(isValue);
  print(entry, values.length, symbols.length - values.length);
}

function exportsOf(source) {
  const symbol = checker.getSymbolAtLocation(source);
  return symbol ? checker.getExportsOfModule(symbol) : [];
}
function isValue(symbol) {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return (target.flags & ts.SymbolFlags.Value) !== 0;
}

console.log('\n## Names exported from several files');
const places = new Map();
for (const file of product.filter((name) => !entries.includes(name))) {
  for (const symbol of exportsOf(program.getSourceFile(join(root, file)))) {
    if (symbol.flags & ts.SymbolFlags.Alias) continue; // re-exported, not a second meaning
    places.set(symbol.name, [...(places.get(symbol.name) ?? []), file.replace(/^src\//, '')]);
  }
}
const doubled = [...places].filter(([, files]) => files.length > 1).sort();
print('names', doubled.length);
if (process.argv.includes('--names')) for (const [name, files] of doubled) console.log(`  ${name}: ${files.join(' ')}`);

console.log('\n## Casts and functions');
const count = (pattern) => product.reduce((sum, file) => sum + (textOf(file).match(pattern)?.length ?? 0), 0);
print('as never, as unknown as', count(/\bas never\b/g), count(/\bas unknown as\b/g));
const functions = product.flatMap((file) => functionsOf(program.getSourceFile(join(root, file)), file));
const long = functions.filter(({ lines }) => lines > LONG);
const branching = functions.filter(({ cyclomatic }) => cyclomatic > BRANCHING);
print('functions', functions.length);
print(`over ${LONG} lines`, long.length);
print(`cyclomatic over ${BRANCHING}`, branching.length);
for (const { name, cyclomatic } of branching.sort((a, b) => b.cyclomatic - a.cyclomatic))
  console.log(`  ${cyclomatic}  ${name}`);

function functionsOf(source, file) {
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const [start, end] = [node.getStart(source), node.end].map((at) => source.getLineAndCharacterOfPosition(at).line);
      const name = node.name?.getText(source) ?? node.parent.name?.getText?.(source) ?? 'function';
      found.push({
        name: `${file}:${start + 1} ${name}`,
        lines: end - start + 1,
        cyclomatic: 1 + branchesOf(node.body),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Counts the branches of a function, without those of inner functions. */
function branchesOf(body) {
  let branches = 0;
  const visit = (node) => {
    if (ts.isFunctionLike(node)) return;
    const isBranch =
      ts.isIfStatement(node) ||
      ts.isConditionalExpression(node) ||
      ts.isCaseClause(node) ||
      ts.isCatchClause(node) ||
      ts.isIterationStatement(node, false);
    const isLogical =
      ts.isBinaryExpression(node) &&
      [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken].includes(
        node.operatorToken.kind,
      );
    if (isBranch || isLogical) branches++;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return branches;
}
