/**
 * Projected gradient ascent with step α on ‖X‖_q^q over the orthogonal group:
 *
 *     A ← polar(A + α G),   G = φ(X)ᵀ Z
 *
 * α multiplies G, the gradient divided by q, in the units of the samples: this α reproduces the paper's Table 1.
 * polar(A + αG) = polar(G + A/α): a shift of −1/α, and α = ∞ is MSP.
 */
import { positive } from '../../core/options.ts';
import { exploringPrecision } from '../common-options.ts';
import { asSolver, defineMethod } from './method.ts';
import { mspSolver, normOption } from './msp.ts';

export const pga = defineMethod({
  name: 'pga',
  summary: 'projected gradient ascent on the l_q norm of the codes',
  space: 'orthogonal',
  options: {
    norm: normOption,
    step: positive({
      placeholder: 'ALPHA',
      default: Number.POSITIVE_INFINITY,
      help: 'step size in A + ALPHA (X^(q-1))^T Y, which is then projected; an infinite step is msp',
    }),
  },
  describe: (settings) => `pga, l${settings.norm} norm`,
  solver(problem, settings, start) {
    const precision = exploringPrecision(settings);
    const solver = mspSolver(problem, { norm: settings.norm, shift: -1 / settings.step, precision, start });
    return asSolver({ ...solver, name: 'pga' });
  },
});
