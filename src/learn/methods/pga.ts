/**
 * Projected gradient ascent with step α on ‖X‖_q^q over the orthogonal group:
 *
 *     A ← polar(A + α G),   G = φ(X)ᵀ Z
 *
 * The step multiplies G, the gradient divided by q, of the samples in their own units: with this α the paper's Table 1 is met.
 * polar(A + αG) = polar(G + A/α): a shift of −1/α, and α = ∞ is MSP.
 */
import type { Solver } from '../../engine/solver.ts';
import type { Problem } from '../problem.ts';
import { type MspOptions, type MspState, msp } from './msp.ts';

export type PgaOptions = Omit<MspOptions, 'shift'> & { readonly step: number };

export function pga(problem: Problem, { step, ...options }: PgaOptions): Solver<MspState> {
  return { ...msp(problem, { ...options, shift: -1 / step }), name: 'pga' };
}
