/** Words of the tab "data". */
import type { Term } from './term.ts';

export const DATA = {} as const satisfies Record<string, Term>;
