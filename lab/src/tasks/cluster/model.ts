/**
 * How long a pass takes on W workers of one thread each, from measured costs.
 *
 * Redis is simulated, event by event. It is one server: parameters go to every worker, the sum of every block goes there and from
 * there to the driver, one after the other; the driver adds sums in order.
 *
 *     driver    hash, set ─┐                                  ┌─ get, add ─ get, add …
 *     Redis        set ────┴─ get, get, …   set  set  set ────┴─ …
 *     workers                 get ── compute block ── set ── compute block …
 *
 * MPI is a formula: shares of the samples, then ⌈log₂ W⌉ rounds in which sums go up the tree and parameters down.
 *
 *     p/W · sample + ⌈log₂ W⌉ · (latency + bytes · perByte)
 */
import { blockLevel } from 'orthodict/cluster';
import { chunkRanges } from 'orthodict/extend';

/** Seconds. */
export interface Costs {
  /** Seconds in which one thread computes one sample. */
  readonly sample: number;
  /** Bytes of the parameters, and of a sum. */
  readonly bytes: number;
  readonly features: number;
  readonly redis: RedisCosts;
  readonly mpi: MpiCosts;
}

export interface RedisCosts {
  /** Seconds of a job, whatever it computes: for its worker, for Redis, and for the driver. */
  readonly job: { readonly worker: number; readonly server: number; readonly driver: number };
  /** A byte set or got. */
  readonly perByte: number;
  /** A byte of parameters made ready by the driver; of a sum made ready by a worker; of a sum read and added by the driver. */
  readonly prepare: number;
  readonly store: number;
  readonly add: number;
}

/** Seconds of a round. */
export interface MpiCosts {
  readonly latency: number;
  readonly perByte: number;
}

export interface PassOnWorkers {
  readonly samples: number;
  readonly workers: number;
  /** Default: that of data of this size. */
  readonly chunks?: number | undefined;
  /** Number of blocks; default: as the executor makes them. */
  readonly level?: number | undefined;
  /** If all processes share one machine, its cores: it cannot do more work than these. */
  readonly cores?: number | undefined;
}

export interface ModelledPass {
  readonly seconds: number;
  readonly blocks: number;
  /** The part of the time in which Redis, or the driver, is busy. */
  readonly redisBusy: number;
  readonly driverBusy: number;
}

export function redisPass(costs: Costs, pass: PassOnWorkers): ModelledPass {
  const chunks = pass.chunks ?? chunkCount(pass.samples, costs.features);
  const level = pass.level ?? settledLevel(costs, pass, chunks);
  return simulate(costs, pass, chunks, level);
}

/** The chunks of `samples` samples: counted for a part of them, if they are many. */
export function chunkCount(samples: number, features: number): number {
  const part = Math.min(samples, 1e7);
  return Math.round((chunkRanges(part, features).length * samples) / part);
}

/** Blocks follow from how long the last pass took, and how long it takes from them: some passes until they agree. */
function settledLevel(costs: Costs, pass: PassOnWorkers, chunks: number): number {
  const { bytes, redis } = costs;
  const taking = 1000 * (bytes * (redis.perByte + redis.add) + redis.job.driver);
  const threads = pass.workers;
  let level = blockLevel({ chunks, threads, expected: 0, taking });
  for (let k = 0; k < 4; k++) {
    const expected = 1000 * simulate(costs, pass, chunks, level).seconds;
    level = blockLevel({ chunks, threads, expected, taking });
  }
  return level;
}

function simulate(costs: Costs, pass: PassOnWorkers, chunks: number, level: number): ModelledPass {
  const { samples, workers, cores } = pass;
  const { bytes, sample, redis } = costs;
  const transfer = bytes * redis.perByte;
  const taking = bytes * redis.add + redis.job.driver;
  const blocks = Math.ceil(chunks / 2 ** level);
  const chunk = (samples / chunks) * sample;
  const secondsOf = (number: number) => chunk * Math.min(2 ** level, chunks - number * 2 ** level);
  const agenda = new Agenda();
  const server = { free: 0, busy: 0 };
  const serve =
    (then: (at: number) => void, more = 0) =>
    (at: number) => {
      server.free = Math.max(server.free, at) + transfer + more;
      server.busy += transfer + more;
      agenda.add(server.free, then);
    };
  let [given, taken, driverFree, driverBusy, end] = [0, 0, 0, bytes * redis.prepare, 0];
  const isReady = new Uint8Array(blocks);
  let isTaking = false;

  const take = (at: number): void => {
    if (isTaking || taken === blocks || !isReady[taken]) return;
    isTaking = true;
    agenda.add(
      Math.max(at, driverFree),
      serve((got) => {
        isTaking = false;
        taken++;
        driverFree = got + taking;
        driverBusy += taking;
        end = driverFree;
        agenda.add(driverFree, take);
      }),
    );
  };
  const work = (at: number): void => {
    if (given === blocks) return;
    const number = given++;
    const stored = (now: number) => {
      isReady[number] = 1;
      take(now);
      work(now);
    };
    agenda.add(at + redis.job.worker + secondsOf(number) + bytes * redis.store, serve(stored, redis.job.server));
  };
  agenda.add(
    bytes * redis.prepare,
    serve((at) => {
      for (let k = 0; k < Math.min(workers, blocks); k++) agenda.add(at, serve(work));
    }),
  );
  agenda.run();
  const everything = samples * sample + server.busy + driverBusy + blocks * (redis.job.worker + bytes * redis.store);
  const seconds = Math.max(end, cores === undefined ? 0 : everything / cores);
  return { seconds, blocks, redisBusy: server.busy / seconds, driverBusy: driverBusy / seconds };
}

/** Shares of the samples differ by so much. */
const UNEVEN = 1 / 16;

export function mpiPass({ sample, bytes, mpi }: Costs, { samples, workers, cores = workers }: PassOnWorkers): number {
  if (workers === 1) return samples * sample;
  const computing = (samples * sample * (1 + UNEVEN)) / Math.min(workers, cores);
  return computing + Math.ceil(Math.log2(workers)) * (mpi.latency + bytes * mpi.perByte);
}

/** What happens when, in order of time: a binary heap. */
class Agenda {
  readonly #heap: { readonly at: number; readonly act: (at: number) => void }[] = [];

  add(at: number, act: (at: number) => void): void {
    const heap = this.#heap;
    let k = heap.push({ at, act }) - 1;
    for (let parent = (k - 1) >> 1; k > 0 && heap[parent].at > heap[k].at; parent = (k - 1) >> 1) {
      [heap[k], heap[parent]] = [heap[parent], heap[k]];
      k = parent;
    }
  }

  run(): void {
    for (let next = this.#shift(); next; next = this.#shift()) next.act(next.at);
  }

  #shift() {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length === 0 || !last) return first;
    heap[0] = last;
    for (let k = 0; ; ) {
      let least = k;
      for (const child of [2 * k + 1, 2 * k + 2]) {
        if (child < heap.length && heap[child].at < heap[least].at) least = child;
      }
      if (least === k) return first;
      [heap[k], heap[least]] = [heap[least], heap[k]];
      k = least;
    }
  }
}
