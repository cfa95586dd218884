/**
 * Explanations of words, three sentences each, with a formula for those who want it. Formulas are MathML.
 */
export interface Term {
  readonly title: string;
  readonly text: string;
  /** MathML inside of <math>. */
  readonly formula?: string;
}

export const TERMS = {
  dictionary: {
    title: 'Dictionary',
    text: 'A dictionary is a list of atoms: patterns of which every sample is a sum. Here the atoms are at right angles, so that codes are found by a product and samples are rebuilt by another one. A good dictionary for your data needs few atoms for each sample.',
    formula:
      '<mi>y</mi><mo>=</mo><msub><mi>x</mi><mn>1</mn></msub><msub><mi>d</mi><mn>1</mn></msub><mo>+</mo><mo>…</mo><mo>+</mo><msub><mi>x</mi><mi>n</mi></msub><msub><mi>d</mi><mi>n</mi></msub><mo>,</mo><mspace width="1em"/><mi>x</mi><mo>=</mo><mi>D</mi><mi>y</mi>',
  },
} as const satisfies Record<string, Term>;

export type TermName = keyof typeof TERMS;
