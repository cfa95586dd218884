/**
 * The raw trials of an experiment as a CSV file. Each trial adds a line, so that an interrupted run can resume.
 *
 *     trial,seed,<parameters>,<measures>,seconds
 *
 * A line holds everything its trial depends on and is reused if its point and seed are requested. A file with other
 * points or seeds belongs to another run and is rejected. An unfinished last line, as a kill may leave, is dropped. The
 * file is written when the first trial is added.
 */
import { appendFile, readFile, rm } from 'node:fs/promises';
import { InputError } from 'orthodict';
import { fileFailure, systemCode, writeWhole } from '../../files.ts';
import { describePoint, type Experiment, type Point, type Trial } from './experiment.ts';

export interface TrialsFile {
  readonly trials: readonly Trial[];
  append(trial: Trial): Promise<void>;
}

export interface Wanted {
  readonly points: readonly Point[];
  readonly trials: number;
  readonly seed: number;
}

export async function openTrialsFile(
  path: string,
  experiment: Experiment,
  wanted: Wanted,
  fresh: boolean,
): Promise<TrialsFile> {
  const header = headerOf(experiment).join(',');
  if (fresh) await rm(path, { force: true });
  const text = await readText(path);
  const lines = text?.split('\n').slice(0, -1) ?? []; // text after the last line break is unfinished or empty
  if (lines.length > 0 && lines[0] !== header) throw refusal(path, `has the columns ${lines[0]}`);
  const trials = lines.slice(1).map((line, k) => parseTrial(experiment, line, path, k + 2));
  for (const trial of trials) requireWanted(path, trial, experiment, wanted);
  const isSound = lines.length > 0 && text!.endsWith('\n');
  const whole = `${[header, ...lines.slice(1)].join('\n')}\n`;
  let ready: Promise<void> | undefined;
  return {
    trials: trials.filter(({ trial }) => trial < wanted.trials),
    async append(trial) {
      ready ??= isSound ? Promise.resolve() : writeWhole(path, whole);
      await ready;
      await appendFile(path, `${formatTrial(experiment, trial)}\n`).catch((error) => {
        throw fileFailure(path, error);
      });
    },
  };
}

const headerOf = ({ parameters, measures }: Experiment): string[] => [
  'trial',
  'seed',
  ...parameters,
  ...measures.map(({ name }) => name),
  'seconds',
];

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw fileFailure(path, error);
  }
}

function formatTrial({ parameters, measures }: Experiment, { trial, seed, point, measured, seconds }: Trial): string {
  const numbers = [...parameters.map((name) => point[name]), ...measures.map(({ name }) => measured[name])];
  return [trial, seed, ...numbers.map((value) => value ?? ''), seconds.toFixed(3)].join(',');
}

function parseTrial({ parameters, measures }: Experiment, line: string, path: string, at: number): Trial {
  const fields = line.split(',').map((field) => (field === '' ? undefined : Number(field)));
  const first = 2 + parameters.length;
  if (fields.length !== first + measures.length + 1 || fields.some(Number.isNaN)) {
    throw refusal(path, `line ${at} is not a trial`);
  }
  return {
    trial: fields[0]!,
    seed: fields[1]!,
    point: Object.fromEntries(parameters.map((name, k) => [name, fields[2 + k]!])),
    measured: Object.fromEntries(measures.map(({ name }, k) => [name, fields[first + k]])),
    seconds: fields.at(-1)!,
  };
}

function requireWanted(path: string, { trial, seed, point }: Trial, { parameters }: Experiment, wanted: Wanted): void {
  const same = (other: Point) => parameters.every((name) => other[name] === point[name]);
  if (!wanted.points.some(same)) throw refusal(path, `has trials with ${describePoint(point)}, which this run lacks`);
  if (seed !== wanted.seed + trial) {
    throw refusal(path, `has trials from seed ${seed - trial}, but this run starts from ${wanted.seed}`);
  }
}

function refusal(path: string, why: string): InputError {
  return new InputError(`${path}: belongs to another run: ${why}; --fresh starts over, --out writes elsewhere.`);
}
