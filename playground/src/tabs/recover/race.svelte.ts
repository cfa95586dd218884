/** A race as the page shows it: what each contender has done so far. */
import type { ContenderName } from '../../session/jobs/recover/contenders.ts';
import type { Snapshot } from '../../session/jobs/recover/judge.ts';
import type { RaceRequest, RaceResult } from '../../session/jobs/recover/race.ts';
import type { News } from '../../session/jobs/recover/reporter.ts';
import type { Finish } from '../../session/jobs/recover/runner.ts';
import { Work } from '../../session/session.svelte.ts';

export interface Track {
  readonly name: ContenderName;
  /** One number per step, as in the lists below. */
  readonly iterations: readonly number[];
  readonly errors: readonly number[];
  readonly objectives: readonly number[];
  readonly seconds: number;
  readonly snapshot?: Snapshot | undefined;
  readonly finish?: Finish | undefined;
  readonly refusal?: string | undefined;
}

export class Race {
  readonly work = new Work('recoverRace');
  /** The present or last request. */
  request: RaceRequest | undefined = $state.raw();
  tracks: readonly Track[] = $state.raw([]);
  /** The kernels and threads of the race, once one is complete. */
  place: RaceResult | undefined = $state.raw();

  async start(request: RaceRequest): Promise<void> {
    this.request = request;
    this.tracks = request.contenders.map((name) => ({ name, iterations: [], errors: [], objectives: [], seconds: 0 }));
    const result = await this.work.start(request, ({ news }) => {
      this.tracks = this.tracks.map((track) => {
        const own = news.find(({ name }) => name === track.name);
        return own ? continued(track, own) : track;
      });
    });
    if (result) this.place = result;
  }

  track(name: ContenderName): Track | undefined {
    return this.tracks.find((track) => track.name === name);
  }
}

function continued(track: Track, { marks, snapshot = track.snapshot, finish, refusal }: News): Track {
  const iterations = [...track.iterations];
  const errors = [...track.errors];
  const objectives = [...track.objectives];
  for (const { iteration, error, objective } of marks) {
    const at = iterations.at(-1) === iteration ? iterations.length - 1 : iterations.length; // the end replaces a step
    iterations[at] = iteration;
    errors[at] = error;
    objectives[at] = objective;
  }
  const seconds = marks.at(-1)?.seconds ?? track.seconds;
  return { ...track, iterations, errors, objectives, seconds, snapshot, finish, refusal };
}
