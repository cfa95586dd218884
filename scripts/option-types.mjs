// Writes the interfaces of options, src/**/option-types.ts, from the option tables: editors show their doc comments, which
// types that TypeScript derives from a table do not have. With `--check` it fails if a file is out of date.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const load = (path) => import(`${root}${path}`);

/** Files of the types that an option may have. */
const TYPES = {
  Dictionary: 'src/dictionaries/dictionary.ts',
  Matrix: 'src/core/matrix.ts',
  Source: 'src/engine/source/source.ts',
};
const WIDTH = 120;

/** The type of an option, as TypeScript writes it. */
function typeOf({ is, type, flag }) {
  if (type) return type;
  const words = (flag.choices ?? flag.words ?? []).map((word) => `'${word}'`);
  switch (flag.kind) {
    case 'switch':
      return 'boolean';
    case 'text':
      return 'string';
    case 'number':
      return 'number';
    case 'numbers':
      return is(1) ? 'number | readonly number[]' : 'readonly number[]';
    case 'choice':
      return words.join(' | ');
    case 'number or word':
      return ['number', ...words].join(' | ');
    default:
      return ['Matrix', ...words].join(' | ');
  }
}

const shown = (value) => (typeof value === 'string' ? `'${value}'` : String(value));

/** What a reader needs to know of an option: its help text, when it has an effect, its default. */
function words({ help: written, only = {}, default: preset }) {
  const help = written.replace(/--([a-z]+)/g, '`$1`');
  const first = /^[a-z]\w*:/.test(help) ? help : help[0].toUpperCase() + help.slice(1);
  const conditions = Object.entries(only).map(([other, values]) =>
    values.every((value) => value === undefined)
      ? `without \`${other}\``
      : `with \`${other}\` ${values.map((value) => `\`${shown(value)}\``).join(' or ')}`,
  );
  return [
    `${first}.`,
    ...(conditions.length > 0 ? [`Only ${conditions.join(' and ')}.`] : []),
    ...(preset === undefined || help.includes('default') ? [] : [`Default: \`${shown(preset)}\`.`]),
  ].join(' ');
}

/** A doc comment in lines that fit the page. */
function comment(text, indent = '') {
  if (indent.length + text.length + 7 <= WIDTH) return `${indent}/** ${text} */\n`;
  const lines = [''];
  for (const word of text.split(' ')) {
    if (indent.length + 3 + `${lines.at(-1)} ${word}`.length > WIDTH) lines.push('');
    lines.push(`${lines.pop()} ${word}`);
  }
  return `${indent}/**\n${lines.map((line) => `${indent} *${line}\n`).join('')}${indent} */\n`;
}

const member = ([name, spec]) =>
  comment(words(spec), '  ') +
  (spec.required ? `  readonly ${name}: ${typeOf(spec)};\n` : `  readonly ${name}?: ${typeOf(spec)} | undefined;\n`);

const members = (table) => Object.entries(table).map(member).join('');

const typeName = (name) => name[0].toUpperCase() + name.slice(1);

/** The tables of a file, each with the first line of its doc comment. */
const TABLE = /^\/\*\* (.*) \*\/\nexport const (\w+Options) = defineOptions\(/gm;

/** The interfaces of the tables of a file. */
async function interfacesIn(path) {
  const text = readFileSync(`${root}${path}`, 'utf8');
  const tables = [...text.matchAll(TABLE)];
  if (tables.length !== text.match(/^(export )?const \w+ = defineOptions\(/gm).length) {
    throw new Error(
      `option-types: every table in ${path} must be exported as …Options and have a doc comment of one line.`,
    );
  }
  const module = await load(path);
  return tables.map(
    ([, doc, name]) => `${comment(doc)}export interface ${typeName(name)} {\n${members(module[name].table)}}\n`,
  );
}

/** The interface of the options of a method of `learn`, with its defaults of the common options. */
function interfaceOf(method, isDefault, common) {
  const { name, summary, options, defaults = {}, takes } = method;
  const own = Object.entries(defaults).map(([option, preset]) => [option, { ...common[option], default: preset }]);
  return [
    comment(`Options of \`learn\` with method \`${name}\`: ${summary}.`),
    `export interface ${methodTypeName(name)} extends ${commonIn(takes, Object.keys(common))} {\n`,
    comment(`${typeName(summary)}.`, '  '),
    isDefault ? `  readonly method?: '${name}' | undefined;\n` : `  readonly method: '${name}';\n`,
    members({ ...Object.fromEntries(own), ...options }),
    '}\n',
  ].join('');
}

/** The common options that a method takes, as a type. */
function commonIn(takes, all) {
  if (!takes) return 'CommonOptions';
  const left = all.filter((option) => !takes.includes(option));
  const [kind, names] = left.length < takes.length ? ['Omit', left] : ['Pick', takes];
  return `${kind}<CommonOptions, ${names.map((option) => `'${option}'`).join(' | ')}>`;
}

const methodTypeName = (name) => `${typeName(name)}MethodOptions`;

/** Everything about methods that types of `learn` need. */
async function methodTypes() {
  const { commonOptions } = await load('src/learn/common-options.ts');
  const { DEFAULT_METHOD, methods } = await load('src/learn/options.ts');
  return [
    ...methods.map((method) => interfaceOf(method, method.name === DEFAULT_METHOD, commonOptions.table)),
    `${comment('The options of `learn` by method.')}export interface OptionsByMethod {
${methods.map(({ name }) => `  readonly ${name}: ${methodTypeName(name)};\n`).join('')}}\n`,
    `${comment('A method of `learn`.')}export type MethodName = ${methods.map(({ name }) => `'${name}'`).join(' | ')};\n`,
    `${comment('The options of `learn`, whichever the method.')}export type LearnOptions = OptionsByMethod[MethodName];\n`,
  ];
}

/** The text of an option-types.ts, as Biome would format it. */
function fileOf(path, blocks) {
  const body = blocks.join('\n');
  const imports = Object.entries(TYPES).flatMap(([type, from]) => {
    const to = relative(dirname(path), from);
    const isUsed = new RegExp(`(: |\\| )${type}\\b`).test(body.replaceAll(/^ *(\/\*)?\*.*$/gm, ''));
    return isUsed ? [`import type { ${type} } from '${to.startsWith('.') ? to : `./${to}`}';\n`] : [];
  });
  const header =
    '/** Written by scripts/option-types.mjs from the option tables: change those and run `npm run docs:options`. */\n';
  const biome = fileURLToPath(new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url));
  return execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${path}`], {
    cwd: root,
    input: `${header}${imports.sort().join('')}\n${body}`,
    encoding: 'utf8',
  });
}

const sources = readdirSync(`${root}src`, { recursive: true })
  .map((path) => `src/${path.replaceAll(sep, '/')}`)
  .filter(
    (path) =>
      path.endsWith('.ts') && /^(export )?const \w+ = defineOptions\(/m.test(readFileSync(`${root}${path}`, 'utf8')),
  )
  .sort();
const blocks = new Map();
for (const path of sources) {
  const file = path.startsWith('src/learn/') ? 'src/learn/option-types.ts' : `${dirname(path)}/option-types.ts`;
  blocks.set(file, [...(blocks.get(file) ?? []), ...(await interfacesIn(path))]);
}
blocks.set('src/learn/option-types.ts', [...blocks.get('src/learn/option-types.ts'), ...(await methodTypes())]);
for (const [path, found] of blocks) {
  const text = fileOf(path, found);
  if (!process.argv.includes('--check')) writeFileSync(`${root}${path}`, text);
  else if (readFileSync(`${root}${path}`, 'utf8') !== text) {
    console.error(`${path} is out of date: run npm run docs:options.`);
    process.exitCode = 1;
  }
}
