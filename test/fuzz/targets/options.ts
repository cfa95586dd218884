/** Options of every kind and value, drawn from the tables: an InputError, or a result without NaN. */
import type { OptionSpec } from '#src/core/options.ts';
import type { Random } from '#src/core/random.ts';
import { pick } from '../edits.ts';
import { outcomeOf } from '../files.ts';
import { notFinite } from '../not-finite.ts';
import { learners } from '../runs.ts';
import { subject, type Target } from '../target.ts';

/** Values that no option is made for, and some that few are. */
const HOSTILE: readonly unknown[] = [
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, -0, 0, 0.5, 1e-320, 1e308, 2 ** 31, 2 ** 53],
  ...['', 'auto', 'none', '1', '\u001b[31m', 'a\nb', '__proto__', 'toString', '\u202e'],
  ...[null, true, false, [], {}, [1], () => 1, Symbol('x'), 10n, new Date(0), new Float64Array(3), Object.create(null)],
  { rows: 2, cols: 2, data: new Float64Array(3) },
  { rows: 6, cols: 6, data: new Float64Array(36) },
  { rows: 6, cols: 6, data: Float64Array.from({ length: 36 }, (_, i) => (i % 7 === 0 ? 1 : 0)) },
  { rows: 2 ** 31, cols: 2 ** 31, data: new Float64Array(1) },
];

const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 10, 64, 0.1, 0.5, 0.9, 1e-3, 1e-12, 1e-300, 1.5, 8];

/** More work, for as long as it is asked for: not what is tested here. */
const LONG: readonly string[] = ['maxIterations', 'maxSeconds', 'starts', 'epochs', 'passes'];

interface Case {
  readonly learner: number;
  readonly options: readonly (readonly [name: string, value: unknown])[];
}

function drawValue(random: Random, { flag, default: preset }: OptionSpec): unknown {
  if (random.integer(3) === 0) return pick(random, HOSTILE);
  switch (flag?.kind) {
    case 'switch':
      return random.integer(2) === 0;
    case 'choice':
      return pick(random, flag.choices);
    case 'number or word':
      return random.integer(2) === 0 ? pick(random, flag.words) : pick(random, NUMBERS);
    case 'number':
      return pick(random, NUMBERS);
    default:
      return random.integer(2) === 0 ? preset : pick(random, HOSTILE);
  }
}

function drawCase(random: Random): Case {
  const learner = random.integer(learners.length);
  const names = Object.keys(learners[learner].table).filter((name) => !LONG.includes(name));
  const options = Array.from({ length: 1 + random.integer(3) }, () => {
    const name =
      random.integer(20) === 0 ? pick(random, ['nothing', '__proto__', 'constructor', '']) : pick(random, names);
    const spec = learners[learner].table[name];
    return [name, spec && Object.hasOwn(learners[learner].table, name) ? drawValue(random, spec) : 1] as const;
  });
  return { learner, options };
}

/** The objective is not a number where a method has none. */
const MAY_BE_ABSENT = /^result\.(objective|settings)/;

export const options: Target = {
  name: 'options',
  about: 'options of any kind and value, from the tables: refused, or a result without NaN',
  cases: 700,
  open: async () =>
    subject<Case>({
      draw: drawCase,
      check: async ({ learner: index, options: given }) => {
        const { learn, data, short, table } = learners[index];
        const limits = 'maxIterations' in table ? { maxIterations: 3 } : {};
        const all = { ...short, ...limits };
        for (const [name, value] of given)
          Object.defineProperty(all, name, { value, enumerable: true, configurable: true, writable: true });
        return outcomeOf(
          learn(data, all, {}).then((result) => {
            const bad = notFinite(result);
            if (bad && !MAY_BE_ABSENT.test(bad)) throw new Error(bad);
          }),
        );
      },
      *smaller({ learner, options: given }) {
        for (let i = 0; i < given.length; i++) yield { learner, options: given.filter((_, k) => k !== i) };
      },
      keep: async ({ learner, options: given }) =>
        `${learners[learner].name} ${given.map(([name, value]) => `${name} = ${String(typeof value === 'symbol' ? 'symbol' : (JSON.stringify(value, (_, x) => (typeof x === 'bigint' ? `${x}n` : x)) ?? typeof value))}`).join(', ')}`,
    }),
};
