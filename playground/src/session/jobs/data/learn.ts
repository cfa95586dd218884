/** Learns a dictionary from a table and evaluates it, with events to draw meanwhile. */
import { type Evaluation, evaluate, holdOut, type LearnResult, learnSteps, type Source } from 'orthodict/browser';
import type { JobContext } from '../../context.ts';
import { codesOf, histogramOf } from './codes.ts';
import { hold } from './held.ts';
import type { LearnEvent, Learned, LearnRequest, LearnTableOptions } from './messages.ts';
import { passTeller } from './pass-teller.ts';
import { openTable } from './table.ts';
import { Watch } from './watch.ts';

/** Least number of rows to hold some out; fewer are all used for learning. */
const FEWEST_FOR_HOLDOUT = 20;
const SHOWN_ROWS = 40;
/** Every number of kept codes is evaluated up to this one, then fewer and fewer. */
const EVERY_KEEP = 128;

export async function learnTable(request: LearnRequest, context: JobContext<LearnEvent>): Promise<Learned> {
  const remarks: string[] = [];
  const source = await openTable(request, context, remarks);
  try {
    const { holdout, ...rest } = request.options;
    const share = holdout !== undefined && hasEnough(source, holdout, rest.components) ? holdout : undefined;
    const options = { ...rest, ...(share && { holdout: share }) };
    const own = { ...context, executor: passTeller(source, request.file.size, context) };
    const result = await followed(source, options, own);
    if (result.status === 'aborted') context.signal.throwIfAborted();
    context.emit({ progress: { words: 'Judging', fraction: 0.98 } });
    const evaluation = await judged(source, result, share, own);
    return await described(source, result, evaluation, [...remarks, ...result.remarks.map(({ text }) => text)]);
  } catch (error) {
    await source.close?.();
    throw error;
  }
}

/** Whether at least as many rows as atoms remain for learning, and a few for evaluation. */
const hasEnough = ({ rows, cols }: Source, holdout: number, components = cols): boolean =>
  rows >= FEWEST_FOR_HOLDOUT && (1 - holdout) * rows >= components;

async function followed(
  source: Source,
  options: LearnTableOptions,
  { executor, signal, emit, turn }: JobContext<LearnEvent>,
): Promise<LearnResult> {
  const steps = learnSteps(source, options, { executor, signal });
  const watch = new Watch(options, emit);
  for (;;) {
    await turn();
    const { done, value } = await steps.next();
    if (done) {
      watch.tell();
      return value;
    }
    watch.see(value);
  }
}

/** Evaluates at every k on the held-out rows; principal components are fitted to the others. */
async function judged(
  source: Source,
  { dictionary }: LearnResult,
  share: number | undefined,
  { executor, signal }: JobContext<LearnEvent>,
): Promise<Evaluation> {
  const keep = keepsUpTo(dictionary.features);
  const run = { executor, signal };
  if (share === undefined) return evaluate(dictionary, source, { keep }, run);
  const { learned, heldOut } = holdOut(source, share);
  return evaluate(dictionary, heldOut, { keep, learned }, run);
}

function keepsUpTo(features: number): number[] {
  const keeps: number[] = [];
  for (let k = 1; k <= features; k = k < EVERY_KEEP ? k + 1 : Math.ceil(1.1 * k)) keeps.push(k);
  return keeps;
}

async function described(
  source: Source,
  result: LearnResult,
  evaluation: Evaluation,
  remarks: readonly string[],
): Promise<Learned> {
  const { dictionary, names, energies, agreement, starts, certainty } = result;
  const { status, reason, refined, refinement, iterations, description, backend, threads, seconds, passes } = result;
  const [codes, histogram] = [await codesOf(source, dictionary, 0, SHOWN_ROWS), await histogramOf(source, dictionary)];
  return {
    rows: source.rows,
    heldOut: source.rows - result.samples,
    features: Array.from({ length: dictionary.features }, (_, k) => names?.[k] || `feature${k + 1}`),
    isNamed: names !== undefined,
    atoms: { ...dictionary.atoms, data: dictionary.atoms.data.slice() },
    mean: dictionary.mean?.slice(),
    energies,
    agreement,
    starts,
    evaluation,
    codes,
    histogram,
    remarks,
    facts: {
      status,
      reason,
      refined,
      refinement,
      iterations,
      description,
      backend,
      threads,
      seconds,
      passes,
      certainty,
    },
    codeBytes: source.precision === 'f32' ? 4 : 8,
    number: await hold(source, result),
  };
}
