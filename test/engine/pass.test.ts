/** Passes by name: a worker finds a pass by its description, and loads the module that defines it. */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accumulate, addFields, definePass, describePass, registeredPasses, resolvePass } from '#src/engine/pass.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { scratchDirectory } from '../helpers/scratch.ts';

const scratch = scratchDirectory();
const summing = (name: string) => ({ name, contribute: () => 1, add: (a: number, b: number) => a + b });

describe('the registry', () => {
  it('finds a pass by its description', async () => {
    const description = describePass(surveyPass);
    expect(description).toEqual({ name: 'survey', module: expect.stringMatching(/passes\/survey\.\w+$/) });
    expect(await resolvePass(description)).toBe(surveyPass);
  });

  it('refuses a second pass of the same name, and a pass that is not registered', () => {
    const pass = definePass(import.meta.url, summing('pass-test'));
    expect(registeredPasses()).toContain(pass);
    const words = 'definePass: pass.name must be that of no other pass; got pass-test.';
    expect(() => definePass('another-module.js', summing('pass-test'))).toThrow(words);
    expect(describePass(pass).module).toBe(import.meta.url);
    expect(() => definePass('x.js', { name: 'pass-half' } as never)).toThrow('definePass: pass must be an object');
    expect(() => describePass(summing('pass-test'))).toThrow('"pass-test" is not registered');
    expect(() => describePass(summing('another'))).toThrow('"another" is not registered');
  });

  it('loads no module for a pass that it knows', async () => {
    const module = 'data:text/javascript,throw new Error(1)';
    expect(await resolvePass({ name: 'survey', module })).toBe(surveyPass);
  });

  it('says so if a module does not define the pass that it should', async () => {
    writeFileSync(scratch.file('empty.mjs'), 'export {};');
    const module = pathToFileURL(scratch.file('empty.mjs')).href;
    await expect(resolvePass({ name: 'missing', module })).rejects.toThrow(
      `${module} does not define the pass "missing"`,
    );
  });
});

describe('accumulate', () => {
  it('adds element by element, whatever the length', () => {
    const pairs = fc.array(fc.tuple(fc.double({ noNaN: true }), fc.double({ noNaN: true })), { maxLength: 11 });
    fc.assert(
      fc.property(pairs, (both) => {
        const total = Float64Array.from(both, ([a]) => a);
        accumulate(
          total,
          Float64Array.from(both, ([, b]) => b),
        );
        expect(total).toEqual(Float64Array.from(both, ([a, b]) => a + b));
      }),
    );
  });

  it('refuses arrays of other lengths', () => {
    expect(() => accumulate(new Float64Array(3), new Float64Array(2))).toThrow(
      'accumulate: b must be as long as a (3); got 2.',
    );
  });
});

describe('addFields', () => {
  const contribution = (x: number) => ({
    count: x,
    sums: Float64Array.of(x, 2 * x),
    matrix: { rows: 1, cols: 2, data: Float64Array.of(x, -x) },
    parts: [{ energy: x }, { energy: 10 * x }],
    absent: undefined,
  });

  it('adds numbers, arrays, matrices and what is in objects and lists', () => {
    expect(addFields(contribution(1), contribution(4))).toEqual(contribution(5));
    expect(addFields(1, 2)).toBe(3);
  });

  it('adds arrays in place, and leaves what is added as it was', () => {
    const [total, part] = [contribution(1), contribution(4)];
    const sum = addFields(total, part);
    expect(sum.sums).toBe(total.sums);
    expect(sum.matrix.data).toBe(total.matrix.data);
    expect(part).toEqual(contribution(4));
  });

  it('refuses arrays of other lengths', () => {
    expect(() => addFields({ a: Float64Array.of(1) }, { a: Float64Array.of(1, 2) })).toThrow('accumulate: b');
  });
});
