// Writes lab/src/experiments/durations.ts: how long a trial of every experiment takes, from the raw trials of two runs. What
// was not run keeps its duration.
//
//     npm run reproduce -- all --quick --out quick; npm run reproduce -- all --out full
//     node lab/scripts/durations.mjs quick full

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { usualSeconds } from '../dist/experiments/durations.js';
import { experiments } from '../dist/experiments/index.js';

const folders = process.argv.slice(2);
if (folders.length !== 2)
  throw new Error('durations: name two folders, that of the quick run and that of the full one.');

/** Mean seconds of a trial; two digits. */
function secondsIn(folder, name) {
  const file = join(folder, `${name}.csv`);
  if (!existsSync(file)) return undefined;
  const seconds = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => Number(line.split(',').at(-1)));
  return Number((seconds.reduce((sum, value) => sum + value, 0) / seconds.length).toPrecision(2));
}

const lines = experiments.map(({ name }) => {
  const [quick, full] = folders.map((folder, k) => secondsIn(folder, name) ?? usualSeconds(name, k === 0));
  const entries = Object.entries({ quick, full }).filter(([, value]) => value !== undefined);
  return `  '${name}': { ${entries.map(([key, value]) => `${key}: ${value}`).join(', ')} },`;
});

writeFileSync(
  new URL('../src/experiments/durations.ts', import.meta.url),
  `/**
 * How long a trial of every experiment takes: the mean over raw trials, written by
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

/** Seconds of a trial; undefined if unknown. */
export const usualSeconds = (name: string, quick = false): number | undefined =>
  durations[name]?.[quick ? 'quick' : 'full'];
`,
);
