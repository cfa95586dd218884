/** Passes by name: one name, one pass, in a module that a worker can load. */
import { expect, it } from 'vitest';
import { definePass, introduce, meetPass, registeredPasses } from '#src/engine/registry.ts';
import { surveyPass } from '#src/passes/survey.ts';

const pass = (name: string) => ({
  name,
  contribute: () => new Float64Array(1),
  add: (total: Float64Array, part: Float64Array) => Float64Array.of(total[0] + part[0]),
});

it('a name belongs to one pass', async () => {
  const own = definePass('data:text/javascript,', pass('registry-own'));
  expect(registeredPasses()).toContain(own);
  expect(introduce(own)).toEqual({ name: 'registry-own', module: 'data:text/javascript,' });
  expect(() => definePass('data:text/javascript,1', pass('registry-own'))).toThrow(
    'definePass: pass.name must be that of no other pass; got registry-own.',
  );
  expect(introduce(own).module).toBe('data:text/javascript,');
  expect(() => introduce(pass('registry-own'))).toThrow('"registry-own" is not registered');
  expect(() => introduce(pass('registry-none'))).toThrow('"registry-none" is not registered');
  expect(() => definePass('x', { name: 'registry-half' } as never)).toThrow('definePass: pass must be an object');
});

it('a worker loads the module of a pass that it does not know', async () => {
  expect(await meetPass({ name: 'survey', module: 'data:text/javascript,throw 1' })).toBe(surveyPass);
  const empty = { name: 'registry-missing', module: 'data:text/javascript,export{}' };
  await expect(meetPass(empty)).rejects.toThrow('does not define the pass "registry-missing".');
});
