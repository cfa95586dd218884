/**
 * Kills `learn` without warning (SIGKILL) at random moments of its whole run, and at the very moments when it writes the
 * model or a checkpoint. Afterwards every file is absent, old or new, always complete; and `--resume` ends with the bytes
 * of a run that was never killed.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { createRandom, type Random } from '#src/core/random.ts';
import { fileCheckpoint } from '#src/node/files/checkpoint-file.ts';
import { type Running, runCli, startCli } from '../helpers/run.ts';

/** When to kill: some time after the start, or when the temporary file of an output appears for the n-th time. */
type Moment = { readonly after: number } | { readonly writing: 'out' | 'checkpoint'; readonly time: number };

export interface KillReport {
  kills: number;
  /** Runs that ended before they could be killed. */
  tooLate: number;
  /** Kills that left an unfinished file beside the model, beside the checkpoint. */
  whileWritingOut: number;
  whileWritingCheckpoint: number;
  /** What the model was afterwards. */
  absent: number;
  old: number;
  complete: number;
  /** What went wrong. */
  readonly failures: string[];
}

const LEARN = '--precision f64 --tolerance 0 --objective-tolerance 0 --max-iterations 40 --threads 1'.split(' ');

/** `folder`: an empty one. */
export async function tryKills(seed: number, count: number, folder: string): Promise<KillReport> {
  const file = (name: string) => join(folder, name);
  const random = createRandom(seed, 'kills');
  await succeed(
    `generate --samples 6000 --features 48 --theta 0.9 --condition 30 --noise 0.3 --seed 2 --out`,
    file('data.npz'),
  );
  await succeed('generate --samples 5 --features 48 --theta 0.9 --seed 3 --out', file('old.npz'));
  const learn = (out: string, ...more: string[]) => ['learn', file('data.npz'), '--out', file(out), ...LEARN, ...more];
  const started = performance.now();
  await succeed(...learn('whole.npz'));
  const duration = performance.now() - started;
  const report: KillReport = {
    kills: 0,
    tooLate: 0,
    whileWritingOut: 0,
    whileWritingCheckpoint: 0,
    absent: 0,
    old: 0,
    complete: 0,
    failures: [],
  };
  const whole = readFileSync(file('whole.npz'));
  const trial = {
    folder,
    out: file('out.npz'),
    checkpoint: file('run.npz'),
    before: readFileSync(file('old.npz')),
    whole,
  };
  const call = learn('out.npz', '--checkpoint', file('run.npz'), '--checkpoint-every', '0');
  for (let k = 0; k < count; k++) {
    for (const name of readdirSync(folder)) if (/^out|^run|\.tmp$/.test(name)) rmSync(file(name));
    const hadOld = random.uniform() < 0.5;
    if (hadOld) copyFileSync(file('old.npz'), file('out.npz'));
    const moment = momentOf(random, k, duration);
    const run = startCli(call);
    await killAt(moment, run, folder);
    const words = `kill ${k} (${JSON.stringify(moment)})`;
    if ((await run.finished).signal === 'SIGKILL') report.kills++;
    else report.tooLate++;
    await inspect(trial, hadOld, words, report);
    const { code, stderr } = await runCli([...call, '--resume']);
    if (code !== 0) report.failures.push(`${words}: --resume failed with ${code}: ${stderr}`);
    else if (!readFileSync(trial.out).equals(whole)) report.failures.push(`${words}: --resume gave another model`);
  }
  return report;
}

/** A third at any time, a third while the model is written, a third while a checkpoint is. */
function momentOf(random: Random, k: number, duration: number): Moment {
  if (k % 3 === 0) return { after: random.uniform() * 1.2 * duration };
  return k % 3 === 1 ? { writing: 'out', time: 1 } : { writing: 'checkpoint', time: 1 + random.integer(40) };
}

async function killAt(moment: Moment, run: Running, folder: string): Promise<void> {
  if ('after' in moment) {
    await Promise.race([new Promise((resolve) => setTimeout(resolve, moment.after)), run.finished]);
    run.kill('SIGKILL');
    return;
  }
  const prefix = moment.writing === 'out' ? '.out.npz.' : '.run.npz.';
  const seen = new Set<string>();
  const watcher = watch(folder, (_, name) => {
    if (!name?.startsWith(prefix)) return;
    seen.add(name);
    if (seen.size > moment.time) run.kill('SIGKILL'); // the first one only tries whether the file can be written
  });
  await run.finished;
  watcher.close();
}

interface Trial {
  readonly folder: string;
  readonly out: string;
  readonly checkpoint: string;
  readonly before: Buffer;
  readonly whole: Buffer;
}

async function inspect(trial: Trial, hadOld: boolean, words: string, report: KillReport): Promise<void> {
  const { folder, out, checkpoint, before, whole } = trial;
  const left = readdirSync(folder);
  if (left.some((name) => name.startsWith('.out.npz.'))) report.whileWritingOut++;
  if (left.some((name) => name.startsWith('.run.npz.'))) report.whileWritingCheckpoint++;
  const found = existsSync(out) ? readFileSync(out) : undefined;
  if (!found && !hadOld) report.absent++;
  else if (hadOld && found?.equals(before)) report.old++;
  else if (found?.equals(whole)) report.complete++;
  else report.failures.push(`${words}: the model is ${found ? 'neither the old nor the new one' : 'gone'}`);
  await fileCheckpoint(checkpoint)
    .load()
    .catch((error) => report.failures.push(`${words}: the checkpoint does not load: ${error}`));
}

async function succeed(...words: string[]): Promise<void> {
  const args = words.flatMap((text, k) => (k === 0 ? text.split(' ') : [text]));
  const { code, stderr } = await runCli(args);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
}
