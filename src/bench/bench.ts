/** The whole benchmark: races on every data set, the whole command on the largest one, and kernel speeds. */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { inputError } from '../core/errors.ts';
import { type CommandRun, runCommand } from './command.ts';
import type { Contender } from './contender.ts';
import { contenders as everyone } from './contenders/index.ts';
import { DATA_SETS, type DataSet, describeSet, makeData, type SetName } from './data-sets.ts';
import { type Figure, figures } from './figures.ts';
import { type Micro, type MicroSizes, measureRates } from './micro.ts';
import { type Entrant, type Race, race } from './race.ts';
import { type StructuredSizes, type StructuredTime, timeStructured } from './structured.ts';

export interface BenchOptions {
  readonly set?: SetName;
  /** Also run the other programs installed here. */
  readonly peers?: boolean;
  /** Rounds of the races; data sets may lower it. */
  readonly repeats?: number;
  readonly races?: boolean;
  readonly micro?: boolean;
  /** Only contenders whose name contains one of these words. */
  readonly only?: readonly string[];
  /** Only data sets with these numbers of features. */
  readonly features?: readonly number[];
}

export const benchDefaults = Object.freeze({
  set: 'small',
  peers: false,
  repeats: 3,
  races: true,
  micro: true,
  only: [],
  features: [],
} as const satisfies Required<BenchOptions>);

/** The setup of a run; tests use smaller data. */
export interface BenchRun {
  readonly signal?: AbortSignal;
  readonly say?: (words: string) => void;
  readonly dataSets?: readonly DataSet[];
  readonly contenders?: readonly Contender[];
  readonly microSizes?: Partial<MicroSizes>;
  readonly microRounds?: number;
  readonly structuredSizes?: StructuredSizes;
}

export interface Bench {
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string; readonly platform: string };
  readonly options: Required<BenchOptions>;
  /** The contenders, with versions and threads. */
  readonly contenders: ReadonlyArray<{ readonly name: string; readonly description: string }>;
  readonly skipped: ReadonlyArray<{ readonly name: string; readonly reason: string }>;
  readonly races: readonly Race[];
  /** On the largest data set, for float64 and float32 files. */
  readonly commands: readonly CommandRun[];
  readonly micro: Micro | null;
  /** Encoding with structured dictionaries; measured together with the kernel speeds. */
  readonly structured: readonly StructuredTime[];
  readonly figures: readonly Figure[];
}

/** Recovery errors reached by ℓ4 maximisation alone, and by exact recovery. */
export const TARGETS = [5e-3, 1e-10] as const;
const MICRO_ROUNDS = 4;
const STRUCTURED_ROUNDS = 2;

export async function bench(options: BenchOptions = {}, run: BenchRun = {}): Promise<Bench> {
  const settings: Required<BenchOptions> = { ...benchDefaults, ...options };
  const { repeats } = settings;
  if (!(Number.isInteger(repeats) && repeats >= 1 && repeats <= 100)) {
    throw inputError('bench', 'repeat', 'a whole number from 1 to 100', repeats);
  }
  const { signal, say } = run;
  const raced = settings.races
    ? await runRaces(contendersOf(settings, run), dataSetsOf(settings, run), repeats, run)
    : NONE;
  const micro = settings.micro
    ? await measureRates({ rounds: run.microRounds ?? MICRO_ROUNDS, signal, say, sizes: run.microSizes ?? {} })
    : null;
  const structured = settings.micro
    ? await timeStructured({ rounds: run.microRounds ?? STRUCTURED_ROUNDS, sizes: run.structuredSizes, signal, say })
    : [];
  return {
    machine: machine(),
    options: settings,
    ...raced,
    micro,
    structured,
    figures: figures(raced.races, raced.commands, micro, structured),
  };
}

function contendersOf({ peers, only }: Required<BenchOptions>, run: BenchRun): readonly Contender[] {
  const possible = (run.contenders ?? everyone).filter(({ ours }) => ours || peers);
  const chosen = possible.filter(({ name }) => only.length === 0 || only.some((word) => includesWord(name, word)));
  if (chosen.length > 0) return chosen;
  throw inputError('bench', 'only', `words of ${possible.map(({ name }) => `"${name}"`).join(', ')}`, only.join(', '));
}

const includesWord = (name: string, word: string): boolean => name.toLowerCase().includes(word.toLowerCase());

function dataSetsOf({ set, features }: Required<BenchOptions>, run: BenchRun): readonly DataSet[] {
  const possible = run.dataSets ?? DATA_SETS[set];
  const chosen = possible.filter((data) => features.length === 0 || features.includes(data.features));
  if (chosen.length > 0) return chosen;
  throw inputError(
    'bench',
    'features',
    `among ${possible.map((data) => data.features).join(', ')}`,
    features.join(', '),
  );
}

type Raced = Pick<Bench, 'contenders' | 'skipped' | 'races' | 'commands'>;
const NONE: Raced = { contenders: [], skipped: [], races: [], commands: [] };

async function runRaces(taking: readonly Contender[], sets: readonly DataSet[], repeats: number, run: BenchRun) {
  const { signal, say } = run;
  const entrants: Entrant[] = [];
  const skipped: { name: string; reason: string }[] = [];
  const races: Race[] = [];
  const commands: CommandRun[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'orthodict-bench-'));
  try {
    for (const contender of taking) {
      signal?.throwIfAborted();
      say?.(`getting ${contender.name} ready`);
      const session = await contender.open();
      if ('missing' in session) skipped.push({ name: contender.name, reason: session.missing });
      else entrants.push({ contender, session });
    }
    for (const set of sets) {
      const name = describeSet(set);
      say?.(`${name}: making data`);
      const data = await makeData(set, folder, signal);
      const words = (text: string) => say?.(`${name}: ${text}`);
      races.push(await race(entrants, data, { targets: TARGETS, repeats, signal, say: words }));
      if (set === sets.at(-1)) {
        for (const precision of ['f64', 'f32'] as const) {
          words(`the whole command, ${precision} file`);
          commands.push(await runCommand(data, precision, folder, signal));
        }
      }
      await Promise.all([data.file, data.file32].map((path) => rm(path)));
    }
  } finally {
    for (const { session } of entrants) await session.close();
    await rm(folder, { recursive: true, force: true });
  }
  const describe = ({ contender, session }: Entrant) => ({ name: contender.name, description: session.description });
  return { contenders: entrants.map(describe), skipped, races, commands };
}

function machine(): Bench['machine'] {
  const cpu = cpus()[0]?.model.trim() ?? 'unknown';
  return { cpu, cores: availableParallelism(), node: process.version, platform: `${process.platform}-${process.arch}` };
}
