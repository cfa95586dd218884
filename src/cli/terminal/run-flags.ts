/** The flags of every command that computes: where it runs and, if it iterates, how it saves its state and resumes. */
import { type Command, Option } from 'commander';
import { InputError } from '../../core/errors.ts';
import { printable } from '../../core/printable.ts';
import type { CheckpointStore } from '../../engine/checkpoint.ts';
import { checkWritable } from '../../node/io/atomic-write.ts';
import type { NodePlace, NodeRunOptions } from '../../node/run.ts';
import {
  NODE_BACKENDS,
  type NodeBackendChoice,
  type NodeExecutorOptions,
} from '../../node/threads/executor-options.ts';
import { numberOption, requireExtension } from './arguments.ts';
import { requireTogether } from './option-flags.ts';
import { counted } from './output.ts';
import { showPlace } from './progress-line.ts';

const GROUP = 'Running:';

export interface ThreadFlags {
  readonly backend: NodeBackendChoice;
  readonly threads?: number;
}

/** Flags that say where a command runs. */
export interface PlaceFlags extends ThreadFlags {
  readonly redis?: string;
  readonly queue?: string;
  readonly mpi?: boolean;
}

export interface RunFlags extends PlaceFlags {
  readonly checkpoint?: string;
  readonly checkpointEvery?: number;
  readonly resume?: boolean;
}

/** Adds the flags of commands that run in this process only. */
export function addThreadFlags(command: Command, who: string): Command {
  const options = [
    new Option(
      '--threads <T>',
      'number of threads, at most 4 per core; default: all cores; does not change the result',
    ).argParser(numberOption(who, '--threads')),
    new Option('--backend <NAME>', 'compute kernels; auto: the fastest available')
      .choices(NODE_BACKENDS)
      .default('auto'),
  ];
  return withOptions(command, options);
}

export function addPlaceFlags(command: Command, who: string): Command {
  const options = [
    new Option('--redis <URL>', 'compute on the workers of this Redis server, see orthodict worker'),
    new Option('--queue <NAME>', 'name of the worker queue').default(undefined, 'orthodict'),
    new Option('--mpi', 'compute on all ranks of mpirun, each with one thread unless --threads is given'),
  ];
  return withOptions(addThreadFlags(command, who), options);
}

export function addRunFlags(command: Command, who: string): Command {
  const options = [
    new Option('--checkpoint <f.npz>', 'save the state of the run here periodically, and when interrupted'),
    new Option('--checkpoint-every <S>', 'seconds between checkpoints')
      .argParser(numberOption(who, '--checkpoint-every'))
      .default(undefined, '10'),
    new Option(
      '--resume',
      'continue from the checkpoint, if there is one; a run that ended at a limit continues with a larger one',
    ),
  ];
  return withOptions(addPlaceFlags(command, who), options);
}

function withOptions(command: Command, options: readonly Option[]): Command {
  for (const option of options) command.addOption(option.helpGroup(GROUP));
  return command;
}

/** Checks the flags before any work is done. */
export async function placeFrom(who: string, flags: PlaceFlags): Promise<NodePlace & NodeExecutorOptions> {
  const { backend, threads, redis, queue, mpi } = flags;
  requireTogether(who, flags, { queue: 'redis' });
  return {
    backend,
    threads,
    ...(redis !== undefined && (await onCluster(who, redis, queue))),
    ...(mpi && (await onRanks(who, flags))),
  };
}

/** Checks the flags before any work is done. */
export async function runFrom(who: string, flags: RunFlags): Promise<NodeRunOptions> {
  const { checkpoint, checkpointEvery = 10, resume } = flags;
  if (!(checkpointEvery >= 0)) {
    throw new InputError(`${who}: --checkpoint-every must be a number, 0 or more; got ${checkpointEvery}.`);
  }
  requireTogether(who, flags, { resume: 'checkpoint', checkpointEvery: 'checkpoint' });
  return {
    resume,
    checkpoint: checkpoint === undefined ? undefined : await openCheckpoint(who, checkpoint, checkpointEvery),
    onWarning: warn,
    ...(await placeFrom(who, flags)),
  };
}

const warn = (message: string): void =>
  void process.stderr.write(`${process.stderr.isTTY ? '\r\x1b[2K' : ''}${printable(message)}\n`);

/** Runs on Redis workers. They read the data themselves, so it is not loaded here. */
async function onCluster(who: string, redis: string, queue: string | undefined): Promise<NodePlace> {
  const [{ createRedisExecutor }, { requireRedisUrl }] = await Promise.all([
    import('../../distributed/redis-executor.ts'),
    import('../../distributed/redis.ts'),
  ]);
  requireRedisUrl(who, redis);
  const say = (words: string) => warn(`${who}: ${words}`);
  const createExecutor: NodePlace['createExecutor'] = (options) =>
    createRedisExecutor({
      ...options,
      redis,
      queue,
      say,
      onBlocks: (now) => showPlace(now ? `${counted(now.workers, 'worker')}, block ${now.done} of ${now.blocks}` : ''),
    });
  return { memoryLimit: 0, createExecutor };
}

/** Runs on MPI ranks. Rank 0 gets the executor; the other ranks compute for it and exit with it. */
async function onRanks(who: string, { redis, threads, backend }: PlaceFlags): Promise<NodePlace> {
  if (redis !== undefined) throw new InputError(`${who}: --mpi must come without --redis; got both.`);
  const { createMpiExecutor } = await import('../../distributed/mpi-executor.ts');
  const executor = await createMpiExecutor({ threads, backend });
  if (!executor) process.exit(0);
  return { memoryLimit: 0, createExecutor: async () => executor };
}

async function openCheckpoint(who: string, path: string, seconds: number): Promise<CheckpointStore> {
  const { fileCheckpoint, requireOwnCheckpoint } = await import('../../node/io/checkpoint-file.ts');
  requireExtension(who, '--checkpoint', path, ['.npz']);
  await checkWritable(path);
  await requireOwnCheckpoint(who, path);
  return fileCheckpoint(path, seconds);
}

/** ` The state is in run.npz; --resume continues from there.` */
export const whereSaved = ({ checkpoint }: RunFlags): string =>
  checkpoint ? ` The state is in ${checkpoint}; --resume continues from there.` : '';
