/** What `orthodict learn` says about the atoms beyond the run: what other starts find, and what the held-out samples show. */
import type { LearnResult } from '../../learn/learn.ts';
import { methods } from '../../learn/method-list.ts';
import { tableOf } from '../../learn/options.ts';
import type { Evaluation } from '../../metrics/evaluate.ts';
import { counted, formatNumber, printLine } from '../terminal/output.ts';
import { printMissing } from './evaluation-table.ts';

type Facts = ReadonlyArray<readonly [label: string, value: string]>;

/** What the start has to do with the result. */
export function startFacts({ settings, status, starts, agreement }: LearnResult): Facts {
  if (starts && agreement) {
    const objectives = starts.map(({ objective, seed, kept }) => {
      return `${objective.toPrecision(6)} (seed ${seed}${kept ? ', kept' : ''})`;
    });
    const { atoms, byAll } = agreement;
    const found = `${formatNumber(byAll)} of ${counted(atoms, 'atom')} are found by every start (|cosine| above 0.99)`;
    return [
      ['starts', `${starts.length}, objectives ${objectives.join(', ')}`],
      ['agreement', `${found}; the others depend on the start`],
    ];
  }
  const method = methods.find(({ name }) => name === settings.method);
  const hasStarts = method !== undefined && tableOf(method).starts !== undefined;
  if (!hasStarts || settings.start || status !== 'converged') return [];
  return [['converged', 'further steps change little; another start may end elsewhere (--starts 4 compares)']];
}

export function printHoldout(holdout: Evaluation): void {
  printLine();
  printLine(`held out: ${counted(holdout.samples, 'sample')}, not learned from`);
  printMissing(holdout);
}
