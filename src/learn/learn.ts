/** Learns a dictionary from a source: prepare, explore with a solver, refine with the zeros of the codes, finish. */
import { nextTurn } from '../core/breathe.ts';
import { hashNumbers } from '../core/hash.ts';
import type { Matrix, Matrix64, Precision } from '../core/matrix.ts';
import type { Dictionary } from '../dictionaries/dictionary.ts';
import { extendProgress } from '../engine/iterate.ts';
import { Run, type RunOptions } from '../engine/run.ts';
import { sourceOf } from '../engine/source/memory.ts';
import type { Source } from '../engine/source/source.ts';
import type { Progress } from '../engine/stop.ts';
import { surveyFinite } from '../passes/survey.ts';
import { inOrderOf } from './certificate/certainty.ts';
import { remarksOnCodes } from './code-remarks.ts';
import { atomsInData, centredAt, energyShares, finish } from './finish.ts';
import { type HeldOut, judge, splitOff } from './holdout.ts';
import type { AnyMethod, Learned, LearnSettings } from './methods/method.ts';
import type { MethodName } from './option-types.ts';
import { describeOptions, type OptionsWith, settleOptions } from './options.ts';
import type { Found } from './phases/job.ts';
import { prepare } from './prepare.ts';
import { remarksOnSource } from './remarks.ts';
import { type LearnResult, metaOf } from './result.ts';
import { runStarts } from './run-starts.ts';
import { randomStart, requireStart } from './start.ts';

export type { LearnResult } from './result.ts';

/**
 * Learns an orthogonal or complete dictionary in which the samples (rows) are sparse. `method`: a name, or a method of your
 * own, made with `defineMethod`.
 *
 * @example
 * ```js
 * import { generate, learn, recoveryError } from 'orthodict';
 *
 * const data = generate({ samples: 4000, features: 20, theta: 0.3, seed: 1 });
 * const { dictionary, status } = await learn(data.samples, { method: 'msp', seed: 1 });
 * console.log(status, recoveryError(dictionary.atoms, data.atoms)); // below 1e-12
 * ```
 */
export async function learn<M extends MethodName | AnyMethod = 'msp'>(
  samples: Matrix | Source,
  options?: OptionsWith<M>,
  run: RunOptions = {},
): Promise<LearnResult> {
  const steps = learnSteps(samples, options, run);
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return value;
    run.onProgress?.(value);
  }
}

/**
 * Runs `learn` as a generator of progress, for callers that drive the loop themselves.
 *
 * @example
 * ```js
 * import { generate, learnSteps } from 'orthodict';
 *
 * const { samples } = generate({ samples: 2000, features: 10, theta: 0.3, seed: 1 });
 * const steps = learnSteps(samples, { seed: 1 });
 * let last = await steps.next();
 * while (!last.done) last = await steps.next(); // last.value: where the run stands
 * console.log(last.value.status); // converged
 * ```
 */
export async function* learnSteps<M extends MethodName | AnyMethod = 'msp'>(
  samples: Matrix | Source,
  options?: OptionsWith<M>,
  runOptions: RunOptions = {},
): AsyncGenerator<Progress, LearnResult> {
  const { method, settings } = settleOptions(options);
  const all = sourceOf('learn', samples);
  const { learned: source, heldOut }: Partial<HeldOut> & Pick<HeldOut, 'learned'> =
    settings.holdout === undefined ? { learned: all } : splitOff('learn', all, settings.holdout);
  if (!method.learn) requireStart(source, settings); // a method that does the whole job itself has its own kind of start
  method.fit?.(source, settings);
  const run = await Run.start('learn', runOptions);
  if (heldOut) await surveyFinite('learn', heldOut, run.executor, { signal: run.signal }); // before the long work
  const learned = method.learn
    ? await method.learn(source, settings, run)
    : yield* learnByPhases(source, method, settings, run);
  const judged = heldOut ? await judge(learned, heldOut, source, settings, run) : {};
  const result = {
    details: {},
    path: [],
    objectiveUnit: 1,
    ...learned,
    remarks: [...remarksOnSource(source), ...(learned.remarks ?? [])],
    ...judged,
    settings,
    description: method.describe?.(settings) ?? method.name,
    passes: Math.ceil(run.visited.samples / source.rows - 1e-9),
    samples: source.rows,
    features: source.cols,
    precision: modelPrecision(source, settings),
    ...(source.names && { names: source.names }),
    ...(source.patch && { patch: source.patch }),
    seconds: run.seconds,
    backend: run.kernels.name,
    threads: run.executor.threads,
  };
  return { ...result, meta: metaOf(result) };
}

/** Precision of the model: that of the samples with `mixed`, and for methods without the option. */
const modelPrecision = ({ precision: own }: Source, { precision }: Partial<LearnSettings>): Precision =>
  precision === 'f32' || precision === 'f64' ? precision : own;

async function* learnByPhases(
  source: Source,
  method: AnyMethod,
  settings: LearnSettings,
  run: Run,
): AsyncGenerator<Progress, Learned> {
  const { center, whiten, components } = settings;
  const wanted = { center, whiten, components, raw: method.space !== 'orthogonal' };
  const [{ problem, fingerprint, remarks }, draft] = await Promise.all([
    prepare(source, run, wanted),
    draftStart(source, method, settings, run),
  ]);
  run.looped = run.seconds; // the limit of seconds includes what came before the first step
  await run.open({ data: fingerprint, options: { ...describeOptions(settings), start: describeStart(settings) } });
  const dictionaryOf = (end: Found): Dictionary => {
    const centred = centredAt(problem, end.offset);
    return method.finish?.(centred, end, settings) ?? finish(centred, end, method.space, whiten);
  };
  const atomsOf = (atoms: Matrix64): Matrix64 => atomsInData(problem, atoms, method.space, whiten);
  const steps = runStarts({ problem, method, settings, run, draft }, dictionaryOf);
  const { end, dictionary, ...told } = yield* extendProgress(steps, ({ atoms }) => ({
    ...(atoms && { atoms: () => atomsOf(atoms()) }),
  }));
  const { status, reason, iterations, objective, objectiveUnit, refined, note: refinement, path } = end;
  const energies = energyShares(problem, dictionary, end.offset);
  const learned = {
    dictionary,
    energies,
    status,
    reason,
    iterations,
    objective,
    objectiveUnit,
    refined,
    refinement,
    path,
    certainty: end.certainty && inOrderOf(end.certainty, dictionary.atoms, atomsOf(end.atoms), problem.kernels),
    remarks,
    ...told,
  };
  if (status === 'aborted') return learned;
  try {
    const onCodes = await remarksOnCodes(problem.about(end.offset), end, method, settings);
    return { ...learned, remarks: [...remarks, ...onCodes] };
  } catch (error) {
    if (!run.signal?.aborted) throw error;
    await run.save();
    return { ...learned, status: 'aborted', reason: 'aborted', refinement: 'aborted' };
  }
}

/** Numbers of atoms whose start is drawn early: fewer are instant, more are wasted if the data is rejected. */
const DRAFTED = { fewest: 32, most: 1024 };

/** Draws a random start while other threads make the first pass. */
async function draftStart(
  { cols }: Source,
  { space }: AnyMethod,
  { start, components = cols, seed }: LearnSettings,
  { kernels }: Run,
): Promise<Matrix64 | undefined> {
  if (space !== 'orthogonal' || start || components > DRAFTED.most) return undefined;
  if (components > DRAFTED.fewest) await nextTurn();
  return randomStart(components, seed, kernels);
}

/** Describes the given start: unlike a model, a checkpoint records which one it was. */
function describeStart({ start }: LearnSettings): string {
  return start ? `given, ${hashNumbers([Float64Array.from(start.data)])}` : 'random';
}
