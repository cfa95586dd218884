/** Fits components by the chosen method, from R with RᵀR the second moments, and describes what they explain. */
import { type Matrix64, row, zeros } from '../../core/matrix.ts';
import type { Status } from '../../engine/stop.ts';
import { fitNonzeros } from './choose-gamma.ts';
import { type Components, componentsOf, describeLoadings, loadingsOf } from './components.ts';
import type { Fit, FitRun, Fitter } from './fit.ts';
import { fitByGivens } from './givens.ts';
import { deflate, fitByGPower } from './gpower.ts';
import { type SparsePcaMethod, type Sparsity, sparsePcaDefaults } from './options.ts';
import { fitByVariance } from './variance.ts';

export interface FoundComponents {
  readonly fit: Pick<Fit, 'objective' | 'status' | 'reason' | 'iterations'>;
  readonly found: Components;
}

/** The sparsity of the components, and the method; default: that of the options. */
export interface Wanted extends Sparsity {
  readonly method?: SparsePcaMethod | undefined;
}

/** Fits components to R, which is in units of `unit`. */
export function fitComponents(R: Matrix64, unit: number, wanted: Wanted, run: FitRun): Promise<FoundComponents> {
  const { method = sparsePcaDefaults.method } = wanted;
  if (method === 'variance') return fitVariance(R, unit, wanted, run);
  if (method === 'gpower-deflation') return fitDeflating(R, unit, wanted, run);
  return fitTogether(method === 'givens' ? fitByGivens : fitByGPower, R, unit, wanted, run);
}

async function fitVariance(R: Matrix64, unit: number, wanted: Wanted, run: FitRun): Promise<FoundComponents> {
  const gamma = wanted.gamma === undefined ? undefined : wanted.gamma / unit;
  const fit = await fitByVariance(R, { ...wanted, gamma }, run);
  return { fit, found: describeLoadings(R, fit.loadings, fit.gammas, unit) };
}

async function fitTogether(
  fitter: Fitter,
  R: Matrix64,
  unit: number,
  wanted: Wanted,
  run: FitRun,
): Promise<FoundComponents> {
  const fit = await fitFor(fitter, R, unit, wanted, run);
  return { fit, found: componentsOf(R, fit, unit) };
}

async function fitDeflating(R: Matrix64, unit: number, wanted: Wanted, run: FitRun): Promise<FoundComponents> {
  const { components } = wanted;
  const loadings = zeros(components, R.cols);
  const gammas = new Float64Array(components);
  let rest = R;
  let sum = { objective: 0, status: 'converged' as Status, reason: '', iterations: 0 };
  for (let i = 0; i < components && sum.status !== 'aborted'; i++) {
    const fit = await fitFor(fitByGPower, rest, unit, { ...wanted, components: 1 }, run);
    loadings.data.set(loadingsOf(fit).data, i * R.cols);
    gammas[i] = fit.gammas[0];
    rest = deflate(rest, row(loadings, i));
    const status = fit.status === 'converged' ? sum.status : fit.status;
    const iterations = sum.iterations + fit.iterations;
    sum = { objective: sum.objective + fit.objective, status, reason: fit.reason, iterations };
  }
  return { fit: sum, found: describeLoadings(R, loadings, gammas, unit) };
}

function fitFor(
  fitter: Fitter,
  R: Matrix64,
  unit: number,
  { components, gamma, nonzeros }: Sparsity,
  run: FitRun,
): Promise<Fit> {
  if (nonzeros !== undefined) return fitNonzeros(fitter, R, components, nonzeros, run);
  return fitter(R, new Float64Array(components).fill(gamma! / unit), run);
}
