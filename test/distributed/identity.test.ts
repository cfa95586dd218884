/** The identity of a process: equal on machines whose kernels compute the same bits, different if any bit differs. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { arithmeticIdentity, selfAs, version } from '#src/distributed/identity.ts';
import type { Kernels } from '#src/kernels/kernels.ts';
import { referenceKernels } from '#src/kernels/reference.ts';

it('the reference kernels have one name, on every machine and in every version that computes the same bits', () => {
  expect(arithmeticIdentity(referenceKernels)).toBe('js-677302a9');
});

it('kernels that differ in the last bit of any product have another name', () => {
  const nudge = <M extends { readonly data: Float32Array | Float64Array }>(matrix: M): M => {
    const data = matrix.data.slice();
    data[3] *= 1 + 2 ** -52;
    return { ...matrix, data };
  };
  const changes: Partial<Kernels>[] = [
    { multiply: (...of) => nudge(referenceKernels.multiply(...of)) },
    { covariance: (...of) => nudge(referenceKernels.covariance(...of)) },
    ...(['f32', 'f64'] as const).map((precision) => ({
      correlate: (request: Parameters<Kernels['correlate']>[0]) => {
        const found = referenceKernels.correlate(request);
        return request.precision === precision ? { ...found, correlation: nudge(found.correlation) } : found;
      },
    })),
  ];
  const names = changes.map((change) => arithmeticIdentity({ ...referenceKernels, ...change }));
  expect(new Set([...names, arithmeticIdentity(referenceKernels)]).size).toBe(5);
  for (const name of names) expect(name).toMatch(/^js-[0-9a-f]{8}$/);
});

it('a process tells its version, its place and its threads', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(version()).toBe(manifest.version);
  expect(selfAs('worker', referenceKernels, 3)).toMatchObject({
    role: 'worker',
    version: manifest.version,
    backend: arithmeticIdentity(referenceKernels),
    threads: 3,
    pid: process.pid,
  });
});
