/** An explanation of a word: three sentences, and a formula for those who want it. */
export interface Term {
  readonly title: string;
  readonly text: string;
  /** What stands inside of <math>. */
  readonly formula?: string;
}
