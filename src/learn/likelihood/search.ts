/**
 * Looks for atoms by maximum likelihood: from random starts, or beside what another method has found.
 *
 *     explore  →  anneal  →  certify                    all certified: done
 *        ↑                      │
 *        └── in the complement ─┘                       some are: they are kept, the others are searched for in their complement
 *
 * Atoms of another method are annealed first: they may be a step away from exact ones.
 *
 * If nothing is certified, the codes may have no exact zeros. Then two explorations, or one and the present result, that end
 * in the same basin show that the data has such atoms, and a fit with noise makes the best of them. Otherwise further
 * attempts follow: from another start, then from where that one stopped and more slowly, from a third start, and so on.
 *
 * Whitened or centred samples have exact zeros only after the refinement has undone the errors of their second moments
 * or of their mean. There a fit takes the place of annealing, and the refinement follows it.
 */
import { breather } from '../../core/breathe.ts';
import { copy, identity, type Matrix64, range, row, selectRows, stackRows, trace, zeros } from '../../core/matrix.ts';
import type { Outcome } from '../../engine/iterate.ts';
import type { Run } from '../../engine/run.ts';
import type { AtomsSolver, SolverState } from '../../engine/solver.ts';
import {
  type Progress,
  type StopRule,
  stopAfterIterations,
  stopAfterSeconds,
  stopWhenChangeBelow,
} from '../../engine/stop.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { eigenvaluesWithPauses } from '../../linalg/eigh.ts';
import { polar } from '../../linalg/polar.ts';
import { orthonormalComplement } from '../../linalg/qr.ts';
import type { AtomVerdict } from '../certificate/certificate.ts';
import { certifyAtoms, isOpen } from '../certificate/certify.ts';
import type { Problem } from '../problem.ts';
import { departureFromNormal, fitPooled } from '../refinement/code-distribution.ts';
import {
  initialRefineState,
  isExact,
  type RefineState,
  type RefiningPrecision,
} from '../refinement/masked-refinement.ts';
import { maskedSteps } from '../refinement/refinement.ts';
import { randomStart } from '../start.ts';
import { maySearch, spreadsOf } from '../whitening.ts';
import { annealSolver, exploreSolver, fitSolver, stopWithoutZeros } from './solvers.ts';

export interface SearchOptions {
  /** `orthogonal`: A stays orthogonal in working coordinates; `complete`: it need not be. */
  readonly kind: 'orthogonal' | 'complete';
  readonly precision: RefiningPrecision;
  readonly seed: number;
  readonly attempts: number;
  /** Most samples that the search may visit. */
  readonly budget: number;
  readonly maxSeconds: number;
  readonly maxIterations: number;
  /** The result so far of another method. */
  readonly present?: Candidate | undefined;
  /** Atoms to start from instead of exploring. */
  readonly start?: Matrix64 | undefined;
  /** The present result is refined: a fit may replace it even if no second result agrees with the fit. */
  readonly refined?: boolean | undefined;
  /** The present result has exact zeros: no fit may replace it. */
  readonly exact?: boolean | undefined;
}

/** Atoms, and whether each of them is certified; no verdicts: not checked. */
export interface Candidate {
  readonly atoms: Matrix64;
  readonly offset?: Float64Array | undefined;
  readonly verdicts: readonly AtomVerdict[];
}

export interface SearchResult extends Candidate {
  /** How these atoms were found; `present`: they are the present ones. */
  readonly by: 'present' | 'annealing' | 'fit';
  /** Whether two starts ended in the same atoms. */
  readonly reproducible: boolean;
  readonly iterations: number;
  readonly status: 'converged' | 'aborted';
}

/** Multiply-adds that a search may always spend, however little the run has cost: about a second. */
const LEAST_WORK = 4e9;

/** Cost of a code here, in multiply-adds beyond those of a pass that maximises a norm. */
const DEARER = 60;

/** Sample budget of a search: as many as take `times` times as long as the samples that the run has visited so far. */
export const searchBudget = ({ size }: Problem, times: number, cost: number): number =>
  times * Math.max((cost * size) / (size + DEARER / 2), LEAST_WORK / size ** 2);

/** Whether an atom has exact zeros, even if too few distinct values forbid certifying it. */
const isExactAtom = ({ refusal }: AtomVerdict): boolean => refusal === undefined || refusal === 'few values';

const countExact = ({ verdicts }: Candidate): number => verdicts.filter(isExactAtom).length;

/**
 * Samples to explore: `perAtom` up to `samples` in all, or `perSquare` times the squared number of atoms; at least `fewestPerAtom` where
 * the budget asks for less. After every two failed attempts they grow.
 */
const PART = { perAtom: 200, samples: 8192, perSquare: 2, fewestPerAtom: 10, growth: 2, largest: 0.7 };
/** Steps of a schedule: of a first attempt, of a patient one; as many as most attempts take, and the fewest that can succeed. */
const SCHEDULE = { first: 300, patient: 600, usual: 150, fewest: 80 };
/** Largest angle between two atoms in a step at which exploring ends; a patient attempt goes on until it stands still. */
const EXPLORED_CHANGE = { first: 0.01, patient: 1e-5 };
/** Annealing: step limit, typical steps of a failed attempt, and the change that counts as converged. */
const ANNEALED = { steps: 120, usual: 20, change: { f32: 1e-5, mixed: 1e-8, f64: 1e-8 } };
/**
 * δ of the spike widths, at first and later: a larger one follows the energies of samples less. Not used below this share of
 * directions.
 */
const SPREADS = { first: 0.5, later: 0.1, leastShare: 1 / 3 };
/** A fit: step limit, usual steps, and the step, relative to the error of p samples, at which it ends. */
const FIT = { steps: 40, usual: 20, change: 0.01 };
/**
 * Two results are in the same basin if every atom of one has an atom of the other with a larger |cosine|: unrelated ones have none,
 * and a mixture of two atoms has 0.7.
 */
const SAME_ATOM = 0.8;
/** Whether every atom of A is near one of B. */
export function areSame(A: Matrix64, B: Matrix64, kernels: Kernels): boolean {
  const cosines = kernels.multiply(A, B, 'nt');
  return range(A.rows).every((i) => row(cosines, i).some((cosine) => Math.abs(cosine) > SAME_ATOM));
}

/** Number of the attempt that starts from the present atoms, before the first exploration. */
const ANNEAL_PRESENT = -1;
/** Energy beside certified atoms below this share is rounding. */
const NOTHING = 1e-14;
/** Atoms with an exact zero are right to this, relative to the size of the codes. */
const NEARLY_EXACT = 1e-3;

export async function* search(
  problem: Problem,
  run: Run,
  options: SearchOptions,
): AsyncGenerator<Progress, SearchResult> {
  return yield* new Search(problem, run, options).find();
}

class Search {
  #iterations = 0;
  #aborted = false;
  /** The last part made, and the number of samples requested for it. */
  #here: { readonly rows: number; readonly part: Problem } | undefined;
  /** The result with the most certified atoms so far, or the end of the last exploration. */
  #best: SearchResult | undefined;
  #explored: Matrix64 | undefined;
  readonly #before: number;

  constructor(
    readonly problem: Problem,
    readonly run: Run,
    readonly options: SearchOptions,
  ) {
    this.#before = problem.visited.samples;
  }

  async *find(): AsyncGenerator<Progress, SearchResult> {
    try {
      return yield* this.#attempts();
    } catch (error) {
      if (!this.run.signal?.aborted) throw error; // an abort in a pass between loops
      this.#aborted = true;
      await this.run.save();
      const atoms = this.#explored ?? randomStart(this.problem.size, this.options.seed, this.problem.kernels);
      return this.#found(this.#best ?? { atoms, verdicts: [] }, this.#best?.by ?? 'fit');
    }
  }

  async *#attempts(): AsyncGenerator<Progress, SearchResult> {
    const { problem, options } = this;
    const { present } = options;
    const K = problem.size;
    this.#best = present && this.#found(present, 'present');
    const isSettled = this.#best && !this.#best.verdicts.some(({ refusal }) => isOpen(refusal));
    if (this.#best && (isSettled || !(await this.#isWorthwhile()))) return this.#best;
    const ends: Matrix64[] = present ? [polar(present.atoms, problem.kernels)] : [];
    let kept = present && !this.#isEstimated ? exactRows(present) : zeros(0, K);
    let stopped: Explored | undefined;
    for (let attempt = this.#mayAnneal ? ANNEAL_PRESENT : 0; attempt < options.attempts && !this.#isOver; attempt++) {
      const here = await this.#part(this.#rows(attempt));
      const basis = kept.rows > 0 ? orthonormalComplement(kept) : undefined;
      const sub = basis ? here.within(basis, kept) : here;
      if (basis && trace(sub.gram) <= NOTHING * trace(here.gram)) break;
      const given = this.#given(attempt, basis);
      const isLast = sub.size === 1; // the others leave one direction
      const explored =
        given || (isLast ? { atoms: identity(1), share: 1 } : yield* this.#explore(sub, attempt, stopped));
      if (!explored) break;
      if (!basis) this.#explored = explored.atoms;
      const isKnown = isLast || (attempt !== ANNEAL_PRESENT && this.#isRefined(explored.atoms));
      const inside = isKnown ? isLast && explored : yield* this.#finish(sub, explored, attempt);
      if (inside) {
        const whole = basis ? stackRows(kept, problem.kernels.multiply(inside.atoms, basis)) : inside.atoms;
        const annealed = await this.#certify(problem, { ...inside, atoms: whole });
        const isStuck = basis && countExact(annealed) <= kept.rows;
        const candidate = isStuck ? yield* this.#sharpened(here, annealed) : annealed;
        if (this.#isBetter(candidate)) this.#best = this.#found(candidate, 'annealing');
        const certified = exactRows(candidate);
        if (certified.rows === K || isLast) break;
        if (certified.rows > kept.rows && !this.#isEstimated) {
          kept = certified;
          stopped = undefined;
          continue;
        }
      }
      if (!basis && attempt !== ANNEAL_PRESENT) {
        if (stopped) ends.pop(); // the same start cannot confirm itself
        const agreed = yield* this.#compare(explored.atoms, ends);
        if (agreed) return agreed;
      }
      stopped = stopped || attempt <= 0 ? undefined : explored;
    }
    return yield* this.#close(ends);
  }

  /** Whether no further attempt may start. */
  get #isOver(): boolean {
    const { maxIterations } = this.options;
    return this.#aborted || this.#iterations >= maxIterations || !this.run.mayGoOn({ maxSeconds: this.run.looped });
  }

  #limits(): StopRule[] {
    const { maxIterations, maxSeconds } = this.options;
    return [stopAfterIterations(maxIterations, this.#iterations), stopAfterSeconds(maxSeconds, this.run.looped)];
  }

  /** Whether large samples are scaled down, so that they do not dominate. Whitened or centred ones keep their sizes. */
  get #isClipped(): boolean {
    return this.problem.isUneven && !this.#isEstimated;
  }

  /** Whether the samples, once clipped, are worth a search. */
  async #isWorthwhile(): Promise<boolean> {
    if (!this.#isClipped || !this.options.present) return true;
    const { gram, size, samples } = await this.#part(this.#rows(0));
    return maySearch(spreadsOf(await eigenvaluesWithPauses(gram, breather(this.run.signal))), size, samples);
  }

  /** Returns the problem on this many samples. */
  async #part(rows: number): Promise<Problem> {
    if (this.#here?.rows !== rows) {
      const part = this.#isClipped ? this.problem.spread(rows).clipped() : this.problem.mixedPart(rows);
      this.#here = { rows, part: await part };
    }
    return this.#here.part;
  }

  /** Number of samples to explore in this attempt. */
  #rows(attempt: number): number {
    const { samples, size } = this.problem;
    const { perAtom, perSquare, fewestPerAtom, growth, largest } = PART;
    const wish = Math.max(Math.min(PART.samples, perAtom * size), perSquare * size ** 2);
    const affordable = Math.floor(this.#leftToExplore / SCHEDULE.usual);
    const grown = wish * growth ** Math.floor(Math.max(attempt, 0) / 2);
    const rows = Math.max(fewestPerAtom * size, Math.min(grown, Math.max(affordable, 0)));
    return rows > largest * samples ? samples : rows;
  }

  /** Whether samples are whitened or centred: their codes have zeros only after a refinement. */
  get #isEstimated(): boolean {
    return this.options.kind === 'complete' || this.problem.input.conditioning.offset !== undefined;
  }

  /**
   * Whether the present atoms may be near exact ones: where the refinement ended short of them, a spike that narrows from there
   * still finds the zeros.
   */
  get #mayAnneal(): boolean {
    const { present, exact } = this.options;
    return present !== undefined && !exact && !this.#isEstimated;
  }

  /** Returns the atoms that an attempt starts from instead of exploring; `basis`: of the complement of the certified atoms. */
  #given(attempt: number, basis: Matrix64 | undefined): Explored | undefined {
    const { present, start } = this.options;
    const { kernels } = this.problem;
    if (attempt === ANNEAL_PRESENT) {
      return { atoms: basis ? restWithin(present!, basis, kernels) : polar(present!.atoms, kernels), share: 1 };
    }
    return attempt === 0 && start ? { atoms: start, share: 1 } : undefined;
  }

  /** Whether the refinement has already used all zeros near these atoms. */
  #isRefined(atoms: Matrix64): boolean {
    const { present, refined } = this.options;
    return refined === true && atoms.rows === this.problem.size && this.#isNear(atoms, present!.atoms);
  }

  /** Whether a fit, which corrects no errors of second moments, can be better than the refined result. */
  get #mayFit(): boolean {
    return !this.options.exact && this.options.kind === 'orthogonal';
  }

  /** Offset to subtract from the samples for a fit, if the refinement found a better one than their mean. */
  get #offset(): Float64Array | undefined {
    const { refined, present } = this.options;
    return refined ? present?.offset : undefined;
  }

  get #left(): number {
    return this.options.budget - (this.problem.visited.samples - this.#before);
  }

  /** Sample budget of a fit that is likely to succeed. */
  get #leftToFit(): number {
    return Math.max(this.#left, FIT.usual * this.problem.samples);
  }

  /** Sample budget of exploring, which leaves enough for a fit to all samples. */
  get #leftToExplore(): number {
    return this.#left - Math.min(FIT.usual * this.problem.samples, this.#left / 2);
  }

  /** Explores; undefined if there is no budget for it. `from`: an attempt that stopped early, to be continued more slowly. */
  async *#explore(
    sub: Problem,
    attempt: number,
    from: Explored | undefined,
  ): AsyncGenerator<Progress, Explored | undefined> {
    const { precision, seed } = this.options;
    // some atoms are exact, so the search succeeds here: the rest may use as much again
    const isRest = sub.size < this.problem.size;
    const left = isRest ? this.#left + this.options.budget : this.#leftToExplore;
    const affordable = Math.floor(left / sub.samples) - ANNEALED.usual;
    if (affordable < SCHEDULE.fewest) return undefined;
    const steps = from ? SCHEDULE.patient : SCHEDULE.first;
    const start = from?.atoms ?? randomStart(sub.size, seed, sub.kernels, `attempt ${attempt}`);
    const done = Math.round((from?.share ?? 0) * steps);
    const solver = exploreSolver(sub, { start, precision, spread: this.#spread(sub, attempt), steps, done });
    const stop = [stopWhenChangeBelow(from ? EXPLORED_CHANGE.patient : EXPLORED_CHANGE.first)];
    const { state } = yield* this.#loop(sub, solver, [
      ...stop,
      stopAfterIterations(Math.min(steps - done, affordable)),
    ]);
    return { atoms: state.atoms, share: state.done / steps, live: state.live };
  }

  #spread(sub: Problem, attempt: number): number | undefined {
    if (sub.size <= SPREADS.leastShare * this.problem.size) return undefined;
    return attempt <= 0 ? SPREADS.first : SPREADS.later;
  }

  /** Finds atoms with exact zeros near those explored; undefined if there are none. */
  async *#finish(
    sub: Problem,
    { atoms: start, live }: Explored,
    attempt: number,
  ): AsyncGenerator<Progress, Pick<Candidate, 'atoms' | 'offset'> | undefined> {
    const { precision } = this.options;
    if (this.#isOver) return undefined;
    if (this.#isEstimated) {
      const { atoms } = yield* this.#fit(sub, start);
      return yield* this.#polish(sub, atoms);
    }
    const solver = annealSolver(sub, { start, live, precision, spread: this.#spread(sub, attempt) });
    const { state, code } = yield* this.#loop(sub, solver, [
      stopWithoutZeros(sub),
      stopWhenChangeBelow(ANNEALED.change[precision]),
      stopAfterIterations(ANNEALED.steps),
    ]);
    return code === 'no zeros' || this.#isOver ? undefined : { atoms: state.atoms };
  }

  /** Fits by maximum likelihood of codes with noise. `most`: samples that it may visit. */
  async *#fit(problem: Problem, start: Matrix64, most = Number.POSITIVE_INFINITY): AsyncGenerator<Progress, Fitted> {
    const steps = Math.min(FIT.steps, Math.floor(most / problem.samples));
    const nothing = { atoms: start, settled: false };
    if (this.#isOver || steps < 1) return nothing;
    const model = fitPooled(await problem.plainHistogram(start));
    if (!model) return nothing;
    const solver = fitSolver(problem, { start, precision: this.options.precision, model });
    const enough = FIT.change / Math.sqrt(problem.samples);
    const { state } = yield* this.#loop(problem, solver, [stopWhenChangeBelow(enough), stopAfterIterations(steps)]);
    return { atoms: state.atoms, settled: state.change <= enough };
  }

  /** Makes atoms exact with the zeros of their codes; undefined if that fails. `cut`: most leakage from their error. */
  async *#polish(problem: Problem, atoms: Matrix64, cut?: number): AsyncGenerator<Progress, RefineState | undefined> {
    if (this.#aborted) return undefined;
    const { offset } = problem.input.conditioning;
    const state = initialRefineState(atoms, await problem.histogram(atoms), offset, { cut, dense: true });
    const { kind, precision, maxSeconds } = this.options;
    const outcome = yield* maskedSteps(problem, this.run, state, { kind, precision, maxSeconds, dense: true });
    this.#iterations += outcome.iterations;
    if (outcome.status === 'aborted') this.#aborted = true;
    return Number.isFinite(outcome.state.change) ? outcome.state : undefined;
  }

  /** Returns the atoms that this end and an earlier one agree on, if any. Otherwise its fit to all samples is added to the ends. */
  async *#compare(explored: Matrix64, ends: Matrix64[]): AsyncGenerator<Progress, SearchResult | undefined> {
    const { present, refined } = this.options;
    const near = (atoms: Matrix64) => ends.find((end) => this.#isNear(atoms, end));
    const basin = near(explored);
    if (present && refined && !this.#mayFit && basin === ends[0])
      return { ...this.#found(present, 'present'), reproducible: true };
    const all = this.problem.about(this.#offset);
    const start = basin && refined && basin === ends[0] ? basin : explored;
    const { atoms, settled } = yield* this.#fit(all, start, basin ? this.#leftToFit : this.#left);
    const agrees = !this.#isOver && near(atoms) !== undefined && (await hasStructure(all, atoms));
    ends.push(atoms);
    if (!agrees) return undefined;
    const fitted = settled ? atoms : (yield* this.#fit(all, atoms, this.#leftToFit)).atoms;
    return this.#fitted(fitted, true);
  }

  /** Returns the best result when attempts or budget are used up. */
  async *#close(ends: readonly Matrix64[]): AsyncGenerator<Progress, SearchResult> {
    const { present, refined } = this.options;
    const best = this.#best;
    if (best && best.by !== 'present' && countExact(best) > 0) {
      return this.#found(yield* this.#sharpened(this.problem, best), 'annealing');
    }
    if (present && refined && this.#mayFit && !this.#isOver) {
      const { atoms } = yield* this.#fit(this.problem.about(this.#offset), present.atoms, this.#leftToFit);
      if (this.#isNear(atoms, present.atoms)) return this.#fitted(atoms, false);
    }
    if (present) return this.#found(present, 'present');
    const { size, kernels } = this.problem;
    return this.#fitted(ends.at(-1) ?? this.#explored ?? randomStart(size, this.options.seed, kernels), false);
  }

  /** Whether more atoms are certified, or as many as in an earlier attempt. */
  #isBetter(candidate: Candidate): boolean {
    const best = this.#best;
    if (!best) return true;
    const more = countExact(candidate) - countExact(best);
    return best.by === 'present' ? more > 0 : more >= 0;
  }

  #isNear(A: Matrix64, B: Matrix64): boolean {
    return areSame(A, B, this.problem.kernels);
  }

  /** Makes nearly exact atoms exact: annealing leaves some of them less exact than others. */
  async *#sharpened(problem: Problem, found: Candidate): AsyncGenerator<Progress, Candidate> {
    const exact = yield* this.#polish(problem.about(found.offset), found.atoms, NEARLY_EXACT);
    const polished = exact && isExact(exact) ? await this.#certify(this.problem, exact) : undefined;
    return polished && countExact(polished) >= countExact(found) ? polished : found;
  }

  /** Certifies the candidate's atoms, after sharpening single ones by their own zeros where possible. */
  async #certify(problem: Problem, found: Pick<Candidate, 'atoms' | 'offset'>): Promise<Candidate> {
    const { kind, precision } = this.options;
    const there = problem.about(found.offset);
    const sharp = await certifyAtoms(there, found.atoms, precision, true);
    if (sharp.atoms === found.atoms || kind === 'complete') return { ...found, ...sharp };
    const atoms = orthonormalised(sharp, problem.kernels);
    return { ...found, ...(await certifyAtoms(there, atoms, precision)) };
  }

  /** Returns the fitted atoms, unless more of the present ones are certified. */
  async #fitted(atoms: Matrix64, reproducible: boolean): Promise<SearchResult> {
    const { present } = this.options;
    const found = { atoms, offset: this.#offset };
    const candidate = this.#isOver ? { ...found, verdicts: [] } : await this.#certify(this.problem, found);
    const isWorse = present && countExact(present) > countExact(candidate);
    return { ...(isWorse ? this.#found(present, 'present') : this.#found(candidate, 'fit')), reproducible };
  }

  #found(candidate: Candidate, by: SearchResult['by']): SearchResult {
    const status = this.#aborted ? 'aborted' : 'converged';
    return { ...candidate, by, reproducible: false, iterations: this.#iterations, status };
  }

  /** Runs a solver to its end, within the time that the run has left. */
  async *#loop<S extends SolverState>(
    problem: Problem,
    solver: AtomsSolver<S>,
    stop: readonly StopRule<never>[],
  ): AsyncGenerator<Progress, Outcome<S>> {
    const outcome = yield* this.run.steps(solver, {
      stop: [...(stop as readonly StopRule<S>[]), ...this.#limits()],
      samplesPerStep: problem.samples,
    });
    this.#iterations += outcome.iterations;
    if (outcome.status === 'aborted') this.#aborted = true;
    return outcome;
  }
}

interface Fitted {
  readonly atoms: Matrix64;
  /** Whether further steps would gain nothing. */
  readonly settled: boolean;
}

/** Atoms at the end of exploring, and the share of its schedule done by then. */
interface Explored {
  readonly atoms: Matrix64;
  readonly share: number;
  /** Number of samples with energy, if counted. */
  readonly live?: number;
}

/**
 * In few dimensions two starts agree even on noise. Codes must be further from normal than in a random basis, by more than atoms
 * fitted to normal samples make them: up to 4 for every plane that an atom can be turned in, measured for 2 to 50 atoms and up to
 * 100,000 samples. With too few samples nothing is concluded.
 */
const STRUCTURE = { perPlane: 6, more: 100, fewestPerAtom: 5 };

async function hasStructure(problem: Problem, atoms: Matrix64): Promise<boolean> {
  const { samples, size, kernels } = problem;
  if (samples < STRUCTURE.fewestPerAtom * size) return false;
  const departure = async (A: Matrix64) => departureFromNormal(await problem.plainHistogram(A));
  const found = await departure(atoms);
  const usual = await departure(randomStart(size, 0, kernels, 'basis to compare with'));
  const planes = (size * (size - 1)) / 2;
  const more = found.statistic - found.bins - (usual.statistic - usual.bins) - STRUCTURE.more;
  return (more * samples * size) / found.codes > STRUCTURE.perPlane * planes;
}

const exactRows = ({ atoms, verdicts }: Candidate): Matrix64 =>
  selectRows(
    atoms,
    verdicts.flatMap((verdict, i) => (isExactAtom(verdict) ? [i] : [])),
  );

/** Returns the atoms that are not certified, in an orthonormal `basis` of the complement of the certified ones. */
const restWithin = ({ atoms, verdicts }: Candidate, basis: Matrix64, kernels: Kernels): Matrix64 => {
  const rest = verdicts.flatMap((verdict, i) => (isExactAtom(verdict) ? [] : [i]));
  return polar(kernels.multiply(selectRows(atoms, rest), basis, 'nt'), kernels);
};

/** Returns the certified atoms unchanged but for rounding, and the others orthogonalised against them. */
function orthonormalised(found: Candidate, kernels: Kernels): Matrix64 {
  const kept = exactRows(found);
  if (kept.rows === 0 || kept.rows === found.atoms.rows) return polar(found.atoms, kernels);
  const basis = orthonormalComplement(kept);
  const rest = kernels.multiply(restWithin(found, basis, kernels), basis);
  const atoms = copy(found.atoms);
  let at = 0;
  found.verdicts.forEach((verdict, i) => {
    if (!isExactAtom(verdict)) row(atoms, i).set(row(rest, at++));
  });
  return polar(atoms, kernels);
}
