/** A run interrupted anywhere and resumed gives the same bytes as an uninterrupted one. */
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import type { Matrix } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import type { Checkpoint, CheckpointStore } from '#src/engine/checkpoint.ts';
import type { Executor } from '#src/engine/executor.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import type { RunOptions } from '#src/engine/run.ts';
import { type LearnResult, learn } from '#src/learn/learn.ts';
import type { LearnOptions } from '#src/learn/option-types.ts';
import { readArrays, writeArrays } from '#src/node/io/arrays.ts';
import { fileCheckpoint, withChecksum } from '#src/node/io/checkpoint-file.ts';
import { saveModel } from '#src/node/io/model-file.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { fastKernels } from '../../helpers/kernels.ts';
import { leftoverFiles, scratchDirectory } from '../../helpers/scratch.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(71);
const scratch = scratchDirectory();
const executor = inlineExecutor(fastKernels);
const orthogonal = generate({ samples: 3000, features: 10, theta: 0.3, seed });
// every step and pass of these is interrupted: enough samples to recover from, so that all stages occur, and no more
const fewer = generate({ samples: 1000, features: 10, theta: 0.3, seed });
const complete = generate({ samples: 1300, features: 8, theta: 0.25, condition: 20, seed });

let files = 0;
const freshFile = () => scratch.file(`checkpoint-${++files}.npz`);

async function modelBytes(result: LearnResult): Promise<Buffer> {
  const path = scratch.file('model.npz');
  await saveModel(path, result);
  return readFileSync(path);
}

/** Stops after step k of the whole run, both stages counted together. */
function abortAfter(k: number): Pick<RunOptions, 'signal' | 'onProgress'> {
  const controller = new AbortController();
  let steps = 0;
  return {
    signal: controller.signal,
    onProgress: () => {
      if (++steps === k) controller.abort(new Error('interrupted'));
    },
  };
}

/** Stops when the given pass over the data has begun; the first two prepare. */
function abortInPass(pass: number): Pick<RunOptions, 'signal' | 'executor'> {
  const controller = new AbortController();
  let passes = 0;
  const sum: Executor['sum'] = (...args) => {
    if (++passes === pass) controller.abort(new Error('interrupted'));
    return executor.sum(...args);
  };
  return { signal: controller.signal, executor: { ...executor, sum } };
}

// too few for the l4 norm: a search follows, which keeps some atoms and looks for the others
const few = generate({ samples: 40, features: 8, theta: 0.4, seed });

const kinds: [string, Matrix, LearnOptions][] = [
  ['an orthogonal dictionary', fewer.samples, { seed, maxIterations: 12 }],
  ['a complete dictionary', complete.samples, { seed, whiten: 'zca', center: true, maxIterations: 12 }],
  ['a search by likelihood', few.samples, { seed, maxIterations: 30 }],
  ['plain MSP without refinement', fewer.samples, { seed, shift: 'none', refine: 'none', maxIterations: 25 }],
  [
    'pga in float64',
    fewer.samples,
    { seed, method: 'pga', step: 0.01, precision: 'f64', maxIterations: 9, refine: 'none' },
  ],
  ['procrustes', fewer.samples, { seed, method: 'procrustes', keep: 3, maxIterations: 6 }],
  ['a product of rotations', fewer.samples, { seed, method: 'gtransform', rotations: 20, maxIterations: 6 }],
];

describe.each(kinds)('%s', (_, samples, options) => {
  it('has the same bytes when interrupted at any step and resumed', async () => {
    const stages: string[] = [];
    const whole = await learn(samples, options, { executor, onProgress: ({ solver }) => void stages.push(solver) });
    const expected = await modelBytes(whole);
    for (let k = 1; k <= stages.length; k++) {
      const checkpoint = fileCheckpoint(freshFile(), 1e9); // saved only by the interruption
      const first = await learn(samples, options, { executor, checkpoint, ...abortAfter(k) });
      // the last step of a stage may end the run before the abort is seen
      if (first.status === 'aborted') {
        const resumed = await learn(samples, options, { executor, checkpoint, resume: true });
        expect(Buffer.compare(await modelBytes(resumed), expected), `after step ${k}, ${stages[k - 1]}`).toBe(0);
        expect(resumed.passes).toBe(whole.passes);
      } else {
        expect(k).toBe(stages.length);
      }
    }
    expect(stages.length).toBeGreaterThanOrEqual(6);
  });

  it('has the same bytes when killed at any moment: resumed from every checkpoint that was written', async () => {
    const saved: Checkpoint[] = [];
    const recorder: CheckpointStore = {
      interval: 0,
      load: async () => undefined,
      save: async (checkpoint) => void saved.push(structuredClone(checkpoint)),
    };
    const whole = await learn(samples, options, { executor, checkpoint: recorder });
    const expected = await modelBytes(whole);
    expect(saved.length).toBeGreaterThanOrEqual(whole.iterations);
    for (const [k, checkpoint] of saved.entries()) {
      const store: CheckpointStore = { interval: 1e9, load: async () => checkpoint, save: async () => {} };
      const resumed = await learn(samples, options, { executor, checkpoint: store, resume: true });
      expect(Buffer.compare(await modelBytes(resumed), expected), `from save ${k} of ${saved.length}`).toBe(0);
    }
  });

  it('has the same bytes after an interruption in any pass over the data', async () => {
    const whole = await learn(samples, options, { executor });
    const expected = await modelBytes(whole);
    for (let pass = 3; pass <= whole.passes; pass++) {
      const checkpoint = fileCheckpoint(freshFile(), 1e9);
      const first = await learn(samples, options, { checkpoint, ...abortInPass(pass) });
      expect(first.status).toBe('aborted');
      const resumed = await learn(samples, options, { executor, checkpoint, resume: true });
      expect(Buffer.compare(await modelBytes(resumed), expected), `in pass ${pass} of ${whole.passes}`).toBe(0);
    }
  });

  it('survives several interruptions through a file', async () => {
    const expected = await modelBytes(await learn(samples, options, { executor }));
    const checkpoint = fileCheckpoint(freshFile(), 0);
    let result = await learn(samples, options, { executor, checkpoint, ...abortAfter(2) });
    for (let i = 0; i < 40 && result.status === 'aborted'; i++) {
      result = await learn(samples, options, { executor, checkpoint, resume: true, ...abortAfter(2) });
    }
    expect(result.status).not.toBe('aborted');
    expect(Buffer.compare(await modelBytes(result), expected)).toBe(0);
  });
});

describe('a checkpoint of something else is refused:', () => {
  const other = generate({ samples: 3000, features: 10, theta: 0.3, seed: seed + 1 });
  const oneNumber = { ...orthogonal.samples, data: Float64Array.from(orthogonal.samples.data) };
  oneNumber.data[12_345] += 1e-9;
  const oneLess = { rows: 2999, cols: 10, data: orthogonal.samples.data.slice(0, 29_990) } as Matrix;
  const start = normalMatrix(10, 10, createRandom(seed, 'start'));

  async function refusal(samples: Matrix, options: LearnOptions, made: LearnOptions = {}): Promise<unknown> {
    const checkpoint = fileCheckpoint(freshFile());
    await learn(orthogonal.samples, made, { executor, checkpoint, ...abortAfter(2) });
    return learn(samples, options, { executor, checkpoint, resume: true }).catch((error: unknown) => error);
  }

  it.each([
    ['other samples', other.samples],
    ['one number that differs by 1e-9', oneNumber],
    ['a sample less', oneLess],
  ])('%s', async (_, samples) => {
    expect(await refusal(samples, {})).toEqual(
      new InputError(
        'learn: the checkpoint must have been made from the same data; got one from other samples. Delete the checkpoint, or run without resuming.',
      ),
    );
  });

  it.each<[string, LearnOptions, string]>([
    ['method', { method: 'pga' }, '"msp" there, "pga" here'],
    ['norm', { norm: 6 }, '4 there, 6 here'],
    ['shift', { shift: 'none' }, '"auto" there, "none" here'],
    ['shift', { shift: 7 }, '"auto" there, 7 here'],
    ['refine', { refine: 'none' }, '"auto" there, "none" here'],
    ['whiten', { whiten: 'zca' }, '"none" there, "zca" here'],
    ['components', { components: 5 }, 'not set there, 5 here'],
    ['center', { center: true }, 'false there, true here'],
    ['precision', { precision: 'f64' }, '"mixed" there, "f64" here'],
    ['tolerance', { tolerance: 0 }, '"auto" there, 0 here'],
    ['objectiveTolerance', { objectiveTolerance: 0 }, '1e-8 there, 0 here'],
    ['seed', { seed: 9 }, '0 there, 9 here'],
    ['start', { start }, '"random" there, "given'],
  ])('another %s', async (name, options, words) => {
    const error = await refusal(orthogonal.samples, options);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toContain(
      `learn: the checkpoint must have been made with the same options; got another ${name} (${words}`,
    );
  });

  it('another step', async () => {
    const error = await refusal(orthogonal.samples, { method: 'pga', step: 2 }, { method: 'pga' });
    expect((error as Error).message).toContain('got another step (not set there, 2 here).');
  });

  it('another start, though both were given', async () => {
    const error = await refusal(orthogonal.samples, { start }, { start: orthogonal.atoms });
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toContain('got another start');
  });

  it('other kernels', async () => {
    const checkpoint = fileCheckpoint(freshFile());
    await learn(orthogonal.samples, {}, { executor, checkpoint, ...abortAfter(2) });
    const { referenceKernels } = await import('#src/kernels/reference.ts');
    const js = inlineExecutor(referenceKernels);
    if (fastKernels.name === 'js') return;
    await expect(learn(orthogonal.samples, {}, { executor: js, checkpoint, resume: true })).rejects.toThrow(
      `learn: the checkpoint must have been made with the same options; got another backend ("${fastKernels.name}" there, "js" here).`,
    );
  });
});

describe('the file', () => {
  it('need not exist to resume: the run then starts from the beginning', async () => {
    const path = freshFile();
    const whole = await learn(orthogonal.samples, {}, { executor });
    const resumed = await learn(orthogonal.samples, {}, { executor, checkpoint: fileCheckpoint(path), resume: true });
    expect(Buffer.compare(await modelBytes(resumed), await modelBytes(whole))).toBe(0);
    expect(existsSync(path)).toBe(true);
  });

  it('is ignored and replaced when the run does not resume', async () => {
    const path = freshFile();
    writeFileSync(path, 'not a checkpoint');
    await learn(orthogonal.samples, {}, { executor, checkpoint: fileCheckpoint(path) });
    expect(await fileCheckpoint(path).load()).toBeDefined();
  });

  it('that was cut off anywhere, or is something else, is an input error', async () => {
    const path = freshFile();
    const checkpoint = fileCheckpoint(path);
    await learn(orthogonal.samples, {}, { executor, checkpoint, ...abortAfter(3) });
    const length = readFileSync(path).length;
    const whole = readFileSync(path);
    for (const cut of [0, 1, 100, Math.floor(length / 2), length - 1]) {
      writeFileSync(path, whole);
      truncateSync(path, cut);
      const run = learn(orthogonal.samples, {}, { executor, checkpoint, resume: true });
      await expect(run, `${cut} bytes`).rejects.toBeInstanceOf(InputError);
    }
    await saveModel(path, await learn(orthogonal.samples, {}, { executor }));
    await expect(checkpoint.load()).rejects.toThrow(
      `${path}: must be a checkpoint of orthodict; got a file of another kind.`,
    );
    await writeArrays(path, { a: orthogonal.atoms });
    await expect(checkpoint.load()).rejects.toThrow(
      `${path}: must be a checkpoint of orthodict; got a file without meta.`,
    );
  });

  it('with a missing array or field is an input error', async () => {
    const path = freshFile();
    const meta = (fields: object) => JSON.stringify({ checkpoint: 6, identity: {}, finished: [], ...fields });
    const resume = () => learn(orthogonal.samples, {}, { executor, checkpoint: fileCheckpoint(path), resume: true });
    for (const text of [meta({ finished: [{ iterations: 3 }] }), meta({ current: {} }), 'no JSON']) {
      await writeArrays(path, withChecksum({ meta: text }));
      await expect(resume()).rejects.toBeInstanceOf(InputError);
    }
    await writeArrays(path, withChecksum({ meta: meta({ checkpoint: 5 }) }));
    await expect(resume()).rejects.toThrow(
      `${path}: must be a checkpoint of orthodict; got one of another version of orthodict. Delete it, or run without resuming.`,
    );
  });

  it('that is spoiled is named in the message, with what is wrong and what to do', async () => {
    const path = freshFile();
    const checkpoint = fileCheckpoint(path);
    await learn(orthogonal.samples, {}, { executor, checkpoint, ...abortAfter(3) });
    const resume = () => learn(orthogonal.samples, {}, { executor, checkpoint, resume: true });
    const loaded = (await checkpoint.load())!;
    const small = { rows: 2, cols: 2, data: Float64Array.of(1, 0, 0, 1) };
    await checkpoint.save({
      ...loaded,
      current: { ...loaded.current!, state: { ...loaded.current!.state, matched: small } },
    });
    await expect(resume()).rejects.toThrow(
      `learn: current.matched in the checkpoint ${path} must be 10×10, orthogonal; got 2×2. Delete the checkpoint, or run without resuming.`,
    );
    await checkpoint.save({ ...loaded, current: { ...loaded.current!, iteration: -1 } });
    await expect(resume()).rejects.toThrow(
      `learn: current.iteration in the checkpoint ${path} must be a whole number from 0; got -1. Delete`,
    );
    const arrays = Object.fromEntries(
      [...(await readArrays(path))].map(([name, { shape, data }]) => {
        return [name, typeof data[0] === 'string' ? data[0] : { shape, data: data as Float64Array }];
      }),
    );
    const matched = arrays['current.matched'] as { data: Float64Array };
    matched.data[0] += 1e-9; // a mutation that no check of values could see
    await writeArrays(path, arrays);
    await expect(resume()).rejects.toThrow(
      `${path}: must be a checkpoint of orthodict; got one that is damaged: its checksum is wrong. Delete it, or run without resuming.`,
    );
  });

  it('is kept when the next one cannot be written', async () => {
    const path = freshFile();
    const checkpoint = fileCheckpoint(path, 0);
    await learn(orthogonal.samples, {}, { executor, checkpoint, ...abortAfter(3) });
    const before = readFileSync(path);
    const broken: Checkpoint = (await checkpoint.load())!;
    // a state that fails in the middle of the file: its second matrix cannot be turned into bytes
    const state = { ...broken.current!.state, zzz: { rows: 2, cols: 2, data: undefined as never } };
    const current = { ...broken.current!, state };
    await expect(checkpoint.save({ ...broken, current })).rejects.toThrow();
    expect(Buffer.compare(readFileSync(path), before)).toBe(0);
    expect(leftoverFiles(scratch.path, /\.tmp$/)).toEqual([]);
  });

  it('is saved no more often than the interval says', async () => {
    let saves = 0;
    const store = (interval: number): CheckpointStore => ({
      interval,
      load: async () => undefined,
      save: async () => void saves++,
    });
    await learn(orthogonal.samples, {}, { executor, checkpoint: store(1e9) });
    expect(saves).toBe(2); // the ends of exploring and of refining
    saves = 0;
    const { iterations } = await learn(orthogonal.samples, {}, { executor, checkpoint: store(0) });
    expect(saves).toBe(iterations + 2);
  });
});

it('a run that ended by its time resumes to the same model, whatever the clock says then', async () => {
  const data = generate({ samples: 20_000, features: 30, theta: 0.3, seed });
  const options = { seed, maxSeconds: 0.02 };
  const checkpoint = fileCheckpoint(freshFile(), 0);
  const whole = await learn(data.samples, options, { executor, checkpoint });
  const again = await learn(data.samples, options, { executor, checkpoint, resume: true });
  expect(again.reason).toBe(whole.reason);
  expect(Buffer.compare(await modelBytes(again), await modelBytes(whole))).toBe(0);
});
