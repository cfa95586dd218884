/** Whole processes against whole processes: start-up, reading, computing, writing. In turns; medians of the rounds. */
import { toFloat64 } from 'orthodict/extend';
import type { ProcessContender, Program } from '../../contenders/processes.ts';
import { medianOrNull } from '../median.ts';
import type { Data, DataSet } from '../recovery/data-sets.ts';
import { type Mark, markSnapshots } from '../recovery/objective.ts';
import { timeProcess } from './timed-process.ts';

export interface ProcessResult {
  readonly contender: string;
  readonly ours: boolean;
  readonly target: number;
  readonly runs: number;
  /** Median and best of the rounds; null: the target was not reached. */
  readonly medianSeconds: number | null;
  readonly seconds: number | null;
  /** Of the atoms in the file. */
  readonly error: number | null;
  /** Why there is no time. */
  readonly reason?: string | undefined;
}

export interface ProcessRace {
  readonly set: DataSet;
  readonly results: readonly ProcessResult[];
}

export interface ProcessRaceOptions {
  readonly targets: readonly number[];
  readonly repeats: number;
  readonly folder: string;
  /** Errors of NumPy's iterates, if known from a race. */
  readonly iterates?: readonly Mark[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly say?: ((words: string) => void) | undefined;
}

interface Runner {
  readonly contender: ProcessContender;
  readonly target: number;
  readonly program: Program | undefined;
  readonly seconds: number[];
  error: number | null;
  reason?: string | undefined;
}

export async function processRace(
  contenders: readonly ProcessContender[],
  data: Data,
  options: ProcessRaceOptions,
): Promise<ProcessRace> {
  const runners: Runner[] = [];
  for (const contender of contenders) {
    for (const target of options.targets) runners.push(await getReady(contender, data, target, options));
  }
  const repeats = Math.min(options.repeats, data.set.mostRepeats);
  for (let round = 0; round < repeats; round++) {
    for (const runner of runners) {
      options.signal?.throwIfAborted();
      if (!runner.program || runner.reason) continue;
      options.say?.(`round ${round + 1} of ${repeats}: ${runner.contender.name} as a process`);
      await runOnce(runner, runner.program, data, options.signal);
    }
  }
  return { set: data.set, results: runners.map(summarise) };
}

async function getReady(
  contender: ProcessContender,
  data: Data,
  target: number,
  { folder, iterates, signal, say }: ProcessRaceOptions,
): Promise<Runner> {
  say?.(`getting ${contender.name} ready`);
  const found = await contender.prepare({ data, target, folder, signal, iterates });
  const missing = 'missing' in found ? found.missing : undefined;
  const program = 'missing' in found ? undefined : found;
  return { contender, target, program, seconds: [], error: null, reason: missing };
}

/** A failure is a result, an interruption is not. */
async function runOnce(runner: Runner, program: Program, { set, truth }: Data, signal?: AbortSignal): Promise<void> {
  const limit = AbortSignal.timeout(set.limitSeconds * 1000);
  try {
    const either = signal ? AbortSignal.any([signal, limit]) : limit;
    const { seconds } = await timeProcess(program.command, program.args, { signal: either });
    const [{ error }] = await markSnapshots([{ seconds, atoms: toFloat64(await program.read()) }], truth);
    runner.error = Math.max(runner.error ?? 0, error);
    if (error <= runner.target) runner.seconds.push(seconds);
    else runner.reason = `ended at error ${error.toExponential(1)}`;
  } catch (error) {
    signal?.throwIfAborted();
    const words = error instanceof Error ? error.message : String(error);
    runner.reason = limit.aborted ? `did not finish within ${set.limitSeconds} s` : words;
  }
}

function summarise({ contender: { name, ours }, target, seconds, error, reason }: Runner): ProcessResult {
  const times = reason === undefined ? seconds : [];
  return {
    contender: name,
    ours,
    target,
    runs: seconds.length,
    medianSeconds: medianOrNull(times),
    seconds: times.length > 0 ? Math.min(...times) : null,
    error,
    reason,
  };
}
