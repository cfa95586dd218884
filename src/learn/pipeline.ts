/**
 * The phases of a run, and which one follows which. A run is data: the table below, which looks only at the code with which
 * a phase ended and at the situation of the run.
 *
 *     pilot     explores parts of the samples, others in every step, until the basin of a solution is reached
 *     coreset   explores few samples, as far as they determine the atoms
 *     ascend    explores all samples, to a maximum or to the basin of a solution
 *     refine    makes atoms exact with the zeros of their codes, on a part first
 *     certify   decides which atoms are certainly right
 *     fallback  searches by maximum likelihood (see likelihood/search.ts)
 *
 * A pilot is for white data, where about K² samples suffice however many there are. With fewer it crawls: its steps stay
 * long. Then the part is doubled, or a coreset follows if there are very many samples. Data that is not white begins on coresets.
 */
import { policy } from './policy.ts';

/** How far the atoms have come when a phase begins or ends: near a solution, or to a maximum of the objective. */
export type Reached = 'basin' | 'maximum';

interface Fields {
  /** `rows`: samples of a step. */
  readonly pilot: { readonly rows: number };
  readonly coreset: { readonly rows: number };
  /** `again`: after a refinement was rejected; it ends as `rested` if it has hardly moved the atoms. */
  readonly ascend: { readonly to: Reached; readonly again?: boolean };
  /** `continues`: with the state of a refinement on a part, which has shown that there are zeros. */
  readonly refine: { readonly rows: number; readonly from: Reached; readonly continues: boolean };
  readonly certify: unknown;
  readonly fallback: unknown;
  readonly done: unknown;
}

type Kind = keyof Fields;

/** A phase of a run, with only its own fields. */
export type Phase<K extends Kind = Kind> = { readonly [P in K]: { readonly kind: P } & Fields[P] }[K];

/** A phase that a run took. */
export interface PathStep {
  readonly phase: Exclude<Kind, 'done'>;
  /** Why it ended. */
  readonly reason: string;
  readonly iterations: number;
  /** Passes over all samples; one over a part counts by its share. */
  readonly passes: number;
  readonly seconds: number;
}

/** How a phase ended, for the table: what other codes mean is for the user. */
export type EndCode = 'rested' | 'settled' | 'unsettled' | 'refined' | 'rejected' | 'closed' | 'open' | 'ended';

/** What the next phase depends on, besides how the last one ended. */
export interface Situation {
  readonly samples: number;
  /** K, the number of atoms. */
  readonly atoms: number;
  /** Sizes of the coresets worth drawing, ascending. */
  readonly coresets: readonly number[];
  /** Whether atoms are explored on a part of the samples first, and how. */
  readonly scout: 'nothing' | 'basin' | 'coresets';
  /** Whether the method explores; otherwise the fallback is all it does. */
  readonly explores: boolean;
  /** Whether atoms may be refined, certified and searched for. */
  readonly refines: boolean;
  readonly certifies: boolean;
  readonly hasFallback: boolean;
  /** Whether iterations and seconds are left to explore. */
  readonly mayExplore: boolean;
  /** Whether the time is up: only what takes a moment may follow. */
  readonly isLate: boolean;
}

export const DONE: Phase = { kind: 'done' };

export function firstPhase(at: Situation): Phase {
  if (!at.explores) return { kind: 'fallback' };
  if (at.scout === 'basin') return pilot(firstPart(at.atoms), at);
  return (at.scout === 'coresets' ? largerCoreset(0, at) : undefined) ?? { kind: 'ascend', to: 'maximum' };
}

const AFTER: { readonly [K in Kind]: (phase: Phase<K>, end: EndCode, at: Situation) => Phase } = {
  pilot: ({ rows }, end, at) => {
    if (end === 'unsettled' && at.mayExplore) return largerPilot(rows, at);
    if (!at.refines && at.mayExplore) return { kind: 'ascend', to: 'maximum' };
    return refineOn(end === 'settled' ? partSize(refinedPart(at.atoms, rows), at) : at.samples, 'basin', at);
  },
  coreset: ({ rows }, _, at) => {
    if (!at.mayExplore) return refineOn(at.samples, 'maximum', at);
    return largerCoreset(rows, at) ?? { kind: 'ascend', to: 'maximum' };
  },
  ascend: ({ to }, end, at) => {
    if (end === 'rested') return closing(at);
    if (to === 'basin' && !at.refines && at.mayExplore) return { kind: 'ascend', to: 'maximum' };
    return refineOn(at.samples, to, at);
  },
  refine: ({ rows, from }, end, at) => {
    const isPart = rows < at.samples;
    if (end === 'refined') return isPart ? { ...refineOn(at.samples, from, at), continues: true } : closing(at);
    if (from === 'basin' && at.mayExplore) return { kind: 'ascend', to: 'maximum', again: true };
    return from === 'basin' && isPart ? refineOn(at.samples, 'maximum', at) : closing(at);
  },
  certify: (_, end, at) => (end === 'open' && at.hasFallback ? { kind: 'fallback' } : DONE),
  fallback: () => DONE,
  done: () => DONE,
};

/** Returns the phase that follows one that ended with this code. */
export function nextPhase<K extends Kind>(phase: Phase<K>, end: EndCode, at: Situation): Phase {
  const next = AFTER[phase.kind as K](phase, end, at);
  if (!at.isLate || next.kind === 'done') return next;
  return phase.kind === 'certify' ? DONE : closing(at);
}

const closing = ({ certifies }: Situation): Phase => (certifies ? { kind: 'certify' } : DONE);

const refineOn = (rows: number, from: Reached, at: Situation): Phase =>
  at.refines ? { kind: 'refine', rows, from, continues: false } : closing(at);

/** A pilot on parts of this many samples; on all of them, if that saves too little. */
function pilot(wish: number, at: Situation): Phase {
  const rows = partSize(wish, at);
  return rows < at.samples ? { kind: 'pilot', rows } : { kind: 'ascend', to: 'basin' };
}

/** After a pilot that crawled: a larger one, or a coreset if that would take most samples. */
function largerPilot(rows: number, at: Situation): Phase {
  const wish = policy.pilot.growth * rows;
  const isSmall = wish <= policy.pilot.largest * at.samples;
  return (isSmall ? undefined : largerCoreset(policy.pilot.coresetPerAtom * at.atoms - 1, at)) ?? pilot(wish, at);
}

function largerCoreset(rows: number, { coresets }: Situation): Phase | undefined {
  const larger = coresets.find((size) => size > rows);
  return larger === undefined ? undefined : { kind: 'coreset', rows: larger };
}

const firstPart = (atoms: number): number =>
  Math.max(policy.pilot.samples, Math.ceil(policy.pilot.perSquare * atoms ** 2));

/** Returns the number of samples to refine on first. `explored`: samples of the last steps of the pilot. */
function refinedPart(atoms: number, explored: number): number {
  const { samples, perAtom } = policy.refine;
  return Math.ceil((Math.max(samples, perAtom * atoms) * explored) / firstPart(atoms));
}

function partSize(wish: number, { samples }: Situation): number {
  const { largest, leastOfWish } = policy.part;
  const rows = Math.min(wish, Math.floor(largest * samples));
  return rows >= leastOfWish * wish ? rows : samples;
}
