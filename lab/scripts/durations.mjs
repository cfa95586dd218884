// Writes lab/src/experiments/durations.ts: how long a trial of every experiment takes, from the raw trials in lab/results (quick)
// and lab/results/full.
//
//     node scripts/durations.mjs

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { experiments } from '../dist/experiments/index.js';

/** Mean seconds of a trial; two digits. */
function secondsIn(folder, name) {
  const file = new URL(`../lab/results/${folder}${name}.csv`, import.meta.url);
  if (!existsSync(file)) return undefined;
  const seconds = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => Number(line.split(',').at(-1)));
  return Number((seconds.reduce((sum, value) => sum + value, 0) / seconds.length).toPrecision(2));
}

const lines = experiments.map(({ name }) => {
  const [quick, full] = ['', 'full/'].map((folder) => secondsIn(folder, name));
  const entries = Object.entries({ quick, full }).filter(([, value]) => value !== undefined);
  return `  '${name}': { ${entries.map(([key, value]) => `${key}: ${value}`).join(', ')} },`;
});

writeFileSync(
  new URL('../src/experiments/durations.ts', import.meta.url),
  `/**
 * How long a trial of every experiment takes: the mean over the raw trials in lab/results, written by
 * scripts/durations.mjs. Unknown where the full form was not run.
 */

interface Durations {
  /** Seconds. */
  readonly quick?: number;
  readonly full?: number;
}

const durations: Readonly<Record<string, Durations>> = {
${lines.join('\n')}
};

/** Of a trial; undefined if unknown. */
export const usualSeconds = (name: string, quick = false): number | undefined =>
  durations[name]?.[quick ? 'quick' : 'full'];
`,
);
