import type { Pass } from '#src/engine/pass.ts';

export const oddPass: Pass<{ readonly what: 'a function' | 'an array under two names' }, unknown>;
