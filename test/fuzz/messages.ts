/** What the harness and the process that runs the cases say to each other. */

/** Cases `first`, `first` + 1, … of a target, at most `cases` of them, for at most `seconds`. */
export interface Slice {
  readonly target: string;
  readonly first: number;
  readonly cases: number;
  readonly seconds: number;
  /** Directory for what fails. */
  readonly failures: string;
}

export type FromChild =
  | { readonly begins: number }
  /** With the slice. */
  | { readonly done: true }
  /** `bytes`: the most memory the process has had. */
  | { readonly outcome: string; readonly milliseconds: number; readonly bytes: number }
  /** `kept`: the smallest case that fails, in words. */
  | { readonly fails: string; readonly kept: string };
