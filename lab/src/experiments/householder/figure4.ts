/** Error per entry of the codes against the number of samples, for one reflector. */
import { lineChart } from '../../charts/line-chart.ts';
import { below, mostly } from '../framework/claims.ts';
import { trend } from '../framework/curve-claims.ts';
import { type Experiment, pointsOf, range } from '../framework/experiment.ts';
import { RIVALS, sparseAndMany, THETAS, thetaPanels } from './figure3.ts';
import { codeErrors, GROUP, PAPER, THRESHOLD } from './problem.ts';

export const householderFigure4: Experiment = {
  name: 'householder-figure4',
  group: GROUP,
  title: 'Error of the codes of a single reflector against the number of samples',
  source: `${PAPER}, figure 4`,
  setting: [
    `Data and methods as in figure 3. X̂ is ĤY with entries below ζ = ${THRESHOLD} set to zero; the paper chooses ζ heuristically, here it is half the smallest code.`,
    "The error is ‖X − X̂‖_F/√(np), the root mean square error per entry; the paper's text does not give its normalisation.",
  ],
  parameters: ['n', 'theta', 'p'],
  measures: RIVALS,
  full: {
    points: pointsOf({ n: [1000], theta: THETAS, p: range(2, 18, 2) }),
    trials: 20,
    words: 'n = 1000, p = 2 … 18, as in the paper.',
  },
  quick: {
    points: pointsOf({ n: [1000], theta: THETAS, p: [2, 6, 10, 18] }),
    trials: 3,
    words: 'n = 1000 as in the paper, fewer p.',
  },
  trial: codeErrors,
  charts: (summary) => [
    {
      caption: 'Error per entry of the codes against the number of samples, for three sparsity levels and two methods',
      spec: lineChart({
        title: 'Figure 4: error of the codes against the number of samples',
        subtitle: `n = ${summary.points[0].n}, one reflector; medians and the middle 80 % of the trials; 1e-16 is rounding`,
        along: 'p',
        x: 'number of samples p',
        y: 'error per entry of X',
        panels: thetaPanels(summary),
      }),
    },
  ],
  claims: [
    trend('The error of the codes falls with the number of samples.', 'moments', 'p', 'falls'),
    mostly(
      'orthodict is exact, to 1e-10, with 18 samples and θ ≤ .3 in at least 9 of 10 trials.',
      'ours',
      1e-10,
      0.9,
      sparseAndMany,
    ),
    below('orthodict is never worse than Algorithm 1 by more than 5 %.', 'ours', ['moments'], undefined, 1.05),
  ],
  references: [],
  referenceWords: 'The paper draws its curves and prints no numbers.',
  compared: { paper: 'moments', ours: 'ours' },
};
