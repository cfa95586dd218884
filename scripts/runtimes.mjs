// Runs the packed package on every runtime and writes the table of docs/runtimes.md. Runtimes come from npm, into a
// temporary folder. `--only node20,deno` picks some of them, `--only current` the one that runs this script; then the page
// is not changed. Programs that take longer than LIMIT have failed.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const LIMIT = 90_000;
const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs/runtimes.md');
const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const scratch = mkdtempSync(join(tmpdir(), 'orthodict-runtimes-'));
const project = join(scratch, 'project');
const { values: flags } = parseArgs({ options: { only: { type: 'string' } } });

const { platform, arch } = process;
const libc = platform === 'linux' ? '-glibc' : '';
const node = (major) => ({
  id: `node${major}`,
  package: `node-${platform}-${arch}@${major}`,
  binary: `node-${platform}-${arch}/bin/node`,
  before: [],
});
const bun = `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}`;
const deno = `@deno/${platform}-${arch}${libc}`;
const RUNTIMES = [
  { id: 'current', binary: process.execPath, before: [] },
  ...[20, 22, 24, 26].map(node),
  { id: 'bun', package: bun, binary: `${bun}/bin/bun`, before: [] },
  { id: 'deno', package: deno, binary: `${deno}/deno`, before: ['run', '--allow-all'] },
];

const ALL = RUNTIMES.map(({ id }) => id).filter((id) => id !== 'current');

const CLI = 'node_modules/orthodict/dist/cli/main.js';
const HARD_DATA = 'generate --samples 12000 --features 24 --theta 0.9 --condition 30 --noise 0.3 --seed 2 --out b.npz';
const ENDLESS_RUN =
  `learn b.npz --out n.npz --precision f64 --tolerance 0 --objective-tolerance 0 --max-iterations 1000000
  --checkpoint c.npz --checkpoint-every 0`.replace(/\s+/g, ' ');
const script = (...args) => [{ args, prints: /^ok / }];
const CHECKS = {
  '`import`, models in files': script('smoke.mjs', 'import'),
  '`require`': script('smoke.cjs'),
  'JavaScript, 1 thread': script('smoke.mjs', 'learn', 'js', '1'),
  'WebAssembly, 1 thread': script('smoke.mjs', 'learn', 'wasm', '1'),
  'BLAS, 1 thread': script('smoke.mjs', 'learn', 'native', '1'),
  'JavaScript, 2 threads': script('smoke.mjs', 'learn', 'js', '2'),
  'WebAssembly, 2 threads': script('smoke.mjs', 'learn', 'wasm', '2'),
  'BLAS, 2 threads': script('smoke.mjs', 'learn', 'native', '2'),
  'checkpoint and resume': script('smoke.mjs', 'resume'),
  'command line': [
    {
      args: [CLI, ...'generate --samples 4000 --features 20 --theta 0.3 --seed 1 --out d.npz'.split(' ')],
      prints: /4,000/,
    },
    { args: [CLI, ...'learn d.npz --out m.npz --json'.split(' ')], prints: /"status":"converged"/ },
    { args: [CLI, ...'evaluate m.npz --truth d.npz:atoms --json'.split(' ')], prints: /"matched":20/ },
    { args: [CLI, ...'learn missing.npz --out m.npz'.split(' ')], code: 2, prints: /^$/ },
  ],
  'Ctrl-C: exit code 130': [
    { args: [CLI, ...HARD_DATA.split(' ')], prints: /12,000/ },
    { args: [CLI, ...ENDLESS_RUN.split(' ')], interruptWith: 'c.npz', code: 130, prints: /^$/ },
  ],
};

/** Runs one program to its end; resolves to undefined if all is as expected, else to the reason in one line. */
function attempt({ binary, before }, folder, { args, prints, code = 0, interruptWith }) {
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: '1' };
    const child = spawn(binary, [...before, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr, late] = ['', '', false];
    child.stdout.on('data', (piece) => (stdout += piece));
    child.stderr.on('data', (piece) => (stderr += piece));
    const limit = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, LIMIT);
    const watched = interruptWith && join(folder, interruptWith); // interrupted when it has written this file
    if (watched) rmSync(watched, { force: true });
    const interrupt = setInterval(() => {
      if (!watched || !existsSync(watched)) return;
      clearInterval(interrupt); // a second one would end it at once
      child.kill('SIGINT');
    }, 500);
    child.on('error', (error) => resolve(error.message));
    child.on('close', (ended) => {
      clearTimeout(limit);
      clearInterval(interrupt);
      if (late) resolve(`not done after ${LIMIT / 1000} s`);
      else if (ended === code && prints.test(stdout)) resolve(undefined);
      else resolve(`exit code ${ended}: ${firstWords(stderr) || firstWords(stdout)}`);
    });
  });
}

/** The line that says what went wrong. */
function firstWords(text) {
  const lines = text.split('\n').map((line) => line.trim());
  const thrown = lines.find((line) => /^\w*Error\b.*: /.test(line));
  return (thrown ?? lines.find((line) => /error|must|cannot/i.test(line)) ?? lines[0]).slice(0, 200);
}

function npm(folder, ...args) {
  return execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
  });
}

function makeProject(folder, ...packages) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  npm(folder, 'install', ...packages);
  return folder;
}

/** Whether a result counts against the runtime; a missing BLAS does not. */
const isFailure = (reason) => reason !== undefined && !reason.includes('no BLAS library was found');

/** Installs a runtime; returns its version, or the reason of the failure. */
function install(runtime) {
  try {
    const folder = runtime.package && makeProject(join(scratch, runtime.id), runtime.package);
    const binary = folder ? join(folder, 'node_modules', runtime.binary) : runtime.binary;
    const version = execFileSync(binary, ['--version'], { encoding: 'utf8' }).match(/\d+\.\d+\.\d+/)[0];
    const name = runtime.id.replace(/\d+/, '').replace(/^./, (letter) => letter.toUpperCase());
    return { ...runtime, binary, title: `${name} ${version}` };
  } catch (error) {
    return {
      ...runtime,
      title: runtime.id,
      missing: `cannot be installed: ${firstWords(String(error.stderr ?? error))}`,
    };
  }
}

async function column(runtime) {
  const cells = {};
  for (const [name, steps] of Object.entries(CHECKS)) {
    let reason = runtime.missing;
    for (const step of steps) reason ??= await attempt(runtime, project, step);
    cells[name] = reason;
    console.error(`${runtime.title}, ${name}: ${reason ?? 'yes'}`);
  }
  return cells;
}

/** Checks strict types with both module resolutions; returns the names of those that fail. */
function typesFail() {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  return ['nodenext', 'bundler'].filter((resolution) => {
    const module = resolution === 'nodenext' ? 'nodenext' : 'esnext';
    const options = ['--strict', '--noEmit', '--target', 'es2023', '--lib', 'es2023', '--types', 'node'];
    const typeRoots = ['--typeRoots', join(root, 'node_modules/@types')];
    const args = [
      compiler,
      ...options,
      ...typeRoots,
      '--module',
      module,
      '--moduleResolution',
      resolution,
      'smoke.mts',
    ];
    try {
      execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
      return false;
    } catch (error) {
      console.error(error.stdout);
      return true;
    }
  });
}

function table(runtimes, columns) {
  const notes = [];
  const cell = (name, k) => {
    const reason = columns[k][name];
    if (reason === undefined) return 'yes';
    if (!notes.includes(reason)) notes.push(reason);
    return `no [${notes.indexOf(reason) + 1}]`;
  };
  const rows = Object.keys(CHECKS).map((name) => `| ${[name, ...runtimes.map((_, k) => cell(name, k))].join(' | ')} |`);
  const head = [
    `| | ${runtimes.map(({ title }) => title).join(' | ')} |`,
    `| --- |${' --- |'.repeat(runtimes.length)}`,
  ];
  return [...head, ...rows, ...notes.map((reason, k) => `\n[${k + 1}] ${reason}`)].join('\n');
}

try {
  const wanted = flags.only?.split(',');
  const runtimes = RUNTIMES.filter(({ id }) => (wanted ?? ALL).includes(id)).map(install);
  const tarball = npm(root, 'pack', '--silent', '--pack-destination', scratch).trim().split('\n').at(-1);
  makeProject(project, join(scratch, tarball), `koffi@${peerDependencies.koffi}`);
  for (const file of ['smoke.mjs', 'smoke.cjs']) cpSync(join(root, 'scripts/runtimes', file), join(project, file));
  cpSync(join(root, 'scripts/runtimes/smoke.ts'), join(project, 'smoke.mts'));
  const columns = [];
  for (const runtime of runtimes) columns.push(await column(runtime)); // one after the other: they would share the cores
  const failing = typesFail();
  const types = `TypeScript, strict, with \`nodenext\` and \`bundler\`: ${failing.length ? `fails with ${failing.join(' and ')}` : 'yes'}.`;
  const text = `${table(runtimes, columns)}\n\n${types}`;
  console.log(text);
  if (!wanted) {
    const between = /(<!-- table -->\n).*(<!-- end of table -->)/s;
    writeFileSync(
      page,
      readFileSync(page, 'utf8').replace(between, (_, start, end) => `${start}\n${text}\n\n${end}`),
    );
  }
  if (failing.length || columns.some((cells) => Object.values(cells).some(isFailure))) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
