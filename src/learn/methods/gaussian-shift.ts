/** The natural shift β = p σ^q E|N(0,1)|^q, σ² = ‖Z‖²_F/(pK): the component of φ(X)ᵀZ along A if codes were Gaussian. */
import { trace } from '../../core/matrix.ts';
import type { Problem } from '../problem.ts';

export function gaussianShift(problem: Problem, q: number): number {
  const variance = trace(problem.gram) / (problem.samples * problem.size);
  return problem.samples * variance ** (q / 2) * gaussianAbsoluteMoment(q);
}

/** Returns E|N(0,1)|^q = (q−1)!! for even q; 2√(2/π) for q = 3. */
function gaussianAbsoluteMoment(q: number): number {
  let moment = q % 2 === 0 ? 1 : 2 * Math.sqrt(2 / Math.PI);
  for (let k = q - 1; k > (q % 2 === 0 ? 1 : 2); k -= 2) moment *= k;
  return moment;
}
