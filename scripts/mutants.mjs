// Mutation testing: finds changes of the code that no test notices.
//
//     npm run mutants -- --only engine --limit 60 --seed 1
//
// Changes one place of src/FOLDER at a time, in a copy of the sources and the build, and runs the tests nearest to the module until one
// fails, then the next nearest. Prints the changes that no test noticed. The same seed makes the same choice. The score is a
// lower bound: tests further away may notice more.
//
// Changed code may write anywhere, for example if a check for a device or for its own folder was changed. So it never runs as
// root, and its home and temporary folders are in the copy.
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { mutantsOf, mutate } from './mutants/places.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Milliseconds that the tests of a module may take together; the nearest are always run. */
const ENOUGH = 5_000;
/** Test files that are tried for a module, and milliseconds for all of them. */
const [CANDIDATES, TRIAL] = [6, 20_000];
/** Test files that are tried after these, and milliseconds for all of them. */
const OTHERS_COUNT = 30;
const OTHERS_MOST = 90_000;
/** Tests that do not belong to a module: pages, documents, benchmarks, the package as a whole. */
const OTHERS = /^test\/(browser\/pages|behaviour\/interoperability|docs|fuzz|packed|[\w-]+\.test\.ts$)/;

/** Milliseconds that Node takes to start on an idle machine. */
const START = 50;
/** Reporter that records every file as it ends, because slow runs are killed. */
const REPORTER = `import { appendFileSync } from 'node:fs';
export default class {
  onTestModuleEnd(module) {
    const { duration, collectDuration } = module.diagnostic();
    const line = { name: module.moduleId, passed: module.ok(), took: duration + collectDuration };
    appendFileSync(REPORT, JSON.stringify(line) + '\\n');
  }
}
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    limit: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});
const folder = `src/${(values.only ?? 'engine').replace(/^src\/|\/$/g, '')}`;
const [limit, seed] = [Number(values.limit), Number(values.seed)];
if (!existsSync(join(root, folder)) || !(limit >= 1) || !Number.isInteger(seed)) {
  console.error(`mutants: --only must be a folder of src/, --limit a number from 1, --seed a whole number.`);
  process.exit(2);
}

const copy = mkdtempSync(join(tmpdir(), 'orthodict-mutants-'));
const [report, reporter] = [join(copy, 'report.txt'), join(copy, 'reporter.mjs')];
let running;
const clean = () => {
  if (running) kill(running);
  rmSync(copy, { recursive: true, force: true, maxRetries: 20 }); // killed processes may still be ending
};
process.on('exit', clean);
const counts = { killed: 0, late: 0, survived: 0 };
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    sayScore();
    process.exit(130);
  });
}

/** Prints the score of the mutants tried so far. */
function sayScore() {
  const { killed, late, survived } = counts;
  const tried = killed + late + survived;
  if (tried === 0) return;
  const score = Math.round((100 * (killed + late)) / tried);
  console.log(`${folder}: score ${score} % of ${tried} (${killed} killed, ${late} by time-out, ${survived} survived)`);
}

function kill(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}

const filesIn = (path, pattern) =>
  readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();

/** Copies the tests, the sources and the build, with modules in place of the bundle. */
function makeCopy() {
  for (const name of [
    'src',
    'dist',
    'test',
    'package.json',
    'vitest.config.ts',
    'tsconfig.json',
    'tsconfig.base.json',
  ]) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  for (const name of ['data', 'docs', 'examples', 'scripts']) {
    symlinkSync(join(root, name), join(copy, name));
  }
  for (const [entry, module] of [
    ['index', 'index'],
    ['node', 'node/index'],
    ['cluster', 'distributed/index'],
    ['extend', 'extend'],
  ]) {
    writeFileSync(join(copy, `dist/bundle/${entry}.js`), `export * from '../${module}.js';\n`);
  }
  writeFileSync(join(copy, 'dist/cli/main.js'), compiled('src/cli/main.ts'));
  for (const name of ['tmp', 'node_modules']) mkdirSync(join(copy, name));
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => !/^\.vite/.test(each))) {
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name)); // Vite writes beside them
  }
  writeFileSync(reporter, REPORTER.replace('REPORT', JSON.stringify(report)));
}

const textOf = (path) => readFileSync(join(root, path), 'utf8');
const compiled = (path, text = textOf(path)) =>
  ts.transpileModule(text, {
    fileName: path,
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      rewriteRelativeImportExtensions: true,
    },
  }).outputText;

/** The modules that a file imports, and those that it runs as a program. */
function importsOf(path) {
  const text = readFileSync(join(root, path), 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier]) => specifier);
  const modules = specifiers.flatMap((specifier) => {
    if (specifier.startsWith('#src/')) return [specifier.slice(1)];
    return specifier.startsWith('.') ? [join(dirname(path), specifier)] : [];
  });
  if (/dist\/cli\/main\.js|cli\/main\.js`/.test(text)) modules.push('src/cli/main.ts');
  const threads = [...text.matchAll(/new URL\('(\.\/[\w-]+)\.js', import\.meta\.url\)/g)];
  return [...modules, ...threads.map(([, module]) => `${join(dirname(path), module)}.ts`)];
}

const imports = new Map();
function distancesFrom(test) {
  const distances = new Map([[test, 0]]);
  for (const [path, distance] of distances) {
    if (!imports.has(path)) imports.set(path, existsSync(join(root, path)) ? importsOf(path) : []);
    for (const next of imports.get(path)) if (!distances.has(next)) distances.set(next, distance + 1);
  }
  return distances;
}

const tests = filesIn('test', /\.test\.ts$/).filter((path) => !OTHERS.test(path));
const reach = new Map(tests.map((test) => [test, distancesFrom(test)]));

/**
 * The tests that reach a module: its own, those of its folder, then the others by the imports between. Slow ones come last, and
 * only those of its folder.
 */
function testsNear(module) {
  const own = module.replace(/^src\//, 'test/').replace(/\.ts$/, '');
  const isNear = (test) => test.startsWith(`${dirname(own)}/`);
  const isSlow = (test) => test.includes('.slow.');
  const rank = (test) => {
    const steps = reach.get(test).get(module) + (isSlow(test) ? 1000 : 0);
    if (test.startsWith(`${own}.`)) return steps - 200;
    return isNear(test) ? steps - 100 : steps;
  };
  return tests
    .filter((test) => reach.get(test).has(module) && (isNear(test) || !isSlow(test)))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

const isRoot = process.getuid?.() === 0;
/** User id of "nobody", used in place of root. */
const NOBODY = 65_534;
const confined = {
  ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  env: { ...process.env, HOME: join(copy, 'tmp'), TMPDIR: join(copy, 'tmp') },
};

/** Gives the copy to the user who runs the tests. */
function handOver() {
  if (!isRoot) return;
  const { status } = spawnSync('chown', ['-R', '-h', `${NOBODY}:${NOBODY}`, copy]);
  if (status !== 0)
    throw new Error('mutants: the copy cannot be given to another user, and changed code must not run as root.');
}

/** Runs tests in the copy; resolves to the exit code, or 'late'. */
function runTests(files, most, ...more) {
  const args = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...files,
    '--root',
    copy,
    '--maxWorkers',
    '1',
    ...more,
  ];
  const child = spawn(process.execPath, args, { cwd: copy, stdio: 'ignore', detached: true, ...confined });
  running = child;
  return new Promise((done) => {
    const timer = setTimeout(() => finish('late'), most);
    const finish = (how) => {
      clearTimeout(timer);
      kill(child); // and the processes it has started
      running = undefined;
      done(how);
    };
    child.once('exit', (code) => finish(code));
  });
}

/** How many times longer than on an idle machine Node takes to start now. */
function slowness() {
  const times = Array.from({ length: 5 }, () => {
    const started = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    return performance.now() - started;
  });
  return Math.max(1, times.sort((a, b) => a - b)[2] / START);
}

/** Finds the nearest tests that pass, as many as there is time for, and their time in milliseconds. */
async function trial(module) {
  const candidates = testsNear(module).slice(0, CANDIDATES);
  if (candidates.length === 0) return { files: [], time: 0 };
  const factor = slowness();
  rmSync(report, { force: true });
  await runTests(candidates, factor * TRIAL, '--reporter', reporter);
  const results = new Map(reported());
  const files = [];
  let time = 0;
  for (const test of candidates) {
    const result = results.get(test);
    if (!result?.passed || (files.length > 0 && time + result.took > factor * ENOUGH)) continue;
    files.push(test);
    time += result.took;
  }
  if (files.length === 0)
    throw new Error(`mutants: no test of ${module} passes in time without a change: ${candidates[0]}, …`);
  return { files, time };
}

/** Test files that fail in the unchanged copy, because they need something that only the checkout has. */
const failing = new Set();

/**
 * Runs the next nearest tests until one fails that passes without the change: returns 1, or 0 if none fails. A timeout here
 * means nothing, because many tests run together.
 */
async function runOthers(module, nearest, changed, put) {
  for (;;) {
    const files = testsNear(module)
      .filter((test) => !nearest.includes(test) && !failing.has(test))
      .slice(0, OTHERS_COUNT);
    if (files.length === 0) return 0;
    rmSync(report, { force: true });
    const how = await runTests(files, slowness() * OTHERS_MOST, '--bail', '1', '--reporter', reporter);
    if (how === 0 || how === 'late') return 0;
    const failed = reported()
      .filter(([, { passed }]) => !passed)
      .map(([test]) => test);
    if (failed.length === 0) return 1; // the runner itself ended
    put(textOf(module));
    const asBefore = await runTests(failed, slowness() * OTHERS_MOST);
    put(changed);
    if (asBefore === 0) return 1;
    for (const test of failed) failing.add(test);
  }
}

/** Reads the results that the reporter wrote, by test file. */
function reported() {
  if (!existsSync(report)) return [];
  const lines = readFileSync(report, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line)).map(({ name, ...rest }) => [relative(copy, name), rest]);
}

/** Random numbers from a seed (mulberry32). */
function randomFrom(start) {
  let a = start;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Chooses `limit` mutants in random order, so that those tried so far are always a fair sample. */
function chosen(all) {
  const random = randomFrom(seed);
  const keyed = all.map((mutant) => ({ mutant, key: random() })).sort((a, b) => a.key - b.key);
  return keyed.slice(0, limit).map(({ mutant }) => mutant);
}

const modules = filesIn(folder, /\.ts$/).filter((path) => !path.includes('/generated/'));
const all = modules.flatMap((path) =>
  mutantsOf(readFileSync(join(root, path), 'utf8'), path).map((mutant) => ({ path, ...mutant })),
);
const sample = chosen(all);
makeCopy();
handOver();
console.log(`${folder}: ${sample.length} of ${all.length} mutants, seed ${seed}`);

const trials = new Map();
for (const { path, ...mutant } of sample) {
  if (!trials.has(path)) trials.set(path, await trial(path));
  const { files, time } = trials.get(path);
  const changed = mutate(textOf(path), mutant);
  /** Quick tests run the sources, slow ones the build. */
  const put = (text) => {
    writeFileSync(join(copy, path), text);
    writeFileSync(join(copy, path.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js')), compiled(path, text));
  };
  put(changed);
  let how = files.length === 0 ? 0 : await runTests(files, 3 * time + 10_000 * slowness(), '--bail', '1');
  if (how === 0) how = await runOthers(path, files, changed, put);
  put(textOf(path));
  const fate = how === 'late' ? 'late' : how === 0 ? 'survived' : 'killed';
  counts[fate]++;
  const words = `${fate}  ${path}:${mutant.line}  ${mutant.what}${files.length === 0 ? '  (no test)' : ''}`;
  (fate === 'survived' ? console.log : console.error)(words);
}
sayScore();
