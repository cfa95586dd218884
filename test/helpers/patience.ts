/**
 * How long tests wait before they give something up. Limits are stated for an idle machine, and are longer on a busy one:
 * by its load at the start, or by the factor in ORTHODICT_TEST_PATIENCE.
 */
import { availableParallelism, loadavg } from 'node:os';

const MOST = 10;
const given = process.env.ORTHODICT_TEST_PATIENCE;
const factor =
  given === undefined ? Math.min(MOST, Math.max(1, 1 + loadavg()[0] / availableParallelism())) : Number(given);

/** Milliseconds on this machine for so many on an idle one. */
export const patient = (milliseconds: number): number => Math.round(factor * milliseconds);
