/** The process that tries a BLAS before this one uses it: a library that would crash it is refused, and the run goes on without. */
import { expect, it } from 'vitest';
import { findBlas } from '#src/node/threads/native/blas.ts';
import { DIST, start } from '../../../helpers/run.ts';
import { itUnless } from '../../../helpers/skip.ts';

const found = await findBlas();
const scripts = ['node/threads/native/blas-trial.js', 'bundle/blas-trial.js'];

/** The exit code of the trial. */
const tryLibrary = async (script: string, library: string) =>
  (await start(`${DIST}${script}`, [library]).finished).code;

it.each(scripts)('%s refuses what is no library, and one that has no products', async (script) => {
  expect(await tryLibrary(script, 'libnothing.so')).toBe(1);
  expect(await tryLibrary(script, process.platform === 'linux' ? 'libm.so.6' : 'libnothing')).toBe(1);
});

itUnless('missing' in found ? found.missing : undefined, 'both accept the BLAS of this machine', async () => {
  for (const script of scripts) expect(await tryLibrary(script, (found as { library: string }).library)).toBe(0);
});
