/**
 * A method that lives outside the package: the ℓ4 norm with codes clipped at c, so that a few huge outliers do no harm.
 *
 *     h(x) = x⁴/4 for |x| ≤ c, c³|x| − 3c⁴/4 beyond,   φ = h′ = clip(x, −c, c)³
 *     G = φ(X)ᵀ Z,   A ← polar(G)
 *
 * h is convex, so Σ h(x) never falls. c is `clip` times the root mean square of all codes.
 */
import {
  accumulate,
  asSolver,
  atomsShape,
  defineMethod,
  definePass,
  field,
  identity,
  initialState,
  option,
  polar,
  rootMeanSquareDifference,
} from 'orthodict/extend';

/** Sums over samples: φ(X)ᵀ Y, and Σ h(x). */
const clippedPass = definePass(import.meta.url, {
  name: 'clipped-correlation',
  contribute({ samples }, { atoms, conditioning, clip }, kernels) {
    const Y = kernels.project(samples, identity(samples.cols), conditioning, 'f64');
    const X = kernels.multiply(Y, atoms, 'nt');
    let objective = 0;
    for (let at = 0; at < X.data.length; at++) {
      const x = X.data[at];
      const inner = Math.min(Math.max(x, -clip), clip);
      objective += x === inner ? x ** 4 / 4 : clip ** 3 * Math.abs(x) - (3 * clip ** 4) / 4;
      X.data[at] = inner ** 3;
    }
    return { correlation: kernels.multiply(X, Y, 'tn'), objective };
  },
  add(total, part) {
    accumulate(total.correlation.data, part.correlation.data);
    return { ...total, objective: total.objective + part.objective };
  },
});

export const clippedL4 = defineMethod({
  name: 'clipped-l4',
  summary: 'the l4 norm of codes clipped at a few root mean squares, for data with outliers',
  space: 'orthogonal',
  options: {
    clip: option.positiveFinite({ placeholder: 'C', default: 3, help: 'codes count fully up to C root mean squares' }),
  },
  solver(problem, { clip }, start) {
    return asSolver({
      name: 'clipped-l4',
      shape: atomsShape(field.orthogonal(start.rows, start.cols, problem.kernels)),
      init: async () => initialState(start),
      async step({ atoms }) {
        const { correlation, objective } = await problem.sum(clippedPass, atoms, { clip });
        const next = polar(correlation, problem.kernels);
        return { atoms: next, objective, change: rootMeanSquareDifference(next, atoms) };
      },
      report: ({ objective, change }) => ({ objective, change }),
      atoms: ({ atoms }) => atoms,
    });
  },
});
