/** `orthodict worker`: computes blocks for runs on other machines until it is stopped. */
import { Command, Option } from 'commander';
import { startRedisWorker } from '../../distributed/redis-worker.ts';
import { NODE_BACKENDS, type NodeBackendChoice } from '../../node/threads/executor-options.ts';
import { numberOption } from '../terminal/arguments.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { counted } from '../terminal/output.ts';

interface Flags {
  readonly redis: string;
  readonly queue?: string;
  readonly threads?: number;
  readonly backend: NodeBackendChoice;
}

export function workerCommand(): Command {
  return new Command('worker')
    .requiredOption('--redis <URL>', 'the Redis server of the cluster: redis://host:6379, rediss://… with TLS')
    .option('--queue <NAME>', 'name of the queue to serve, if several share a server', 'orthodict')
    .addOption(
      new Option('--threads <T>', 'number of threads, at most 4 per core; default: all cores').argParser(
        numberOption('worker', '--threads'),
      ),
    )
    .addOption(
      new Option('--backend <NAME>', 'compute kernels, the same as those of the runs; auto: the fastest available')
        .choices(NODE_BACKENDS)
        .default('auto'),
    )
    .addHelpText('after', HELP)
    .action(runWorker);
}

const HELP = `
A worker serves any number of runs with the same version and kernels, started with
  orthodict learn DATA --out model.npz --redis URL
It reads DATA itself, so DATA must be at the same path on a shared file system, or at an http(s) address. Workers may join
and leave at any time; on SIGTERM or Ctrl-C a worker finishes its block first.

Examples:
  orthodict worker --redis redis://10.0.0.5:6379
  orthodict worker --redis rediss://:secret@cluster.example:6380 --queue faces --threads 8`;

async function runWorker({ redis, queue, threads, backend }: Flags): Promise<void> {
  const say = (words: string) => void process.stderr.write(`worker: ${words}\n`);
  const worker = await startRedisWorker({ redis, queue, threads, backend, say });
  say(`ready at queue ${queue}, ${worker.backend}, ${counted(worker.threads, 'thread')}.`);
  await interruptible((signal) => new Promise((resolve) => signal.addEventListener('abort', resolve)));
  say('leaving.');
  await worker.close();
  process.exit(0); // even if the queue still waits for a server that is gone
}
