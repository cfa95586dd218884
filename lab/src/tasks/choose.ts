/** Who takes part in which part of a benchmark, on which data. */
import { inputError } from 'orthodict/extend';
import type { Contender, Skipped } from '../contenders/contender.ts';
import { describeTask, type ModelTask } from './models/model-task.ts';
import { isCalled } from './models/models.ts';
import type { BenchSettings, Part } from './options.ts';
import type { RealSet } from './real/real-sets.ts';
import type { DataSet } from './recovery/data-sets.ts';

export interface Field {
  /** Planted dictionaries, for recovery by library calls and by whole processes. */
  readonly sets: readonly DataSet[];
  readonly recovery: readonly Contender[];
  readonly processes: readonly Contender[];
  readonly realSets: readonly RealSet[];
  readonly real: readonly Contender[];
  readonly models: readonly ModelTask[];
}

/** Which parts need it. */
const PARTS_OF: Readonly<Record<keyof Field, readonly Part[]>> = {
  sets: ['recovery', 'processes'],
  recovery: ['recovery'],
  processes: ['processes'],
  realSets: ['real'],
  real: ['real'],
  models: ['models'],
};

const WORDS: Readonly<Record<keyof Field, string>> = {
  sets: 'planted dictionaries',
  recovery: 'recovery',
  processes: 'processes',
  realSets: 'real data',
  real: 'real data',
  models: 'models',
};

/** Refuses words and numbers that choose nothing at all; a part for which they choose nothing is skipped. */
export function choose(all: Field, settings: BenchSettings): Field & { readonly skipped: readonly Skipped[] } {
  const { parts, peers, only, model, features } = settings;
  const wanted = <T>(name: keyof Field, list: readonly T[]): readonly T[] =>
    PARTS_OF[name].some((part) => parts.includes(part)) ? list : [];
  const skipped: Skipped[] = [];
  const narrow = <T>(
    name: keyof Field,
    list: readonly T[],
    fits: (one: T) => boolean,
    reason: string,
  ): readonly T[] => {
    const possible = wanted(name, list);
    const fitting = possible.filter(fits);
    if (possible.length > 0 && fitting.length === 0) skipped.push({ name: WORDS[name], reason });
    return fitting;
  };
  const here = (list: readonly Contender[]) => list.filter(({ ours }) => ours || peers);
  const named = (name: keyof Field, list: readonly Contender[]) =>
    narrow(name, here(list), (one) => isCalled(one, only), `no contender has ${only.join(' or ')} in its name`);
  const sized = <S extends { readonly features: number }>(name: keyof Field, list: readonly S[]) =>
    narrow(name, list, (one) => hasSize(one, features), `no data with ${features.join(' or ')} features`);
  const field: Field = {
    sets: sized('sets', all.sets),
    recovery: named('recovery', all.recovery),
    processes: named('processes', all.processes),
    realSets: sized('realSets', all.realSets),
    real: named('real', all.real),
    models: narrow(
      'models',
      all.models,
      (one) => isCalled({ name: describeTask(one) }, model),
      `no model has ${model.join(' or ')} in its description`,
    ),
  };
  const ofModels = here(wanted('models', all.models).flatMap(({ contenders }) => contenders));
  const names = [
    ...wanted('recovery', all.recovery),
    ...wanted('processes', all.processes),
    ...wanted('real', all.real),
    ...ofModels,
  ];
  requireSome(
    'only',
    'words of',
    only,
    here(names).map(({ name }) => `"${name}"`),
    [field.recovery, field.processes, field.real, ofModels.filter((one) => isCalled(one, only))],
  );
  const groups = wanted('models', all.models).map(({ group }) => `"${group}"`);
  requireSome('model', 'words of', model, groups, [field.models]);
  const sizes = [...wanted('sets', all.sets), ...wanted('realSets', all.realSets)].map((set) => String(set.features));
  requireSome('features', 'among', features, sizes, [field.sets, field.realSets]);
  return { ...field, skipped };
}

const hasSize = ({ features }: { readonly features: number }, wanted: readonly number[]): boolean =>
  wanted.length === 0 || wanted.includes(features);

function requireSome(
  flag: string,
  words: string,
  given: ReadonlyArray<string | number>,
  possible: readonly string[],
  chosen: ReadonlyArray<readonly unknown[]>,
): void {
  if (given.length === 0 || chosen.flat().length > 0) return;
  throw inputError('bench', flag, `${words} ${[...new Set(possible)].join(', ')}`, given.join(', '));
}
