// Mutation testing: finds changes of the code that no test notices.
//
//     npm run mutants -- --only engine --limit 60 --seed 1
//     npm run mutants -- --only engine,node --limit 60 --seed 1
//
// Changes one place of src/FOLDER at a time, in a copy of the sources and the build, and runs the tests that execute the place until
// one fails, the nearest first. Prints the changes that no test noticed. The same seed makes the same choice. The score is a
// lower bound: slow tests of other folders may notice more.
//
// Which tests execute a place is measured first: every block that holds a mutant gets a mark, and all tests run once.
//
// Changed code may write anywhere, for example if a check for a device or for its own folder was changed. So it never runs as
// root, and its home and temporary folders are in the copy.
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
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
import { MARK, marked, mutantsOf, mutate } from './mutants/places.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Milliseconds for all tests that run before the first mutant. */
const BEFORE_MOST = 1_800_000;
/** Milliseconds that the tests of one mutant may take on an idle machine. */
const TESTS_MOST = { quick: 60_000, slow: 120_000 };
/** Tests that do not belong to a module: pages, documents, benchmarks, the package as a whole. */
const OTHERS = /^test\/(browser\/pages|behaviour\/interoperability|docs|fuzz|packed|[\w-]+\.test\.ts$)/;

/** Milliseconds that Node takes to start on an idle machine. */
const START = 50;
/** Reporter that records every file as it ends, because slow runs are killed. */
const REPORTER = `import { appendFileSync } from 'node:fs';
export default class {
  onTestModuleEnd(module) {
    const { duration, collectDuration } = module.diagnostic();
    const skipped = [...module.children.allTests('skipped')].length;
    const line = { name: module.moduleId, passed: module.ok(), skipped, took: duration + collectDuration };
    appendFileSync(REPORT, JSON.stringify(line) + '\\n');
  }
}
`;
/** Name of the variable that tells the processes and threads of a test which test it is. */
const TEST = 'ORTHODICT_MARKED_TEST';
/** Added to what runs before every test file. */
const BEFORE_TEST = `process.env.${TEST} = (globalThis as never as Record<string, { filepath: string }>).__vitest_worker__.filepath;\n`;
/** Every process and thread loads this first; it records the marks that are reached. */
const MARKER = `import { appendFileSync } from 'node:fs';
const seen = new Set();
globalThis.${MARK} = (mark) => {
  if (seen.has(mark)) return;
  seen.add(mark);
  appendFileSync(MARKS, JSON.stringify([process.env.${TEST} ?? '', mark]) + '\\n');
};
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    limit: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});
const folders = (values.only ?? 'engine').split(',').map((name) => `src/${name.replace(/^src\/|\/$/g, '')}`);
const [limit, seed] = [Number(values.limit), Number(values.seed)];
if (folders.some((folder) => !existsSync(join(root, folder))) || !(limit >= 1) || !Number.isInteger(seed)) {
  console.error(`mutants: --only must be folders of src/, --limit a number from 1, --seed a whole number.`);
  process.exit(2);
}

const copy = mkdtempSync(join(tmpdir(), 'orthodict-mutants-'));
const [report, reporter, marks, marker] = ['report.txt', 'reporter.mjs', 'marks.txt', 'marker.mjs'].map((name) =>
  join(copy, name),
);
let running;
const clean = () => {
  if (running) kill(running);
  rmSync(copy, { recursive: true, force: true, maxRetries: 20 }); // killed processes may still be ending
};
process.on('exit', clean);
const counts = new Map(folders.map((folder) => [folder, { killed: 0, late: 0, survived: 0 }]));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    sayScores();
    process.exit(130);
  });
}

/** Prints the scores of the mutants tried so far. */
function sayScores() {
  for (const [folder, { killed, late, survived }] of counts) {
    const tried = killed + late + survived;
    if (tried === 0) continue;
    const score = Math.round((100 * (killed + late)) / tried);
    console.log(
      `${folder}: score ${score} % of ${tried} (${killed} killed, ${late} by time-out, ${survived} survived)`,
    );
  }
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
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => !/^\.(vite|experimental)/.test(each))) {
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name)); // Vite writes beside them
  }
  const named = (text) => text.replace('REPORT', JSON.stringify(report)).replaceAll('MARKS', JSON.stringify(marks));
  writeFileSync(reporter, named(REPORTER));
  writeFileSync(marker, named(MARKER));
  appendFileSync(join(copy, 'test/helpers/properties.ts'), BEFORE_TEST);
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

const isSlow = (test) => test.includes('.slow.');
const ownTest = (module) => module.replace(/^src\//, 'test/').replace(/\.ts$/, '');
const isNear = (test, module) => test.startsWith(`${dirname(ownTest(module))}/`);

/** The tests that import a module; slow ones only of what is changed, and of what spans folders. */
function testsOf(module) {
  const rooms = [...folders.map((folder) => folder.replace(/^src/, 'test')), 'test/behaviour', 'test/contracts'];
  const counts = (test) => rooms.some((room) => test.startsWith(`${room}/`));
  return tests.filter((test) => reach.get(test).has(module) && (!isSlow(test) || counts(test)));
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
function runTests(files, most, { more = [], env = {} } = {}) {
  rmSync(report, { force: true });
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const always = ['--root', copy, '--maxWorkers', '1', '--experimental.fsModuleCache', '--reporter', reporter];
  const child = spawn(process.execPath, [vitest, 'run', ...files, ...always, ...more], {
    cwd: copy,
    stdio: 'ignore',
    detached: true,
    ...confined,
    env: { ...confined.env, ...env },
  });
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

/** Runs all tests of the modules in the marked copy; returns for each that passes its milliseconds and the marks it reached. */
async function runMarked(mutants) {
  const paths = [...new Set(mutants.map(({ path }) => path))];
  for (const path of paths)
    put(
      path,
      marked(
        textOf(path),
        mutants.filter((each) => each.path === path),
      ),
    );
  const files = [...new Set(paths.flatMap(testsOf))];
  const options = { more: ['--isolate'], env: { NODE_OPTIONS: `--import=${marker}` } };
  await runTests(files, BEFORE_MOST, options);
  for (const path of paths) put(path, textOf(path));
  const reached = linesOf(marks).map(([test, mark]) => [relative(copy, test), mark]);
  const passing = reported().filter(([, { passed }]) => passed);
  const others = files.filter((file) => !passing.some(([test]) => test === file));
  if (others.length > 0) console.error(`not used, for they fail without a change: ${others.join(' ')}`);
  const marksOf = (file) => new Set(reached.filter(([test]) => test === file).map(([, mark]) => mark));
  return new Map(passing.map(([test, result]) => [test, { ...result, marks: marksOf(test) }]));
}

/** The tests that execute a place, in the order in which they run: quick ones near, other quick ones, slow ones near, other slow ones. */
function testsAt({ path, mark }) {
  const all = testsOf(path).filter((test) => before.has(test));
  const reaching = all.filter((test) => mark === undefined || before.get(test).marks.has(mark));
  const isOwn = (test) => test.startsWith(`${ownTest(path)}.`);
  const rank = (test) => 3 * isSlow(test) + (isOwn(test) ? 0 : isNear(test, path) ? 1 : 2);
  const took = (test) => before.get(test).took;
  reaching.sort((a, b) => rank(a) - rank(b) || took(a) - took(b));
  const groups = Array.from({ length: 6 }, () => []);
  const times = { quick: 0, slow: 0 };
  for (const test of reaching) {
    const kind = isSlow(test) ? 'slow' : 'quick';
    if (times[kind] > 0 && times[kind] + took(test) > factor * TESTS_MOST[kind]) continue;
    times[kind] += took(test);
    groups[rank(test)].push(test);
  }
  const [own, near, others, ...slow] = groups;
  return [[...own, ...near], others, ...slow].filter((group) => group.length > 0);
}

/**
 * Runs tests until one fails that passes without the change: returns the name of that test, 'late', or undefined. Under load a test
 * may fail or take long by itself, so tests that are late or further away have to pass without the change.
 */
async function noticing(mutant) {
  const { path } = mutant;
  const changed = mutate(textOf(path), mutant);
  for (const group of testsAt(mutant)) {
    let files = group;
    while (files.length > 0) {
      const most = files.reduce((sum, test) => sum + 3 * before.get(test).took, 10_000 * slowness());
      put(path, changed);
      const how = await runTests(files, most, { more: ['--bail', '1'] });
      put(path, textOf(path));
      if (how === 0) {
        const skipping = reported().find(([test, { skipped }]) => skipped > before.get(test).skipped);
        if (skipping) return `skipped by ${skipping[0]}`; // with ORTHODICT_TEST_ALL, as in .ci/run, this is a failure
        break;
      }
      if (how === 'late') {
        if ((await runTests(files, most)) !== 'late') return how;
        break;
      }
      const failed = reported().find(([, { passed }]) => !passed)?.[0];
      if (!failed) return 'the runner ended';
      if (isNear(failed, path) && !isSlow(failed)) return failed;
      if ((await runTests([failed], most)) === 0) return failed;
      files = files.filter((test) => test !== failed);
    }
  }
  return undefined;
}

const linesOf = (path) =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
/** Reads the results that the reporter wrote, by test file. */
const reported = () => linesOf(report).map(({ name, ...rest }) => [relative(copy, name), rest]);

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

/** Writes a module of the copy: quick tests run the sources, slow ones the build. */
function put(path, text) {
  writeFileSync(join(copy, path), text);
  writeFileSync(join(copy, path.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js')), compiled(path, text));
}

function sampleOf(folder) {
  const modules = filesIn(folder, /\.ts$/).filter((path) => !path.includes('/generated/'));
  const all = modules.flatMap((path) => mutantsOf(textOf(path), path).map((mutant) => ({ folder, path, ...mutant })));
  const sample = chosen(all);
  console.log(`${folder}: ${sample.length} of ${all.length} mutants, seed ${seed}`);
  return sample;
}

const sample = folders.flatMap(sampleOf);
makeCopy();
handOver();
const before = await runMarked(sample);
const factor = slowness();
for (const mutant of sample) {
  const { folder, path, line, what } = mutant;
  const by = await noticing(mutant);
  const fate = by === 'late' ? by : by ? 'killed' : 'survived';
  counts.get(folder)[fate]++;
  const reached = testsAt(mutant).length > 0;
  const words = `${fate}  ${path}:${line}  ${what}${fate === 'killed' ? `  (${by})` : reached ? '' : '  (no test)'}`;
  (fate === 'survived' ? console.log : console.error)(words);
}
sayScores();
