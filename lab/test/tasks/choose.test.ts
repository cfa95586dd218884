/** Who takes part: parts, words in names, numbers of features. */

import { settleOptions } from 'orthodict/extend';
import { describe, expect, it } from 'vitest';
import { contenders, realContenders } from '#lab/contenders/index.ts';
import { asFlags, optionsFor, PCA, PLAIN, REFERENCE, STEPS } from '#lab/contenders/our-options.ts';
import { processContenders } from '#lab/contenders/whole-processes.ts';
import { choose, type Field } from '#lab/tasks/choose.ts';
import { MODEL_TASKS } from '#lab/tasks/models/index.ts';
import { type BenchOptions, settleBench } from '#lab/tasks/options.ts';
import { REAL_SETS } from '#lab/tasks/real/real-sets.ts';
import { DATA_SETS } from '#lab/tasks/recovery/data-sets.ts';

const all: Field = {
  sets: DATA_SETS.small,
  recovery: contenders,
  processes: processContenders,
  realSets: REAL_SETS,
  real: realContenders,
  models: MODEL_TASKS,
};
const chosen = (options: BenchOptions) => choose(all, settleBench(options));
const names = (list: ReadonlyArray<{ readonly name: string }>) => list.map(({ name }) => name);

describe('choose', () => {
  it('takes everybody and everything if asked for peers', () => {
    expect(chosen({ peers: true })).toEqual({ ...all, skipped: [] });
  });

  it('takes only ours without peers', () => {
    const { recovery, processes, real } = chosen({});
    for (const { ours } of [...recovery, ...processes, ...real]) expect(ours).toBe(true);
    expect(names(processes)).toEqual(['orthodict native', 'orthodict wasm']);
    expect(names(real)).toEqual(['orthodict default', 'orthodict plain', 'orthodict PCA']);
  });

  it('leaves out what belongs to other parts', () => {
    expect(chosen({ parts: ['real'], peers: true })).toMatchObject({
      sets: [],
      recovery: [],
      processes: [],
      skipped: [],
    });
    expect(chosen({ parts: ['processes'] })).toMatchObject({ recovery: [], real: [], realSets: [] });
    expect(chosen({ parts: ['processes'] }).sets).toEqual(all.sets);
    expect(chosen({ parts: ['micro'] })).toMatchObject({
      sets: [],
      recovery: [],
      processes: [],
      realSets: [],
      real: [],
    });
  });

  it('narrows all parts by words and by features, and says which part is left without any', () => {
    const numpy = chosen({ peers: true, only: ['NUMPY'] });
    expect([numpy.recovery, numpy.processes, numpy.real].map(names)).toEqual(Array(3).fill(['NumPy plain MSP']));
    const matrix = chosen({ peers: true, only: ['ml-matrix'], features: [25] });
    expect(names(matrix.recovery)).toEqual(['ml-matrix MSP']);
    expect(matrix.skipped).toEqual([
      { name: 'processes', reason: 'no contender has ml-matrix in its name' },
      { name: 'real data', reason: 'no data with 25 features' },
      { name: 'real data', reason: 'no contender has ml-matrix in its name' },
    ]);
    const hundred = chosen({ features: [100] });
    expect([hundred.sets.map(({ features }) => features), names(hundred.realSets)]).toEqual([[100], ['MNIST']]);
  });

  it('refuses what chooses nothing at all, with what there is', () => {
    expect(() => chosen({ only: ['numpy'] })).toThrow(
      /^bench: only must be words of "orthodict native".*; got numpy\.$/,
    );
    expect(() => chosen({ features: [7] })).toThrow(/^bench: features must be among 25, 100, 64; got 7\.$/);
    expect(() => chosen({ parts: ['recovery'], features: [64] })).toThrow('among 25, 100');
  });
});

describe('our options', () => {
  it('are options of learn', () => {
    for (const options of [optionsFor(5e-3), optionsFor(1e-10), PLAIN, REFERENCE, PCA, ...Object.values(STEPS)]) {
      expect(() => settleOptions(options)).not.toThrow();
    }
  });

  it('become flags', () => {
    expect(asFlags({ refine: 'none', maxIterations: 5 })).toEqual(['--refine', 'none', '--max-iterations', '5']);
    expect(asFlags({})).toEqual([]);
  });
});
