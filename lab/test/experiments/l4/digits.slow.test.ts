/** The MNIST figures, on fewer images and directions than in their quick form, must show what they claim. */

import { row, rowRange } from 'orthodict/extend';
import { describe, expect, it } from 'vitest';
import { missingDataPackage } from '#lab/data-package.ts';
import type { Experiment } from '#lab/experiments/framework/experiment.ts';
import { summarise } from '#lab/experiments/framework/summary.ts';
import { judgeBasis, KEPT, reconstruct } from '#lab/experiments/l4/basis-quality.ts';
import { digitBases } from '#lab/experiments/l4/digits.ts';
import { figure9 } from '#lab/experiments/l4/figure9.ts';
import { figure10 } from '#lab/experiments/l4/figure10.ts';
import { figure11 } from '#lab/experiments/l4/figure11.ts';
import { mnist, pixelsOf } from '#lab/experiments/l4/picture-sets.ts';
import { fastKernels } from '../../../../test/helpers/kernels.ts';
import { scratchDirectory } from '../../../../test/helpers/scratch.ts';
import { testSeed } from '../../../../test/helpers/seed.ts';
import { runExperiment } from '../run-experiment.ts';

const scratch = scratchDirectory();
const seed = testSeed(1);
const small = { images: 2000, components: 100, limit: 30 };

const missing = missingDataPackage(mnist.data);
if (missing) console.warn(`the figures on MNIST: skipped, ${missing}`);

describe.skipIf(missing !== undefined)('the figures on MNIST', () => {
  it.each([figure9, figure10, figure11])('$name shows what it claims', async (figure: Experiment) => {
    const points = figure.quick.points.map((point) => ({ ...point, ...small }));
    const experiment = { ...figure, quick: { ...figure.quick, points } };
    const trials = await runExperiment(experiment, { quick: true, seed }, { csv: scratch.file(`${figure.name}.csv`) });
    const summary = summarise(experiment, trials);
    const failed = figure.claims.filter((claim) => claim.check(summary).holds !== true);
    expect(failed.map(({ words }) => words)).toEqual([]);
    for (const { draw } of figure.galleries ?? []) {
      const { width, height, pixels } = await draw(trials);
      expect(pixels.length).toBe(width * height);
      expect(new Set(pixels).size).toBeGreaterThan(100); // not blank
    }
  });

  it('the residuals are those of the reconstructions', async () => {
    const { pictures: all, msp, pca, centred } = await digitBases(small, seed);
    const pictures = rowRange(all, 0, 40);
    for (const { atoms, mean } of [msp, pca, centred]) {
      const basis = judgeBasis(pictures, atoms, mean, fastKernels);
      for (const kept of ['leading', 'largest'] as const) {
        let [left, whole] = [0, 0];
        reconstruct(pictures, basis, KEPT[3], kept).forEach((again, j) => {
          row(pictures, j).forEach((value, i) => {
            left += (value - again[i]) ** 2;
            whole += value ** 2;
          });
        });
        expect(basis[kept][3]).toBeCloseTo(left / whole, 6); // atoms are orthonormal, so energies suffice
      }
    }
  });

  it('pictures are rows of grey levels', async () => {
    const { rows, cols, data } = await mnist.read(3);
    expect([rows, cols]).toEqual([3, pixelsOf(mnist)]);
    expect([Math.min(...data), Math.max(...data)]).toEqual([0, 255]);
  });
});
