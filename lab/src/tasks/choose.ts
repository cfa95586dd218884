/** Who takes part in which part of a benchmark, on which data. */
import { inputError } from 'orthodict/extend';
import type { Contender, Skipped } from '../contenders/contender.ts';
import type { ProcessContender } from '../contenders/processes.ts';
import { describeMatch, type Match } from './models/match.ts';
import type { BenchSettings, Part } from './options.ts';
import type { RealSet } from './real/real-sets.ts';
import type { DataSet } from './recovery/data-sets.ts';
import type { RecoveryContender } from './recovery/recovery-task.ts';

export interface Field {
  /** Planted dictionaries, for the races and the processes. */
  readonly sets: readonly DataSet[];
  readonly racing: readonly RecoveryContender[];
  readonly processes: readonly ProcessContender[];
  readonly realSets: readonly RealSet[];
  readonly real: readonly Contender[];
  /** Every model beside its peers. */
  readonly matches: readonly Match[];
}

/** Which parts need it. */
const PARTS_OF: Readonly<Record<keyof Field, readonly Part[]>> = {
  sets: ['races', 'processes'],
  racing: ['races'],
  processes: ['processes'],
  realSets: ['real'],
  real: ['real'],
  matches: ['models'],
};

const WORDS: Readonly<Record<keyof Field, string>> = {
  sets: 'planted dictionaries',
  racing: 'races',
  processes: 'processes',
  realSets: 'real data',
  real: 'real data',
  matches: 'models',
};

/** Refuses words and numbers that choose nothing at all; a part for which they choose nothing is skipped. */
export function choose(all: Field, settings: BenchSettings): Field & { readonly skipped: readonly Skipped[] } {
  const { parts, peers, only, match, features } = settings;
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
  const here = <C extends Named>(list: readonly C[]) => list.filter(({ ours }) => ours || peers);
  const named = <C extends Named>(name: keyof Field, list: readonly C[]) =>
    narrow(name, here(list), (one) => isCalled(one, only), `no contender has ${only.join(' or ')} in its name`);
  const sized = <S extends { readonly features: number }>(name: keyof Field, list: readonly S[]) =>
    narrow(name, list, (one) => hasSize(one, features), `no data with ${features.join(' or ')} features`);
  const field: Field = {
    sets: sized('sets', all.sets),
    racing: named('racing', all.racing),
    processes: named('processes', all.processes),
    realSets: sized('realSets', all.realSets),
    real: named('real', all.real),
    matches: narrow(
      'matches',
      all.matches,
      (one) => isCalled({ name: describeMatch(one) }, match),
      `no model has ${match.join(' or ')} in its description`,
    ),
  };
  const players = playersOf(wanted('matches', all.matches));
  const names = [
    ...wanted('racing', all.racing),
    ...wanted('processes', all.processes),
    ...wanted('real', all.real),
    ...players,
  ];
  requireSome(
    'only',
    'words of',
    only,
    here(names).map(({ name }) => `"${name}"`),
    [field.racing, field.processes, field.real, here(players).filter((player) => isCalled(player, only))],
  );
  const groups = wanted('matches', all.matches).map(({ group }) => `"${group}"`);
  requireSome('match', 'words of', match, groups, [field.matches]);
  const sizes = [...wanted('sets', all.sets), ...wanted('realSets', all.realSets)].map((set) => String(set.features));
  requireSome('features', 'among', features, sizes, [field.sets, field.realSets]);
  return { ...field, skipped };
}

interface Named {
  readonly name: string;
  readonly ours: boolean;
}

const playersOf = (matches: readonly Match[]): Named[] =>
  matches.flatMap((match) => [
    ...match.ours.map(({ name }) => ({ name, ours: true })),
    ...match.peers.map(({ name }) => ({ name, ours: false })),
  ]);

const isCalled = ({ name }: Pick<Named, 'name'>, words: readonly string[]): boolean =>
  words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase()));

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
