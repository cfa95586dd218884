/**
 * Algorithm 5 of Shalit & Chechik 2014 exactly as listed, with rows for the paper's columns: B = (AU)ᵀ, m×n, starts
 * as the first m samples (U_0 = I). Then, and after every further sample,
 *
 *     L times: a pair i < j, uniformly at random; rotate B_i and B_j by the θ that maximises
 *              Σ_k [|cos θ B_ik + sin θ B_jk| − γ]₊² + [|−sin θ B_ik + cos θ B_jk| − γ]₊²
 *     the next sample takes the place of the row of smallest norm
 *
 * γ is fixed and in the units of the samples, while the rows grow as √t. The sum has period π/2 in θ, which exchanges
 * the two rows; of the equal maxima the one in (−π/4, π/4] is taken.
 *
 * At the end Z = solveForZ(AU, γ), "Algorithm 6 of Journée et al. (2010)": their post-processing, which keeps the
 * pattern |P_ik| > γ of P = X A, X = U at its start, and fills in its values by maximising Σ_i x_i A z_iᵀ over
 * orthonormal rows X and unit rows z_i within the pattern, in turns:
 *
 *     z_i = P_i/‖P_i‖ within the pattern,  P = X A          X = polar(Z Aᵀ)
 *
 * It asks for A only through Z Aᵀ. A stream has B alone, and takes it for A, with X = I at its start. Where no sample
 * has been dropped that is the same, because B = Uᵀ A with U orthogonal. Otherwise it fits what B has kept.
 */
import { copy, identity, type Matrix64, norm, row, unitRows } from '../../core/matrix.ts';
import { pairSearch } from './best-angle.ts';
import { describeLoadings } from './components.ts';
import type { FitRun } from './fit.ts';
import type { FoundComponents } from './fit-components.ts';
import { powerAscent } from './gpower.ts';
import type { Sparsity } from './options.ts';
import { type MemoryOptions, type MemoryState, RowMemory, rowsPerSample } from './row-memory.ts';
import { shrunkEnergy } from './shrinkage.ts';

/** The matrix AU of a new stream, or of one that continues from a state. */
export class PublishedMemory extends RowMemory {
  readonly #rotations: number;
  readonly #search = pairSearch();

  constructor(options: MemoryOptions, from?: MemoryState) {
    super(options, from);
    this.#rotations = options.rotations;
  }

  override add(sample: ArrayLike<number>): void {
    this.place(sample, this.nextPlace(0));
    if (this.seen < this.rows.rows) return;
    for (let l = 0; l < this.#rotations; l++) this.#turnPair();
  }

  #turnPair(): void {
    const { rows: m, cols: n, data } = this.rows;
    const one = this.random.integer(m);
    const other = (one + 1 + this.random.integer(m - 1)) % m;
    const [i, j] = [Math.min(one, other), Math.max(one, other)];
    const { angle } = this.#search(data, i * n, j * n, n, this.gammas[i], this.gammas[j], Math.PI / 4);
    if (angle !== 0) this.rotate(i, j, angle);
  }
}

/** The components of AU; variances and objective are per sample. */
export async function solveForZ(
  memory: RowMemory,
  { components, gamma }: Sparsity,
  run: FitRun,
): Promise<FoundComponents> {
  const { rows: B, seen } = memory;
  const gammas = new Float64Array(components).fill(gamma!);
  const within = (P: Matrix64) => withinPattern(P, B, gamma!);
  const total = (P: Matrix64) => sumOfNorms(within(P));
  const fit = await powerAscent(B, identity(components), (P) => unitRows(within(P)), total, run);
  const found = describeLoadings(rowsPerSample(memory, components), unitRows(within(fit.projections)), gammas, 1);
  return { fit: { ...fit, objective: shrunkEnergy(B, gammas) / seen }, found };
}

/** Keeps P where |B| > γ, and sets it to zero elsewhere. */
function withinPattern(P: Matrix64, B: Matrix64, gamma: number): Matrix64 {
  const out = copy(P);
  for (let at = 0; at < out.data.length; at++) if (!(Math.abs(B.data[at]) > gamma)) out.data[at] = 0;
  return out;
}

function sumOfNorms(P: Matrix64): number {
  let sum = 0;
  for (let i = 0; i < P.rows; i++) sum += norm(row(P, i));
  return sum;
}
