/**
 * `npm run fuzz -- --seconds 60 --seed 1`: attacks everything that reads from outside, for a time (`--seconds`) or a
 * number of cases (`--cases`: that many times the usual number of each target). `--only csv,npz` chooses targets,
 * `--repeat csv:1000012` runs one case again. A case that takes longer than `--longest` seconds hangs. What fails is made
 * smaller and saved in fuzz-failures/.
 */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { interpreter } from '../helpers/python.ts';
import { CaseProcess, emptyTally, runSlice, type Tally, WATCH } from './harness.ts';
import type { Target } from './target.ts';
import { loadTarget, targetNames } from './targets/index.ts';

/** Numbers of cases under one seed. */
const CASES_PER_SEED = 1_000_000_000;
const SLICE_SECONDS = 20;
/** As good as no limit, and a number that a message can carry. */
const NO_LIMIT = 1e9;

const MOST_SEEDS = Math.floor(Number.MAX_SAFE_INTEGER / CASES_PER_SEED) - 1;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    cases: { type: 'string' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    repeat: { type: 'string' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    failures: { type: 'string', default: 'fuzz-failures' },
    longest: { type: 'string', default: '60' },
  },
});

function quit(words: string): never {
  console.error(`fuzz: ${words}`);
  process.exit(2);
}

function numberOf(name: 'seconds' | 'cases' | 'seed' | 'jobs' | 'longest'): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value >= 0 && Number.isFinite(value))) quit(`--${name} must be a number; got ${text}.`);
  return value;
}

function targetNamed(name: string): Promise<Target> {
  if (targetNames.includes(name)) return loadTarget(name);
  quit(`the target must be one of ${targetNames.join(', ')}; got ${name}.`);
}

const failures = resolve(values.failures);
const tallies = new Map<Target, Tally>();

type Task = (process: CaseProcess) => Promise<void>;

async function run(target: Target, first: number, cases: number, seconds: number, where: CaseProcess): Promise<void> {
  const tally = tallies.get(target) ?? emptyTally();
  tallies.set(target, tally);
  await runSlice({ target: target.name, first, cases, seconds, failures }, tally, where);
  showProgress();
}

/** One line that is written over, on a terminal. */
function showProgress(): void {
  if (!process.stderr.isTTY) return;
  const all = [...tallies.values()];
  const [cases, failed] = [all.reduce((sum, one) => sum + one.cases, 0), all.flatMap((one) => one.failures).length];
  process.stderr.write(`\r\x1b[2K${elapsed().toFixed(0)} s, ${cases} cases, ${failed} failures`);
}

/** The tasks in order, `jobs` at a time, each of these in a process of its own. */
async function inParallel(tasks: Iterable<Task>): Promise<void> {
  const queue = tasks[Symbol.iterator]();
  const work = async () => {
    const where = new CaseProcess({ ...WATCH, longestCase: numberOf('longest')! * 1000 });
    for (let next = queue.next(); !next.done; next = queue.next()) await next.value(where);
    await where.end();
  };
  await Promise.all(Array.from({ length: numberOf('jobs')! }, work));
}

const chosen = await Promise.all((values.only?.split(',') ?? targetNames).map(targetNamed));
const seed = numberOf('seed')!;
if (!(Number.isInteger(seed) && seed <= MOST_SEEDS))
  quit(`--seed must be a whole number up to ${MOST_SEEDS}; got ${seed}.`);
const base = seed * CASES_PER_SEED;
const started = performance.now();
const elapsed = () => (performance.now() - started) / 1000;

/** Slices of all targets in turn until the time is over. */
function* slices(seconds: number): Generator<Task> {
  const length = Math.min(SLICE_SECONDS, Math.max(1, (seconds * numberOf('jobs')!) / chosen.length));
  const next = new Map(chosen.map((target) => [target, base]));
  while (elapsed() < seconds) {
    for (const target of chosen) {
      const left = seconds - elapsed();
      if (left <= 0) return;
      const first = next.get(target)!;
      next.set(target, first + CASES_PER_SEED / 1000);
      yield (where) => run(target, first, CASES_PER_SEED / 1000, Math.min(length, left), where);
    }
  }
}

process.once('SIGINT', () => {
  report();
  process.exit(130);
});
if (interpreter === undefined) console.error('fuzz: no Python with NumPy was found; numbers are not compared with it.');
if (values.repeat !== undefined) {
  const [name, number] = values.repeat.split(':');
  const target = await targetNamed(name);
  await inParallel([(where) => run(target, Number(number), 1, NO_LIMIT, where)]);
} else if (values.cases !== undefined) {
  const share = numberOf('cases')!;
  await inParallel(
    chosen.map((target) => (where) => run(target, base, Math.ceil(share * target.cases), NO_LIMIT, where)),
  );
} else {
  await inParallel(slices(numberOf('seconds') ?? 60));
}
const failed = report();
const idle = [...tallies].filter(([, { cases }]) => cases === 0).map(([{ name }]) => name);
if (idle.length > 0) console.error(`fuzz: no case was run of ${idle.join(', ')}.`);
process.exitCode = failed === 0 && (idle.length === 0 || values.seconds !== undefined) ? 0 : 1;

/** Prints what happened; returns the number of failures. */
function report(): number {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
  console.log(
    `${'target'.padEnd(12)}${'cases'.padStart(9)}  seconds  failures  slowest (s)  most memory (MB)  outcomes`,
  );
  let [cases, failed] = [0, 0];
  for (const [{ name }, tally] of tallies) {
    const outcomes = [...tally.outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
    console.log(
      name.padEnd(12) +
        String(tally.cases).padStart(9) +
        tally.seconds.toFixed(0).padStart(9) +
        String(tally.failures.length).padStart(10) +
        (tally.slowest.milliseconds / 1000).toFixed(2).padStart(13) +
        (tally.mostBytes / 1e6).toFixed(0).padStart(18) +
        `  ${outcomes}`,
    );
    cases += tally.cases;
    failed += tally.failures.length;
  }
  const kinds = new Map<string, { name: string; number: number; words: string; count: number }>();
  for (const failure of [...tallies.values()].flatMap((tally) => tally.failures)) {
    const kind = `${failure.name} ${withoutDetails(failure.words.split('\n')[0])}`;
    kinds.set(kind, { ...failure, count: (kinds.get(kind)?.count ?? 0) + 1 });
  }
  for (const { name, number, words, count } of kinds.values()) {
    console.log(`\n${count} × --repeat ${name}:${number}\n${words.slice(0, 1200)}`);
  }
  console.log(`\nseed ${values.seed}: ${cases} cases in ${elapsed().toFixed(0)} s, ${failed} failures`);
  return failed;
}

/** A message without what differs from case to case. */
function withoutDetails(message: string): string {
  return message
    .replace(/"(\\.|[^"])*"/g, '"…"')
    .replace(/[\w/.-]*\d[\w/.-]*/g, '#')
    .slice(0, 160);
}
