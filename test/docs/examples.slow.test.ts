/**
 * Every example of the documentation is run: as printed, in a fresh folder per file that holds data.npz and model.npz.
 * So are the examples of doc comments. Modules share a process; commands that need no shell are called in this one.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCli } from '../helpers/cli.ts';
import { interpreter } from '../helpers/numpy.ts';
import { patient } from '../helpers/patience.ts';
import { itUnless } from '../helpers/skip.ts';
import { entries, exportsByEntry } from './declarations.ts';
import { type CodeBlock, codeBlocks, markdownFiles, readMarkdown, root } from './markdown.ts';
import { ModuleProcess } from './module-process.ts';

const scratch = mkdtempSync(join(tmpdir(), 'orthodict-docs-'));
const commands = join(scratch, 'bin');
const fixture = join(scratch, 'fixture');
const modules = new ModuleProcess();

beforeAll(async () => {
  mkdirSync(commands);
  mkdirSync(join(fixture, 'node_modules'), { recursive: true });
  symlinkSync(join(root, 'dist/cli/main.js'), join(commands, 'orthodict'));
  symlinkSync(root, join(fixture, 'node_modules/orthodict'), 'junction');
  await shell('orthodict generate --samples 4000 --features 20 --theta 0.3 --seed 1 --out data.npz', fixture);
  await shell('orthodict learn data.npz --out model.npz', fixture);
});

afterAll(async () => {
  await modules.end();
  rmSync(scratch, { recursive: true, force: true });
});

const runnable = new Set(['js', 'sh', 'python']);

for (const file of markdownFiles()) {
  const blocks = codeBlocks(file).filter(({ language }) => runnable.has(language));
  if (blocks.length === 0) continue;
  describe(file.name, () => {
    const folder = join(scratch, file.name.replaceAll('/', '-'));
    beforeAll(() => cpSync(fixture, folder, { recursive: true, verbatimSymlinks: true }));
    for (const block of blocks) declare(block, folder);
  });
}

describe('doc comments', () => {
  const exported = exportsByEntry();
  const codes = [...new Set(entries.flatMap((entry) => exported[entry].flatMap(({ examples }) => examples)))];
  const folder = join(scratch, 'doc-comments');
  beforeAll(() => cpSync(fixture, folder, { recursive: true, verbatimSymlinks: true }));

  it.each(codes.map((code, k) => [k, code.trim().split('\n').at(-1), code]))('example %d: … %s', (k, _, code) =>
    runModule(code as string, folder, `example-${k}`, /./),
  );
});

it('no example in JavaScript keeps its process from ending', async () => {
  expect(await modules.end()).toBe(0);
});

const noPython = interpreter === undefined ? 'no Python with NumPy was found' : undefined;

it('the first example of README.md promises an error, which is checked when it runs', () => {
  const [first] = codeBlocks(readMarkdown('README.md')).filter(({ language }) => language === 'js');
  expect(promises(first.code).map(({ words }) => words)).toContain('below 1e-12');
});

function declare(block: CodeBlock, folder: string): void {
  const { language, code, line } = block;
  if (language === 'js') it(`line ${line}: js`, () => runModule(code, folder, `line-${line}`));
  else if (language === 'sh' && isPackageScript(code)) it(`line ${line}: npm`, () => checkPackageScripts(code));
  else if (language === 'sh') it(`line ${line}: sh`, () => shell(code, folder));
  else itUnless(noPython, `line ${line}: python`, () => runPython(code, folder));
}

/** `exact`: as for `promises`. */
async function runModule(code: string, folder: string, name: string, exact?: RegExp): Promise<void> {
  writeFileSync(join(folder, `${name}.mjs`), code);
  const { stdout, stderr } = await modules.run(folder, `${name}.mjs`);
  expect(stderr).toBe('');
  const printed = stdout.trimEnd().split('\n');
  for (const { words, keptBy } of promises(code, exact))
    expect(printed.filter(keptBy), `${words}: ${JSON.stringify(printed)}`).not.toEqual([]);
}

interface Promised {
  readonly words: string;
  /** Whether a printed line keeps the promise. */
  keptBy(line: string): boolean;
}

/**
 * What an example claims to print: `console.log(…); // 20`, or `// below 1e-12` of the last number of a line. Comments
 * that `exact` does not match are prose.
 */
function promises(code: string, exact = /^[\d ]+$/): Promised[] {
  const comments = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
  return comments.flatMap((words): Promised[] => {
    const bound = /^below (\S+)$/.exec(words)?.[1];
    if (bound !== undefined) return [{ words, keptBy: (line) => Math.abs(lastNumber(line)) < Number(bound) }];
    return exact.test(words) ? [{ words, keptBy: (line) => line === words }] : [];
  });
}

const lastNumber = (line: string): number => Number(line.split(' ').at(-1) || Number.NaN);

/** Calls of `orthodict` with plain words, one a line, mean the same without a shell; anything else is run by one. */
async function shell(code: string, folder: string): Promise<void> {
  const calls = commandsOf(code);
  if (!calls.every((call) => /^orthodict [\w ./:-]+$/.test(call))) run('sh', ['-eu', '-c', code], folder);
  else for (const call of calls) await runCommand(call.split(/ +/).slice(1), folder);
}

async function runCommand(args: readonly string[], folder: string): Promise<void> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    const { code, stderr } = await callCli(args);
    expect({ code, stderr }, args.join(' ')).toEqual({ code: 0, stderr: '' });
  } finally {
    process.chdir(before);
  }
}

/** Examples may take `np` and `samples`, the array of data.npz, as given. */
function runPython(code: string, folder: string): void {
  run(interpreter!, ['-c', `import numpy as np\nsamples = np.load('data.npz')['samples']\n${code}`], folder);
}

function run(program: string, args: readonly string[], cwd: string): void {
  const env = { ...process.env, PATH: `${commands}${delimiter}${process.env.PATH}` };
  const { status, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8', timeout: patient(60_000) });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

/** Commands about this repository itself (npm, npx) are not run inside its own tests. */
function isPackageScript(code: string): boolean {
  return commandsOf(code).every((command) => /^(npm|npx|git|cd) /.test(command));
}

function commandsOf(code: string): string[] {
  return code
    .split(/\n|&&/)
    .map((command) => command.replace(/#.*/, '').trim())
    .filter((command) => command !== '');
}

function checkPackageScripts(code: string): void {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const command of commandsOf(code)) {
    const [program, verb, argument] = command.split(/\s+/);
    if (program === 'npm' && (verb === 'start' || verb === 'test')) expect(scripts).toHaveProperty(verb);
    else if (program === 'npm' && verb === 'run') expect(Object.keys(scripts)).toContain(argument);
    else if (program === 'npm') expect(['install', 'ci']).toContain(verb);
    else if (program === 'npx') expect(existsSync(join(root, 'node_modules/.bin', verb)), verb).toBe(true);
  }
}
