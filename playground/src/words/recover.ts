/** Words of the tab "recover". */
import type { Term } from './term.ts';

export const RECOVER = {} as const satisfies Record<string, Term>;
