/**
 * Riemannian subgradient descent on the ℓ1 norm of the codes: atom by atom (subgradient-atoms.ts) or all at once
 * (subgradient-whole.ts).
 */
import { asSolver, commonBut, defineMethod, exploringPrecision, option, toleranceOf } from 'orthodict/extend';
import { subgradientAtoms } from './subgradient-atoms.ts';
import { subgradientWhole } from './subgradient-whole.ts';

export const subgradient = defineMethod({
  name: 'subgradient',
  forComparison: true,
  summary: 'Riemannian subgradient descent on the l1 norm of the codes',
  space: 'orthogonal',
  defaults: { refine: 'none' },
  takes: commonBut('objectiveTolerance'), // a round ends by its step length
  options: {
    search: option.choice(['atoms', 'whole'], {
      placeholder: 'HOW',
      default: 'atoms',
      help: 'atoms: one atom at a time; whole: the whole dictionary at once',
    }),
  },
  describe: ({ search }) => `subgradient, ${search}`,
  solver(problem, settings, start) {
    const { search, seed } = settings;
    const options = { precision: exploringPrecision(settings), tolerance: toleranceOf(settings), start };
    return search === 'whole'
      ? asSolver(subgradientWhole(problem, options))
      : asSolver(subgradientAtoms(problem, { ...options, seed }));
  },
});
