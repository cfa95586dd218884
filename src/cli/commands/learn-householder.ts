/** `orthodict learn --method householder`: a product of reflectors from samples whose codes have a mean. */
import { InputError } from '../../core/errors.ts';
import { householderDictionary } from '../../dictionaries/householder.ts';
import { type HouseholderResult, learnHouseholder } from '../../models/householder/learn-householder.ts';
import type { HouseholderOptions } from '../../models/householder/options.ts';
import { checkWritable } from '../../node/files/atomic-write.ts';
import { MODEL_FORMAT, saveModel } from '../../node/files/model-file.ts';
import { openSource } from '../../node/formats/file-source.ts';
import type { NodeBackendChoice } from '../../node/threads/kernels.ts';
import { createNodeExecutor } from '../../node/threads/threads.ts';
import { requireExtension } from '../terminal/arguments.ts';
import { Interrupted, interruptible } from '../terminal/interrupt.ts';
import { formatNumber, printFacts, printJson } from '../terminal/output.ts';
import { progressLine } from '../terminal/progress-line.ts';

export interface HouseholderFlags
  extends Pick<HouseholderOptions, 'reflectors' | 'theta' | 'mean' | 'refine' | 'seed'> {
  out: string;
  backend: NodeBackendChoice;
  threads?: number;
  json?: boolean;
}

/** Options of `learn` that this method shares with the others. */
export const HOUSEHOLDER_FLAGS = ['out', 'method', 'refine', 'seed', 'backend', 'threads', 'json'] as const;
/** Options of `learn` that are this method's alone. */
export const HOUSEHOLDER_ONLY = ['reflectors', 'theta', 'mean'] as const;

export async function runHouseholder(data: string, flags: HouseholderFlags): Promise<void> {
  const { out, backend, threads, json, reflectors, theta, mean, refine, seed } = flags;
  requireExtension('learn', '--out', out, ['.npz']);
  await checkWritable(out);
  const options = { reflectors, theta, mean, refine, seed };
  const line = progressLine(1);
  line.say('reading …');
  const source = await openSource(data);
  const executor = await createNodeExecutor({ backend, threads });
  try {
    const result = await interruptible((signal) =>
      learnHouseholder(source, options, { executor, signal, say: line.say }).finally(line.clear),
    );
    if (result.status === 'aborted') throw new Interrupted('learn: interrupted.');
    const run = { ...summary(result), backend: executor.kernels.name, threads: executor.threads };
    const { seconds, threads: _, ...lasting } = run;
    const meta = { format: MODEL_FORMAT, ...lasting, options: given(options) };
    await saveModel(out, { dictionary: householderDictionary(result), meta });
    if (json) printJson({ ...run, out });
    else print(result, out, `${seconds.toFixed(2)} s on ${run.backend}, ${executor.threads} threads`);
  } finally {
    await executor.close();
    await source.close?.();
  }
}

/** What the user set, as names of options. */
export function refuseOthers(set: readonly string[], householder: boolean): void {
  const allowed: readonly string[] = [...HOUSEHOLDER_FLAGS, ...HOUSEHOLDER_ONLY];
  const wrong = set.find((name) =>
    householder ? !allowed.includes(name) : (HOUSEHOLDER_ONLY as readonly string[]).includes(name),
  );
  if (!wrong) return;
  const flag = `--${wrong.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const others = householder ? 'another method than householder' : 'method householder';
  throw new InputError(`learn: ${flag} must come with ${others}; got it without.`);
}

const given = (options: object) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

function summary(result: HouseholderResult) {
  const { status, reason, iterations, passes, seconds, refined, refinement, samples, features } = result;
  return {
    method: 'householder',
    status,
    reason,
    iterations,
    passes,
    objective: null,
    seconds,
    precision: 'f64',
    refined,
    refinement,
    exact: result.exact,
    reflectors: result.reflectors.rows,
    identified: result.identified,
    thetaMu: result.thetaMu ?? null,
    features,
    samples,
  };
}

function print(result: HouseholderResult, out: string, time: string): void {
  const { reflectors, identified, features, samples, thetaMu, refined, refinement, reason } = result;
  printFacts([
    ['model', `${out}: product of ${reflectors.rows} reflectors of ${formatNumber(features)} features`],
    ['data', `${formatNumber(samples)} samples`],
    ['identified', `${identified} (${reason})`],
    ['mean of the codes', thetaMu === undefined ? 'none to speak of' : thetaMu.toPrecision(4)],
    ['refined', refined ? `yes (${refinement})` : `no: ${refinement}`],
    ['time', time],
  ]);
}
