/** The settings of the tab "Your data", as its address holds them, and as options of `learn`. */
import type { LearnTableOptions } from '../../session/jobs/data/messages.ts';
import { oneOf, type Rules, whole } from '../../settings.ts';
import { EXAMPLES } from './examples.ts';

export const METHODS = ['l4', 'l3', 'ica'] as const;

export const DEFAULTS = {
  /** The name of an example, or `own` for a file of the user, which a link can only name. */
  data: 'sensors',
  file: '',
  /** Name of the array of an .npz. */
  array: '',
  /** Numbers of the columns to use, from 1, as in `1-4,7`; empty for all numeric columns. */
  columns: '',
  missing: 'error',
  center: true,
  whiten: 'none',
  method: 'l4',
  /** Number of atoms; 0 means as many as features. */
  components: 0,
  starts: 4,
  seed: 0,
  holdout: true,
};
export type Settings = typeof DEFAULTS;

const anyText = () => true;
const anyToggle = (value: boolean) => typeof value === 'boolean';

export const RULES: Rules<Settings> = {
  data: oneOf(...Object.keys(EXAMPLES), 'own'),
  file: anyText,
  array: anyText,
  columns: (text) => text === '' || /^\d+(-\d+)?(,\d+(-\d+)?)*$/.test(text),
  missing: oneOf('error', 'drop', 'mean'),
  center: anyToggle,
  whiten: oneOf('none', 'zca'),
  method: oneOf<string>(...METHODS),
  components: whole(0, 100_000),
  starts: whole(1, 8),
  seed: whole(0, 1_000_000),
  holdout: anyToggle,
};

/** The share of the rows that is held out. */
export const HELD_OUT = 0.2;

/** The options of `learn` that differ from its defaults. */
export function learnOptions({
  method,
  center,
  whiten,
  components,
  starts,
  seed,
  holdout,
}: Settings): LearnTableOptions {
  const common = {
    ...(center && { center }),
    ...(components > 0 && { components }),
    ...(starts > 1 && { starts }),
    ...(seed !== 0 && { seed }),
    ...(holdout && { holdout: HELD_OUT }),
  };
  if (method === 'ica') return { method, ...common };
  return { ...(method === 'l3' && { norm: 3 }), ...(whiten === 'zca' && { whiten }), ...common };
}
