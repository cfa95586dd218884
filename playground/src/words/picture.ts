/** Words of the tab "picture". */
import type { Term } from './term.ts';

export const PICTURE = {} as const satisfies Record<string, Term>;
