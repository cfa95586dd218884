/** The benchmark from end to end on data so small that every contender can finish, and what is made of its results. */
import { mkdirSync, readdirSync } from 'node:fs';
import { chartSvg } from 'orthodict/node';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { benchCharts } from '#lab/charts/bench-charts.ts';
import { contenders, realContenders } from '#lab/contenders/index.ts';
import { reportTables } from '#lab/report/bench-tables.ts';
import { markdownTables } from '#lab/report/table.ts';
import { type Bench, bench } from '#lab/tasks/bench.ts';
import { TARGETS } from '#lab/tasks/recovery/objective.ts';
import { scratchDirectory } from '../../../test/helpers/scratch.ts';
import { startLab } from '../command.ts';
import { absent, elsewhere, guess, present, realSets, set } from './tiny.ts';

/** The methods of this package that run on every machine, and the program that comes with the installation. */
const EVERYWHERE = ['orthodict wasm', 'orthodict js', 'ml-matrix MSP'];
/** Many processes are started: on a busy machine a minute may not do. */
const HOOK_LIMIT_MS = 240_000;
const scratch = scratchDirectory();
let result: Bench;
beforeAll(async () => {
  result = await bench(
    { peers: true, repeats: 2 },
    {
      field: {
        sets: [set],
        recovery: [...contenders, present, absent],
        realSets: [...realSets, elsewhere],
        models: [guess],
      },
      startUpRounds: 1,
      stepGroups: [{ features: 8, samples: 500, steps: { msp: 2, givens: 1, ksvd: 1 } }],
      microSizes: { product: 64, fused: [8], pass: { features: 16, samples: 4096 } },
      microRounds: 1,
      structuredSizes: { features: 64, samples: 500, reflectors: 2, rotations: 50 },
    },
  );
  for (const { name, reason } of result.skipped) {
    if (name !== absent.name && name !== elsewhere.name) console.warn(`bench: ${name} is not checked, ${reason}.`);
  }
}, HOOK_LIMIT_MS);

const resultsOf = (...names: string[]) =>
  result.recovery[0].results.filter(({ contender }) => names.includes(contender));

describe('bench', () => {
  it('accounts for every contender: a result per target, or a reason why it was skipped', () => {
    const skipped = result.skipped.map(({ name }) => name);
    const running = [...contenders, present].map(({ name }) => name).filter((name) => !skipped.includes(name));
    expect(running).toEqual(expect.arrayContaining(EVERYWHERE));
    expect(result.contenders.map(({ name }) => name)).toEqual(expect.arrayContaining(running));
    expect(result.recovery[0].results.map(({ contender, target }) => [contender, target])).toEqual(
      running.flatMap((name) => TARGETS.map((target) => [name, target])),
    );
    expect(result.skipped).toContainEqual({ name: 'absent', reason: 'nowhere to be found' });
    for (const { reason } of result.skipped) expect(reason).not.toBe('');
  });

  it('takes the time of the first dictionary that reaches the target', () => {
    const results = resultsOf('present');
    expect(results.map(({ seconds, runs, last }) => [seconds, runs, last?.seconds])).toEqual([
      [2, 1, 2],
      [2, 1, 2],
    ]);
    const ratios = result.recovery[0].ratios.filter(({ other }) => other === 'present');
    for (const name of ['orthodict wasm', 'orthodict js']) {
      for (const { target, seconds } of resultsOf(name)) {
        expect(ratios.find((ratio) => ratio.ours === name && ratio.target === target)?.best).toBe(2 / seconds!);
      }
    }
  });

  it('has orthodict reach both targets, and gives a time or a reason for everyone else', () => {
    for (const { contender, ours, target, seconds, error, reason } of result.recovery[0].results) {
      if (ours) expect([contender, target, seconds !== null && error! <= target]).toEqual([contender, target, true]);
      if (seconds === null) expect(reason).toBeTruthy();
      else {
        expect(seconds).toBeGreaterThan(0);
        expect(error).toBeLessThanOrEqual(target);
      }
    }
  });

  it('runs plain MSP to the error that ℓ4 maximisation can reach, in every language', () => {
    const msp = result.recovery[0].results.filter(({ contender }) => contender.endsWith('MSP'));
    expect(msp.map(({ contender }) => contender)).toContain('ml-matrix MSP');
    for (const { last } of msp) expect(last!.score).toBeLessThan(0.02);
  });

  it('gives every available contender a time and a sensible dictionary', () => {
    for (const { contender, last, reason } of result.recovery[0].results) {
      const sensible = last !== null && last.seconds > 0 && last.score < 0.1;
      expect(sensible, `${contender}: ${reason}`).toBe(true);
    }
  });

  it('runs whole processes: ours to both targets, NumPy with exactly the iterations that it needs', () => {
    const [{ results }] = result.processes;
    expect(results.map(({ contender, target }) => [contender, target])).toEqual(
      ['orthodict native', 'NumPy plain MSP', 'orthodict wasm'].flatMap((name) =>
        TARGETS.map((target) => [name, target]),
      ),
    );
    for (const { contender, target, medianSeconds, error, runs, reason } of results) {
      const possible = contender === 'orthodict wasm' || (contender === 'NumPy plain MSP' && target > 1e-4 && !reason);
      if (possible) {
        expect([contender, reason, runs]).toEqual([contender, undefined, 1]);
        expect(medianSeconds).toBeGreaterThan(0);
        expect(error).toBeLessThanOrEqual(target);
      } else if (medianSeconds === null) expect(reason).toBeTruthy();
    }
    const numpy = resultsOf('NumPy plain MSP')[0];
    const alone = results.find(({ contender }) => contender === 'NumPy plain MSP')!;
    if (numpy) expect(alone.error).toBeCloseTo(numpy.error!, 10); // the same iterate
  });

  it('compares start-up with that of Node', () => {
    expect(result.startUp.map(({ name }) => name).slice(0, 3)).toEqual([
      'node -e 0',
      'orthodict --version',
      'orthodict learn, 1,000×10 CSV',
    ]);
    for (const { seconds, runs } of result.startUp) expect([seconds > 0, runs]).toEqual([true, 1]);
    expect(result.startUp[0].ofNode).toBe(1);
  });

  it('judges everybody on held-out samples of real data, and says which data is not here', () => {
    expect(result.real.map(({ set }) => set.name)).toEqual(['small']);
    expect(result.skipped).toContainEqual({ name: 'elsewhere', reason: 'not installed' });
    const [{ results, references }] = result.real;
    expect(references[0].residual).toBeLessThan(0.2);
    const skipped = result.skipped.map(({ name }) => name);
    expect(results.map(({ contender }) => contender)).toEqual(
      realContenders.map(({ name }) => name).filter((name) => !skipped.includes(name)),
    );
    for (const { contender, residual, seconds, passes, ofReference, reason, marks } of results) {
      expect([contender, reason]).toEqual([contender, undefined]);
      expect(seconds).toBeGreaterThan(0);
      expect(passes).toBeGreaterThan(0);
      expect(residual).toBeGreaterThan(0);
      expect(residual).toBeLessThan(0.5);
      expect(ofReference).toBeCloseTo(residual! / references[0].residual, 12);
      expect(marks.length).toBeGreaterThan(0);
    }
    const ours = results.find(({ contender }) => contender === 'orthodict default')!;
    expect(ours.marks.length).toBeGreaterThan(2); // stopped runs, and the whole one
    const plain = results.find(({ contender }) => contender === 'orthodict plain')!;
    expect(plain.ofReference).toBeCloseTo(1, 3); // the same method from the same start
  });

  it('measures time and memory of the whole command on both files', () => {
    expect(result.memory.map(({ precision }) => precision)).toEqual(['f64', 'f32']);
    for (const { error, seconds, peakBytes, fileBytes, reason } of result.memory) {
      expect(error).toBeLessThan(1e-10);
      expect(seconds).toBeGreaterThan(0);
      expect(fileBytes).toBeGreaterThan(4000 * 8 * 4);
      expect(peakBytes === null ? reason : peakBytes > 10e6).toBeTruthy();
    }
  });

  it('measures the speed of every backend, relative to BLAS if available', () => {
    const { rates, skipped } = result.micro!;
    const noBlas = skipped.some(({ what }) => what === 'BLAS');
    for (const { gflops, ofBlas } of rates) {
      expect(gflops).toBeGreaterThan(0);
      expect(ofBlas === null).toBe(noBlas);
    }
    expect(new Set(rates.filter(({ backend }) => backend === 'wasm').map(({ what }) => what))).toEqual(
      new Set(['product', 'fused', 'pass']),
    );
  });

  it('times structured dictionaries against a matrix', () => {
    expect(new Set(result.structured.map(({ kind }) => kind))).toEqual(new Set(['householder', 'givens']));
    for (const { seconds, denseSeconds } of result.structured) {
      expect(Math.min(seconds, denseSeconds)).toBeGreaterThan(0);
    }
  });

  it('times single steps', () => {
    expect(new Set(result.steps.map(({ what }) => what))).toEqual(new Set(['msp', 'givens', 'ksvd']));
    for (const { seconds } of result.steps) expect(seconds).toBeGreaterThan(0);
    const names = result.figures.map(({ name }) => name).join();
    expect(names).toContain('Givens sweep / MSP pass, n=8');
    expect(names).toContain('K-SVD, n=8');
  });

  it('survives JSON in full', () => {
    const text = JSON.stringify(result);
    expect(text).not.toMatch(/null,"ofBlas"|NaN|Infinity/);
    const about = ['machine', 'options', 'contenders', 'skipped'];
    const measured = ['recovery', 'processes', 'startUp', 'memory', 'real', 'models', 'micro', 'structured', 'steps'];
    expect(Object.keys(JSON.parse(text))).toEqual([...about, ...measured, 'figures']);
  });
});

describe('report', () => {
  it('has rows as long as their headers, and names every contender', () => {
    const tables = reportTables(result);
    for (const { header, rows } of tables) for (const row of rows) expect(row).toHaveLength(header.length);
    const names = tables[0].rows.map(([name]) => name);
    expect(names).toEqual([...new Set(result.recovery[0].results.map(({ contender }) => contender))]);
    expect(tables[0].header).toContain('s to 0.5 %');
    expect(tables[0].header).toContain('s to 1e-10');
  });

  it('has a table for every part', () => {
    const titles = reportTables(result).map(({ title }) => title);
    for (const words of [
      'recovery error',
      'whole processes',
      'Start-up',
      'memory',
      'held-out',
      'GFLOPS',
      'structured',
      'One step',
      'Figures',
    ]) {
      expect(titles.filter((title) => title.includes(words))).toHaveLength(1);
    }
  });

  it('prints the same tables as Markdown', () => {
    const tables = reportTables(result);
    const lines = markdownTables(tables).split('\n');
    const rows = lines.filter((line) => line.startsWith('| '));
    expect(rows).toHaveLength(tables.reduce((sum, table) => sum + table.rows.length + 2, 0));
    for (const { title, header } of tables) {
      const at = lines.indexOf(`**${title}**`);
      const cells = (line: string) =>
        line
          .slice(2, -2)
          .split(' | ')
          .map((cell) => cell.trim());
      expect(cells(lines[at + 2])).toEqual(header);
      expect(cells(lines[at + 3])).toHaveLength(header.length);
    }
  });

  it('draws a bar for every time, and points for the dictionaries of everybody', async () => {
    const { models, ...charts } = benchCharts(result);
    expect(Object.keys(charts)).toEqual(['times', 'recovery', 'real']);
    expect(models !== undefined).toBe(result.models.some(({ verdict }) => verdict !== null));
    const svgs = await Promise.all(Object.values(charts).map(chartSvg));
    const svg = svgs.join('');
    for (const one of svgs) expect(one).toMatch(/^<svg /);
    const bars = svg.match(/aria-roledescription="bar"/g) ?? [];
    expect(bars).toHaveLength(result.recovery[0].results.filter(({ medianSeconds }) => medianSeconds !== null).length);
    const highest = 1.4 * result.real[0].references[0].residual;
    const shown = result.real[0].results.flatMap(({ marks }) => marks.filter(({ score }) => score <= highest));
    const points = svg.match(/aria-roledescription="point"/g) ?? [];
    const curves = result.recovery[0].curves.filter(({ marks }) => marks.length > 0);
    const all = curves.flatMap(({ marks }) => marks); // drawn unless too close to another in time
    expect(points.length).toBeGreaterThanOrEqual(curves.length + shown.length);
    expect(points.length).toBeLessThanOrEqual(all.length + shown.length);
    const drawn = [
      ...curves,
      ...result.real[0].results.filter(({ marks }) => marks.some(({ score }) => score <= highest)),
    ];
    expect(drawn.map(({ contender }) => contender).filter((name) => !svg.includes(name))).toEqual([]);
    for (const words of ['Recovery error of a planted', 'keep 3 codes', 'median of the rounds'])
      expect(svg).toContain(words);
  });
});

describe('npm run bench', () => {
  it('ends with 130 on Ctrl-C and leaves no files', async () => {
    const folder = scratch.file('runs');
    mkdirSync(folder);
    vi.stubEnv('TMPDIR', folder); // where the process puts its temporary files
    const run = startLab(['bench', '--recovery']);
    while (readdirSync(folder).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    run.kill('SIGINT');
    const { code, stdout, stderr } = await run.finished;
    expect([code, stdout, stderr]).toEqual([130, '', 'interrupted.\n']);
    expect(readdirSync(folder)).toEqual([]);
  });

  afterEach(() => {
    vi.unstubAllEnvs();
  });
});
