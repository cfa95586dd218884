/**
 * Kills `learn` without warning (SIGKILL) at random moments of its whole run, and at the very moments when it writes the
 * model or a checkpoint. Afterwards every file is absent, old or new, always complete; and `--resume` ends with the bytes
 * of a run that was never killed.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '#src/core/random.ts';
import { fileCheckpoint } from '#src/node/io/checkpoint-file.ts';
import { type Running, runCli, startCli } from '../../helpers/run.ts';
import { subject, type Target } from '../target.ts';

interface Case {
  /** Whether a model of that name is there before. */
  readonly hadOld: boolean;
  readonly moment: Moment;
}

/** When to kill: at a part of the usual time, or when the temporary file of an output appears for the n-th time. */
type Moment = { readonly part: number } | { readonly writing: 'out' | 'checkpoint'; readonly time: number };

const LEARN = '--precision f64 --tolerance 0 --objective-tolerance 0 --max-iterations 40 --threads 1'.split(' ');

/** A third at any time, a third while the model is written, a third while a checkpoint is. */
function drawMoment(random: Random): Moment {
  const kind = random.integer(3);
  if (kind === 0) return { part: 1.2 * random.uniform() };
  return kind === 1 ? { writing: 'out', time: 1 } : { writing: 'checkpoint', time: 1 + random.integer(40) };
}

/** Returns whether the process was killed, not too late. */
async function killAt(moment: Moment, run: Running, folder: string, duration: number): Promise<boolean> {
  if ('part' in moment) {
    await Promise.race([new Promise((resolve) => setTimeout(resolve, moment.part * duration)), run.finished]);
    run.kill('SIGKILL');
  } else {
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
  return (await run.finished).signal === 'SIGKILL';
}

/** Makes the data, an old model, and the model of a run that is not killed; how long that run took. */
async function prepare(file: (name: string) => string): Promise<number> {
  const data = 'generate --samples 6000 --features 48 --theta 0.9 --condition 30 --noise 0.3 --seed 2 --out';
  await succeed([...data.split(' '), file('data.npz')]);
  await succeed(['generate', '--samples', '5', '--features', '48', '--theta', '0.9', '--out', file('old.npz')]);
  const started = performance.now();
  await succeed(['learn', file('data.npz'), '--out', file('whole.npz'), ...LEARN]);
  return performance.now() - started;
}

async function succeed(args: readonly string[]): Promise<void> {
  const { code, stderr } = await runCli(args);
  if (code !== 0) throw new Error(`exit code ${code} of ${args.join(' ')}: ${stderr}`);
}

export const kills: Target = {
  name: 'kills',
  about: 'kill -9 at any moment and during writes: the old or the new file, and resumed to the same bytes',
  cases: 20,
  open: async (folder) => {
    const file = (name: string) => join(folder, name);
    const duration = await prepare(file);
    const [whole, old] = [readFileSync(file('whole.npz')), readFileSync(file('old.npz'))];
    const learn = ['learn', file('data.npz'), '--out', file('out.npz'), ...LEARN];
    const call = [...learn, '--checkpoint', file('run.npz'), '--checkpoint-every', '0'];
    /** What became of the model: absent, old or new. */
    const stateOf = (hadOld: boolean): string => {
      const found = existsSync(file('out.npz')) ? readFileSync(file('out.npz')) : undefined;
      if (!found && !hadOld) return 'no model';
      if (hadOld && found?.equals(old)) return 'old model';
      if (found?.equals(whole)) return 'new model';
      throw new Error(found ? 'the model is neither the old nor the new one' : 'the old model is gone');
    };
    return subject<Case>({
      draw: (random) => ({ hadOld: random.integer(2) === 0, moment: drawMoment(random) }),
      check: async ({ hadOld, moment }) => {
        for (const name of readdirSync(folder)) if (/^out|^run|\.tmp$/.test(name)) rmSync(file(name));
        if (hadOld) copyFileSync(file('old.npz'), file('out.npz'));
        const killed = await killAt(moment, startCli(call), folder, duration);
        const state = stateOf(hadOld);
        const cut = ['out', 'run'].filter((name) =>
          readdirSync(folder).some((left) => left.startsWith(`.${name}.npz.`)),
        );
        await fileCheckpoint(file('run.npz')).load(); // absent or complete
        await succeed([...call, '--resume']);
        if (!readFileSync(file('out.npz')).equals(whole)) throw new Error('--resume gave another model');
        if (!killed) return 'ended before';
        return cut.length > 0 ? `${state}, killed while writing ${cut}` : state;
      },
    });
  },
};
