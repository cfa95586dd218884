/** All explanations by name. */
import { DATA } from './data.ts';
import { PICTURE } from './picture.ts';
import { RECOVER } from './recover.ts';
import type { Term } from './term.ts';

const COMMON = {
  dictionary: {
    title: 'Dictionary',
    text: 'A dictionary is a list of atoms: patterns that add up to every sample. Here the atoms are at right angles, so one product finds the codes and another one rebuilds the samples. A good dictionary for your data needs few atoms for each sample.',
    formula:
      '<mi>y</mi><mo>=</mo><msub><mi>x</mi><mn>1</mn></msub><msub><mi>d</mi><mn>1</mn></msub><mo>+</mo><mo>…</mo><mo>+</mo><msub><mi>x</mi><mi>n</mi></msub><msub><mi>d</mi><mi>n</mi></msub><mo>,</mo><mspace width="1em"/><mi>x</mi><mo>=</mo><mi>D</mi><mi>y</mi>',
  },
} as const satisfies Record<string, Term>;

export const TERMS = { ...COMMON, ...RECOVER, ...PICTURE, ...DATA };

export type TermName = keyof typeof TERMS;
