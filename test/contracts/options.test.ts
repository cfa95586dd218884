/**
 * An option that has no effect is an error, whatever function or command it is given to. The cases are derived from the
 * option tables: options of other methods, options whose `only` is not met. Harmless everywhere, and therefore accepted:
 * `seed` where nothing is random, `threads`, and `precision`, which is also that of the model file.
 */
import { describe, expect, it } from 'vitest';
import { fromRows } from '#src/core/matrix.ts';
import { type OptionSpec, type Options, type OptionTable, settle } from '#src/core/options.ts';
import { commonOptions } from '#src/learn/common-options.ts';
import { methods, pinnedOf, settleOptions, tableOf } from '#src/learn/options.ts';
import { householderOptions } from '#src/models/householder/options.ts';
import { mixtureOptions } from '#src/models/mixtures/options.ts';
import { sparsePcaOptions, sparsePcaStreamOptions } from '#src/models/sparse-pca/options.ts';
import { momentsOptions, tensorOptions } from '#src/models/tensor/options.ts';
import { topicsOptions } from '#src/models/topics/options.ts';
import { generateOptions } from '#src/synthetic/bernoulli-gaussian.ts';
import { callRefused } from '../helpers/cli.ts';

/** Every table that a public function settles. */
const TABLES: Readonly<Record<string, OptionTable>> = {
  ...Object.fromEntries(
    Object.entries({
      learnHouseholder: householderOptions,
      learnMixture: mixtureOptions,
      learnSparsePca: sparsePcaOptions,
      learnSparsePcaStream: sparsePcaStreamOptions,
      learnTensor: tensorOptions,
      learnMoments: momentsOptions,
      learnTopics: topicsOptions,
      generate: generateOptions,
    }).map(([name, { table }]: [string, Options<OptionTable>]) => [name, table]),
  ),
  ...Object.fromEntries(methods.map((method) => [`learn, ${method.name}`, tableOf(method)])),
};

const CANDIDATES = [1, 2, 4, 0.5, 'auto', 'none', true, false, '8x8', fromRows([[1]]), [1, 1]];

/** Some value that the option accepts. */
function someValue({ is, default: preset, flag }: OptionSpec): unknown {
  if (preset !== undefined) return preset;
  const words = flag?.kind === 'choice' ? flag.choices : [];
  return [...CANDIDATES, ...words].find((value) => is(value));
}

/** A value of the option that is none of `values`; undefined if there is none. */
function otherValue({ is, flag }: OptionSpec, values: readonly unknown[]): unknown {
  const words = flag?.kind === 'choice' ? flag.choices : [];
  return [...words, ...CANDIDATES].find((value) => is(value) && !values.includes(value));
}

const requiredOf = (table: OptionTable) =>
  Object.fromEntries(Object.entries(table).flatMap(([name, spec]) => (spec.required ? [[name, someValue(spec)]] : [])));
const defaultsOf = (table: OptionTable) =>
  Object.fromEntries(Object.entries(table).map(([name, spec]) => [name, spec.default]));

const conditions = Object.entries(TABLES).flatMap(([who, table]) =>
  Object.entries(table).flatMap(([name, spec]) =>
    Object.entries(spec.only ?? {}).map(([other, values]) => ({ who, table, name, spec, other, values })),
  ),
);

const bounded = Object.entries(TABLES).flatMap(([who, table]) =>
  Object.entries(table).flatMap(([name, { most }]) => (most === undefined ? [] : [{ who, table, name, most }])),
);

describe('the largest value of a count', () => {
  it('is stated for all that decide how long a run takes', () => {
    const found = bounded.map(({ who, name, most }) => `${who} ${name} ${most}`);
    expect(found).toContain('learn, msp starts 10000');
    expect(found).toContain('learnTensor starts 10000');
    expect(found.filter((each) => each.includes(' maxIterations ')).length).toBeGreaterThan(5);
  });

  it.each(bounded)('$who: $name is at most $most', ({ who, table, name, most }) => {
    const given = (value: number) => () => settle(who, table, {}, { ...requiredOf(table), [name]: value });
    const refusal = (value: number) => {
      try {
        given(value)();
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(refusal(most + 1)).toBe(`${who}: ${name} must be at most ${most}; got ${most + 1}.`);
    expect(refusal(most)).not.toContain('at most');
  });
});

describe('an option that needs another', () => {
  it('is found in the tables', () => {
    const found = conditions.map(({ who, name }) => `${who} ${name}`);
    expect(found).toContain('learnMixture maxIterations');
    expect(found).toContain('learnTensor starts');
    expect(found).toContain('learn, msp momentum');
  });

  it.each(conditions.map((each) => [`${each.who}: ${each.name} needs ${each.other}`, each] as const))(
    '%s',
    (_, { who, table, name, spec, other, values }) => {
      const given = { ...requiredOf(table), [name]: someValue(spec) };
      const wrong = otherValue(table[other], values);
      expect(wrong, `a value of ${other} to refuse`).toBeDefined();
      const settleWith = (value: unknown) => settle(who, table, defaultsOf(table), { ...given, [other]: value });
      expect(() => settleWith(wrong)).toThrow(new RegExp(`^${who}: ${name} must be given with`));
      for (const value of values) expect(() => settleWith(value)).not.toThrow();
    },
  );
});

describe.each(methods.map((method) => [method.name, method] as const))('learn, %s', (name, method) => {
  const everything: OptionTable = Object.assign({}, commonOptions.table, ...methods.map(({ options }) => options));

  it('refuses every option of others, and takes its own', () => {
    const own = tableOf(method);
    for (const [option, spec] of Object.entries(everything)) {
      const attempt = () => settleOptions({ method: name, [option]: someValue(own[option] ?? spec) });
      if (!Object.hasOwn(own, option)) expect(attempt, option).toThrow(`learn: ${option} must be given with`);
      else if (Object.hasOwn(pinnedOf(method), option)) continue;
      else if (!['theta', 'mean'].includes(option)) expect(attempt, option).not.toThrow(/must be given with/);
    }
  });

  it('takes of the options with one value only that value', () => {
    for (const [option, [value]] of Object.entries(pinnedOf(method))) {
      const wrong = otherValue(commonOptions.table[option as keyof typeof commonOptions.table], [value]);
      const expected = Object.hasOwn(tableOf(method), option) ? `learn: ${option} must be` : 'must be given with';
      expect(() => settleOptions({ method: name, [option]: wrong }), option).toThrow(expected);
    }
  });
});

describe('the command line', () => {
  const cases: readonly (readonly [args: string, message: string])[] = [
    ['tensor T.npy --starts 0 --out f.npz', 'starts must be a whole number from 1'],
    [
      'mixture d.npy --clusters 2 --refine none --max-iterations 3 --out f.npz',
      'maxIterations must be given with refine auto only',
    ],
    ['mixture d.npy --clusters 2 --shape 2x2 --out f.npz', '--shape must come with --picture'],
    [
      'topics c.npz --topics 2 --refine none --max-iterations 3 --out f.npz',
      'maxIterations must be given with refine auto only',
    ],
    ['sparse-pca d.npy --components 2 --gamma 1 --shape 2x2 --out f.npz', '--shape must come with --picture'],
    ['inspect m.npz --shape 2x2', '--shape must come with --atoms'],
    ['learn d.npy --checkpoint-every 3 --out f.npz', '--checkpoint-every must come with --checkpoint'],
    ['learn d.npy --method pca --max-iterations 3 --out f.npz', 'maxIterations must be given with another method'],
    ['learn d.npy --method givens --scout auto --out f.npz', 'scout must be none with method givens'],
    ['learn d.npy --momentum on --shift 2 --out f.npz', 'momentum must be given with shift auto or none or 0 only'],
    [
      'generate --kind mixture --samples 3 --features 2 --clusters 2 --noise 1 --out f.npz',
      '--noise must be given with --kind',
    ],
  ];

  it.each(cases)('orthodict %s', async (args, message) => {
    expect(await callRefused(...args.split(' '))).toContain(message);
  });
});
