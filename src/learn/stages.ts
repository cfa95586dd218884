/**
 * A run is a sequence of stages that explore, refine or search, on all samples or on a part. The next stage depends only on
 * how the last one ended.
 *
 *     scout: explore until the basin is reached  →  refine  →  refine on all samples, if that was a part
 *     explore on growing coresets  →  explore to the end  →  refine                  data that is not white
 *     explore to the end  →  refine                         without scouting, or if it found no zeros
 *     …  →  search                        white data, if the atoms are not certified (see likelihood/search.ts)
 *
 * Scouting for a basin is for white data, where about K² samples suffice however many there are. With fewer the run
 * crawls: its steps stay long. Then the part is doubled.
 */
import { type Matrix64, zeros } from '../core/matrix.ts';
import { endingAt, STALL_STEPS, type Status, type StopRule } from '../engine/stop.ts';
import type { Certainty } from './certificate/certainty.ts';
import { coresetSizes } from './coreset.ts';
import type { AnyMethod, LearnSettings } from './methods/method.ts';
import type { Problem } from './problem.ts';
import type { RefineState } from './refinement/masked-refinement.ts';
import { startingAtoms, startingDirections } from './start.ts';

export interface Stage {
  readonly kind: 'explore' | 'refine' | 'search';
  /** Number of samples it visits; next: whether there are more. */
  readonly rows: number;
  readonly partial: boolean;
  /** Explore only until the basin of a solution is reached. */
  readonly scouting: boolean;
  /** Explore a coreset of about `rows` samples. */
  readonly coreset?: boolean;
  readonly start: Matrix64;
  /** Last state of the refinement of a part, from which this stage continues. */
  readonly from?: RefineState | undefined;
}

/** Result of a stage. */
export interface Finished {
  readonly kind: Stage['kind'];
  readonly rows: number;
  readonly atoms: Matrix64;
  /** Offset to subtract from the samples, if the refinement found a better one than their mean. */
  readonly offset?: Float64Array | undefined;
  /** Set if the atoms are a product of rotations. */
  readonly rotations?: Matrix64 | undefined;
  /** Objective of exploring; an estimate if it saw only a part of the samples. */
  readonly objective: number;
  /** Divisor of the samples for which the objective is reported. */
  readonly objectiveUnit: number;
  /** Iterations of this stage and those before it. */
  readonly iterations: number;
  /** Status of exploring. */
  readonly status: Status;
  readonly reason: string;
  readonly refined: boolean;
  /** What the refinement did, or why it was skipped. */
  readonly note: string;
  /** Last state of a successful refinement. */
  readonly state?: RefineState | undefined;
  /** Whether exploring has only scouted so far. */
  readonly scouting: boolean;
  readonly coreset?: boolean | undefined;
  /** Certainty of the atoms, if checked. */
  readonly certainty?: Certainty | undefined;
}

/** Samples of the first steps: a fixed number, or this many per squared number of atoms. */
const FIRST_PART = { samples: 4096, perSquare: 0.65 };
/** Samples to refine on first: a fixed number, or this many per atom; more in proportion if scouting took more. */
const REFINED_PART = { samples: 2048, perAtom: 60 };
/**
 * Largest part, as a fraction of the whole: a larger one saves too little. It may shrink to LEAST_OF_WISH of the wanted size.
 */
const LARGEST_PART = 0.6;
const LEAST_OF_WISH = 0.7;
const GROWTH = 2;

/** Returns the next stage. `mayExplore`: iterations and time are left; `draft`: see `startingAtoms`. */
export function nextStage(
  problem: Problem,
  method: AnyMethod,
  settings: LearnSettings,
  last: Finished | undefined,
  mayExplore: boolean,
  draft?: Matrix64 | undefined,
): Stage | undefined {
  const all = problem.samples;
  const stage = (kind: Stage['kind'], rows: number, start: Matrix64, scouting: boolean, from?: RefineState): Stage => {
    return { kind, rows, partial: rows < all, scouting, start, from };
  };
  const coresetOver = (rows: number, start: Matrix64): Stage | undefined => {
    const larger = coresetSizes(problem).find((size) => size > rows);
    return larger === undefined ? undefined : { ...stage('explore', larger, start, false), coreset: true };
  };
  if (!last) {
    const scout = settings.scout === 'auto' ? method.scouting?.wanted(problem, settings) : 'nothing';
    const start = startOf(method, problem, settings, draft);
    if (!method.solver) return stage('search', all, start, false);
    if (scout === 'basin') return stage('explore', partSize(all, firstPart(problem.size)), start, true);
    return (scout === 'coresets' ? coresetOver(0, start) : undefined) ?? stage('explore', all, start, false);
  }
  const { kind, rows, atoms, refined, scouting } = last;
  if (kind === 'search') return undefined;
  if (last.coreset && mayExplore) return coresetOver(rows, atoms) ?? stage('explore', all, atoms, false);
  const partial = rows < all;
  const arrived = last.status === 'converged';
  if (kind === 'explore') {
    if (partial && !arrived && mayExplore) return stage('explore', partSize(all, GROWTH * rows), atoms, true);
    if (settings.refine === 'none') return scouting && mayExplore ? stage('explore', all, atoms, false) : undefined;
    if (last.rotations) return undefined;
    const part = partial && arrived && !last.coreset ? partSize(all, refinedPart(problem.size, rows)) : all;
    return stage('refine', part, atoms, scouting);
  }
  if (partial && refined) return stage('refine', all, atoms, scouting, last.state);
  if (!refined && scouting && mayExplore) return stage('explore', all, atoms, false);
  if (!refined && scouting && partial) return stage('refine', all, atoms, false);
  return method.search?.(problem, settings) && stage('search', all, atoms, false);
}

const firstPart = (size: number): number => Math.max(FIRST_PART.samples, Math.ceil(FIRST_PART.perSquare * size ** 2));

/** Returns the number of samples to refine on. `scouted`: samples of the last scouting steps. */
const refinedPart = (size: number, scouted: number): number =>
  Math.ceil((Math.max(REFINED_PART.samples, REFINED_PART.perAtom * size) * scouted) / firstPart(size));

function partSize(all: number, wish: number): number {
  const rows = Math.min(wish, Math.floor(LARGEST_PART * all));
  return rows >= LEAST_OF_WISH * wish ? rows : all;
}

function startOf({ space }: AnyMethod, problem: Problem, settings: LearnSettings, draft?: Matrix64): Matrix64 {
  const { components, start, seed } = settings;
  if (space === 'fixed') return zeros(0, problem.input.source.cols);
  if (space === 'free') return startingDirections(problem, components, start, seed);
  return startingAtoms(problem, start, seed, draft);
}

/** Largest movement of an atom in a step at which the basin is reached; the refinement does the rest. */
const SCOUTED = 0.1;
export const scoutingTolerance = (atoms: number): number => SCOUTED / Math.sqrt(atoms);
/**
 * A run crawls if its recent steps shorten by less than this factor, and ever more slowly: long steps that find nothing, or
 * short ones that are the noise of a part.
 */
const SHORTENING = 0.95;

/** Most scouting steps: a run that has not arrived by then never does, as mixtures of atoms can last on small parts. */
const MOST_SCOUTING = 40;

export const stopAfterScouting: StopRule = endingAt({ iterations: MOST_SCOUTING }, ({ iteration }) =>
  iteration >= MOST_SCOUTING ? { status: 'exhausted', reason: 'too few samples' } : undefined,
);

export const stopWhenCrawling: StopRule = ({ recentChanges: recent, change }) => {
  if (recent.length <= STALL_STEPS) return undefined;
  const speedingUp = recent[STALL_STEPS - 1] - change > recent[0] - recent[1];
  return change > SHORTENING * recent[0] && !speedingUp
    ? { status: 'exhausted', reason: 'too few samples' }
    : undefined;
};
