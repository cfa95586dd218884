/** How long the trials ahead take, judged by those that have ended. */
import type { Experiment, Grid, Point, Trial } from './experiment.ts';

/**
 * A trial takes as long as finished ones at its point, or else the mean of all finished ones; before any has ended, as
 * long as the grid says.
 */
export function secondsLeft(
  { parameters }: Experiment,
  grid: Grid,
  done: readonly Trial[],
  ahead: readonly Point[],
  lanes: number,
): number {
  const keyOf = (point: Point) => parameters.map((parameter) => point[parameter]).join();
  const times = new Map<string, number[]>();
  for (const { point, seconds } of done) times.set(keyOf(point), [...(times.get(keyOf(point)) ?? []), seconds]);
  const usual = grid.seconds / (grid.points.length * grid.trials);
  const otherwise = done.length > 0 ? mean(done.map(({ seconds }) => seconds)) : usual;
  const expected = ahead.map((point) => mean(times.get(keyOf(point)) ?? [otherwise]));
  return expected.reduce((sum, seconds) => sum + seconds, 0) / lanes;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
