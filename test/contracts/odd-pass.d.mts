import type { Pass } from '#src/engine/pass.ts';

export const oddPass: Pass<{ readonly what: 'a function' | 'an array under two names' }, unknown>;
export const deadlyPass: Pass<{ readonly how: 'ends' | 'fails'; readonly seen: Int32Array }, number>;
export const slowPass: Pass<
  { readonly milliseconds: number; readonly seen: Int32Array; readonly together?: boolean },
  { readonly rows: number; readonly sum: number }
>;
