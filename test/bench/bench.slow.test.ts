/** The benchmark from end to end on data so small that every contender can finish, and what is made of its results. */
import { mkdirSync, readdirSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Bench, bench, TARGETS } from '#src/bench/bench.ts';
import type { Contender } from '#src/bench/contender.ts';
import { contenders } from '#src/bench/contenders/index.ts';
import type { DataSet } from '#src/bench/data-sets.ts';
import { benchChart } from '#src/bench/plot.ts';
import { reportTables } from '#src/bench/report.ts';
import { identity } from '#src/core/matrix.ts';
import { learn } from '#src/learn/learn.ts';
import { chartSvg } from '#src/node/files/chart.ts';
import { startCli } from '../helpers/run.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { testSeed } from '../helpers/seed.ts';

/** Enough samples for ℓ4 maximisation to get below 0.5 %. */
const set: DataSet = { features: 8, samples: 4000, theta: 0.3, seed: testSeed(1), mostRepeats: 1, limitSeconds: 30 };
/** The methods of this package that run on every machine, and the peer that comes with the installation. */
const EVERYWHERE = ['orthodict wasm', 'orthodict js', 'ml-matrix MSP'];
const absent: Contender = {
  name: 'absent',
  ours: false,
  targeted: false,
  open: async () => ({ missing: 'nowhere to be found' }),
};

/** A peer that is here on every machine, and reaches the targets with its second dictionary, after 2 seconds. */
const present: Contender = {
  name: 'present',
  ours: false,
  targeted: false,
  open: async () => ({
    description: 'a peer of this test',
    run: async ({ samples }) => [
      { seconds: 1, atoms: identity(samples.cols) },
      { seconds: 2, atoms: (await learn(samples)).dictionary.atoms },
    ],
    close: async () => {},
  }),
};

const scratch = scratchDirectory();
let result: Bench;
beforeAll(async () => {
  result = await bench(
    { peers: true, repeats: 2 },
    {
      dataSets: [set],
      contenders: [...contenders, present, absent],
      microSizes: { product: 64, fused: [8], pass: { features: 16, samples: 4096 } },
      microRounds: 1,
      structuredSizes: { features: 64, samples: 500, reflectors: 2, rotations: 50 },
    },
  );
  for (const { name, reason } of result.skipped) {
    if (name !== absent.name) console.warn(`bench: ${name} is not checked, ${reason}.`);
  }
});

const resultsOf = (...names: string[]) => result.races[0].results.filter(({ contender }) => names.includes(contender));

describe('bench', () => {
  it('accounts for every contender: a result per target, or a reason why it was skipped', () => {
    const skipped = result.skipped.map(({ name }) => name);
    const racing = [...contenders, present].map(({ name }) => name).filter((name) => !skipped.includes(name));
    expect(racing).toEqual(expect.arrayContaining(EVERYWHERE));
    expect(result.contenders.map(({ name }) => name)).toEqual(racing);
    expect(result.races[0].results.map(({ contender, target }) => [contender, target])).toEqual(
      racing.flatMap((name) => TARGETS.map((target) => [name, target])),
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
    const peers = result.races[0].ratios.filter(({ peer }) => peer === 'present');
    for (const name of ['orthodict wasm', 'orthodict js']) {
      for (const { target, seconds } of resultsOf(name)) {
        expect(peers.find((ratio) => ratio.ours === name && ratio.target === target)?.best).toBe(2 / seconds!);
      }
    }
  });

  it('has orthodict reach both targets, and gives a time or a reason for everyone else', () => {
    for (const { contender, ours, target, seconds, error, reason } of result.races[0].results) {
      if (ours) expect([contender, target, seconds !== null && error! <= target]).toEqual([contender, target, true]);
      if (seconds === null) expect(reason).toBeTruthy();
      else {
        expect(seconds).toBeGreaterThan(0);
        expect(error).toBeLessThanOrEqual(target);
      }
    }
  });

  it('runs plain MSP to the error that ℓ4 maximisation can reach, in every language', () => {
    const msp = result.races[0].results.filter(({ contender }) => contender.endsWith('MSP'));
    expect(msp.map(({ contender }) => contender)).toContain('ml-matrix MSP');
    for (const { last } of msp) expect(last!.error).toBeLessThan(0.02);
  });

  it('gives every available peer a time and a sensible dictionary', () => {
    for (const { contender, last } of result.races[0].results) {
      expect([contender, last !== null && last.seconds > 0 && last.error < 0.1]).toEqual([contender, true]);
    }
  });

  it('runs the whole command on both files', () => {
    expect(result.commands).toHaveLength(2);
    for (const { error, seconds, peakBytes, fileBytes, reason } of result.commands) {
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

  it('survives JSON in full', () => {
    const text = JSON.stringify(result);
    expect(text).not.toMatch(/null,"ofBlas"|NaN|Infinity/);
    const keys = ['machine', 'options', 'contenders', 'skipped', 'races', 'commands', 'micro', 'structured', 'figures'];
    expect(Object.keys(JSON.parse(text))).toEqual(keys);
  });
});

describe('report', () => {
  it('has rows as long as their headers, and names every contender', () => {
    const tables = reportTables(result);
    for (const { header, rows } of tables) for (const row of rows) expect(row).toHaveLength(header.length);
    const names = tables[0].rows.map(([name]) => name);
    expect(names).toEqual(result.contenders.map(({ name }) => name));
    expect(tables[0].header).toContain('s to 0.5 %');
    expect(tables[0].header).toContain('s to 1e-10');
  });

  it('draws a chart with a bar for every time', async () => {
    const svg = await chartSvg(benchChart(result));
    const bars = svg.match(/aria-roledescription="bar"/g) ?? [];
    expect(bars).toHaveLength(result.races[0].results.filter(({ seconds }) => seconds !== null).length);
    for (const { name } of result.contenders) expect(svg).toContain(name);
  });
});

describe('orthodict bench', () => {
  it('ends with 130 on Ctrl-C and leaves no files', async () => {
    const folder = scratch.file('runs');
    mkdirSync(folder);
    vi.stubEnv('TMPDIR', folder); // where the process puts its temporary files
    const run = startCli(['bench', '--races']);
    while (readdirSync(folder).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    run.kill('SIGINT');
    const { code, stdout, stderr } = await run.finished;
    expect([code, stdout, stderr]).toEqual([130, '', 'orthodict: interrupted.\n']);
    expect(readdirSync(folder)).toEqual([]);
  });

  afterEach(() => {
    vi.unstubAllEnvs();
  });
});
