/** How long the trials ahead take, estimated from those that have ended. */
import type { Experiment, Point, Trial } from './experiment.ts';

/**
 * A trial takes as long as finished ones at its point, or else the mean of all finished ones; before any has ended,
 * `usual` seconds. Undefined if none of these is known.
 */
export function secondsLeft(
  { parameters }: Experiment,
  done: readonly Trial[],
  ahead: readonly Point[],
  usual: number | undefined,
): number | undefined {
  const keyOf = (point: Point) => parameters.map((parameter) => point[parameter]).join();
  const times = new Map<string, number[]>();
  for (const { point, seconds } of done) times.set(keyOf(point), [...(times.get(keyOf(point)) ?? []), seconds]);
  const otherwise = done.length > 0 ? mean(done.map(({ seconds }) => seconds)) : usual;
  if (otherwise === undefined) return ahead.length === 0 ? 0 : undefined;
  return ahead.reduce((sum, point) => sum + mean(times.get(keyOf(point)) ?? [otherwise]), 0);
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
