/** Reports: medians with spread, verdicts that can be bad, files that exist. */
import { existsSync, readFileSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { quantile } from '#lab/experiments/framework/summary.ts';
import { writeReport } from '#lab/report/experiment-page.ts';
import { writeIndex } from '#lab/report/index-page.ts';
import { scratchDirectory } from '../../../test/helpers/scratch.ts';
import { sumExperiment } from '../experiments/framework/sum-experiment.ts';
import { runExperiment } from '../experiments/run-experiment.ts';

const scratch = scratchDirectory();

describe('writeReport', async () => {
  let drawings = 0;
  const experiment = sumExperiment(undefined, () => drawings++);
  const trials = await runExperiment(experiment, { trials: 3 }, { csv: scratch.file('sums.csv') });
  const setup = { folder: scratch.path, grid: { ...experiment.full, trials: 3 }, command: 'npm run reproduce -- sums' };
  const report = await writeReport(experiment, trials, setup);
  const page = readFileSync(scratch.file(report.page), 'utf8');

  it('gives every claim a verdict that follows from the numbers', () => {
    expect(report.claims.map(({ verdict, measured }) => [verdict, measured])).toEqual([
      ['holds', '6 → 7'],
      ['fails', '6 → 7'],
      ['fails', '1 values, farthest +20 % at a = 1'],
      ['fails', '1 of 3 at a = 2; largest of all 8'],
      ['not measured', 'no such point in this grid'],
    ]);
  });

  it('writes charts and a page with numbers, references, verdicts and the command', () => {
    for (const file of [report.csv, ...report.charts]) expect(existsSync(scratch.file(file))).toBe(true);
    expect(report.charts).toEqual(['sums.svg', 'sums.png']);
    expect(page).toContain('![Sums](sums.svg)');
    expect(page).toContain('| a | the sum: reference | the sum: here | who is not here |');
    expect(page).toContain('| 1 | 5 | 6 (5.2 – 6.8) |  |');
    expect(page).toContain('| 2 |  | 7 (6.2 – 7.8) |  |');
    expect(page).toContain('| ✗ fails | It falls. | 6 → 7 |');
    expect(page).toContain('```text\nnpm run reproduce -- sums\n```');
    expect(page).not.toContain(scratch.path);
  });

  it('draws galleries, and redraws them only after further trials', async () => {
    expect(report.galleries).toEqual(['sums-seen.png']);
    expect(page).toContain('![A sum as a grey](sums-seen.png)');
    expect(drawings).toBe(1);
    await writeReport(experiment, trials, setup);
    expect(drawings).toBe(1);
    const later = new Date(Date.now() + 5000);
    utimesSync(scratch.file(report.csv), later, later); // as after a later trial
    await writeReport(experiment, trials, setup);
    expect(drawings).toBe(2);
  });

  it('says how far an unfinished run is', async () => {
    expect(page).toContain('Everything. 3 trials at each of 2 points.');
    const partial = await writeReport(experiment, trials.slice(0, 5), setup);
    expect([partial.trials, partial.extent]).toEqual([3, '2 to 3 trials at each of 2 points, of 3 planned']);
    expect(readFileSync(scratch.file(report.page), 'utf8')).toContain(`Everything. ${partial.extent}.`);
  });

  it('counts the verdicts on the page of several experiments', async () => {
    const file = await writeIndex([report, report], { folder: scratch.path, name: 'index', command: 'x' });
    const index = readFileSync(scratch.file(file), 'utf8');
    expect(index).toContain('2 experiments, 10 claims: 2 hold, 6 fail, 2 not measured');
    expect(index).toContain('## [Sums of | numbers](sums.md)');
    expect(index).toContain('## What fails');
    expect(index.match(/\| It falls\. \| 6 → 7 \| \[Sums of \\\| numbers\]\(sums\.md\) \|/g)).toHaveLength(2);
    expect(index).not.toContain('| group |'); // of one only

    const other = await writeIndex([report, { ...report, group: 'other' }], {
      folder: scratch.path,
      name: 'two',
      command: 'x',
    });
    expect(readFileSync(scratch.file(other), 'utf8')).toContain('| other | 1 | 1 | 3 | 1 |');
  });
});

it('quantiles lie between the values', () => {
  const values = Float64Array.of(1, 2, 4);
  expect([0, 0.25, 0.5, 0.75, 1].map((share) => quantile(values, share))).toEqual([1, 1.5, 2, 3, 4]);
});
