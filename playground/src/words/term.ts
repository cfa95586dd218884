/** An explanation of a word: about three sentences, and optionally a formula. */
export interface Term {
  readonly title: string;
  readonly text: string;
  /** The content of <math>. */
  readonly formula?: string;
}
