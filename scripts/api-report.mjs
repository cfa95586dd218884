// Writes docs/api/: every name that an entry of the package exports, with its declaration in dist/, so that a change of what
// users rely on shows in a diff. `--check` fails instead if a page is out of date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}docs/api/`;
const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** The declarations of every entry that has exports, by its name. */
const entries = Object.entries(exports)
  .filter(([, { types }]) => types && !types.includes('worker'))
  .map(([path, { types }]) => ({ name: `orthodict${path.slice(1)}`, path: `${root}${types.slice(2)}` }));

const program = ts.createProgram(
  entries.map(({ path }) => path),
  { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, noLib: true, types: [] },
);
const checker = program.getTypeChecker();
const printer = ts.createPrinter({ removeComments: true });

const resolved = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);

/** The exports of an entry, those of a namespace as `namespace.name`. */
function exportsOf(module, prefix = '') {
  return checker.getExportsOfModule(module).flatMap((symbol) => {
    const target = resolved(symbol);
    const name = `${prefix}${symbol.name}`;
    if (target.flags & ts.SymbolFlags.ValueModule) return exportsOf(target, `${name}.`);
    const isValue = (target.flags & ts.SymbolFlags.Value) !== 0;
    const text = declarationOf(target);
    return [{ name, isValue, text: name === target.name ? text : `// ${name}\n${text}` }];
  });
}

/** What the declaration files say, without comments and what every declaration begins with. */
function declarationOf({ declarations }) {
  const texts = declarations.map((declaration) => {
    const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    return printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());
  });
  return texts.map((text) => inOrder(text.replace(/^export (declare )?/, ''))).join('\n');
}

/** Sorts the members and the unions of words of an inferred type: their order depends on what the compiler saw first. */
function inOrder(text) {
  if (!text.startsWith('const ')) return text;
  const sorted = text.replace(/"[\w-]+"(?: \| "[\w-]+")+/g, (union) => union.split(' | ').sort().join(' | '));
  return sorted.replace(/(?:^ {4}\w+\??: [^{}\n]*;\n){2,}/gm, (members) =>
    members.trimEnd().split('\n').sort().join('\n').concat('\n'),
  );
}

const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** The page of an entry. `shared`: another entry that it contains, whose names are left out. */
function pageOf({ name, path }, shared) {
  const all = exportsOf(checker.getSymbolAtLocation(program.getSourceFile(path)));
  const others = new Set(shared?.map((each) => each.name));
  const own = all.filter((each) => !others.has(each.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const values = own.filter(({ isValue }) => isValue);
  const types = own.filter(({ isValue }) => !isValue);
  const section = (title, some) => {
    const text = some.map((each) => each.text).join('\n\n');
    return some.length > 0 ? [`## ${title}\n\n\`\`\`ts\n${text}\n\`\`\`\n`] : [];
  };
  const counts = `${plural(values.length, 'value')} and ${plural(types.length, 'type')}`;
  return [
    `# ${name}\n`,
    shared ? `Everything of \`orthodict\`, and ${counts}.\n` : `${counts}.\n`,
    'Written by `npm run docs:report` from the declarations of the built package.\n',
    ...section('Values', values),
    ...section('Types', types),
  ].join('\n');
}

const main = exportsOf(checker.getSymbolAtLocation(program.getSourceFile(entries[0].path)));
mkdirSync(folder, { recursive: true });
for (const entry of entries) {
  const page = `${folder}${entry.name.replace('/', '-')}.md`;
  const text = pageOf(entry, entry.name === 'orthodict/browser' ? main : undefined);
  if (!process.argv.includes('--check')) writeFileSync(page, text);
  else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
    console.error(`${page.slice(root.length)} is out of date: run npm run docs:report.`);
    process.exitCode = 1;
  }
}
