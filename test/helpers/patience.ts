/**
 * Time limits of tests. They are stated for an idle machine, and are longer on a busy one:
 * by its load at the start, or by the factor in ORTHODICT_TEST_PATIENCE.
 */
import { availableParallelism, loadavg } from 'node:os';

const MOST = 10;
const given = process.env.ORTHODICT_TEST_PATIENCE;
const factor =
  given === undefined ? Math.min(MOST, Math.max(1, 1 + loadavg()[0] / availableParallelism())) : Number(given);

/** Scales milliseconds on an idle machine to this machine. */
export const patient = (milliseconds: number): number => Math.round(factor * milliseconds);
