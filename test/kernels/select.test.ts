import { afterEach, expect, test, vi } from 'vitest';

const { WebAssembly } = globalThis as unknown as { WebAssembly: { validate(bytes: Uint8Array): boolean } };

/** Runs the selection as on a machine with this WebAssembly. */
async function selectionWith(stub: unknown) {
  vi.resetModules();
  vi.stubGlobal('WebAssembly', stub);
  return import('#src/kernels/select.ts');
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test.each([
  ['no WebAssembly', undefined],
  ['no SIMD', { validate: () => false }],
])('with %s, auto is js and wasm is refused', async (_, stub) => {
  const { selectKernels, supportedKernels } = await selectionWith(stub);
  expect(supportedKernels()).toEqual(['js']);
  expect((await selectKernels('auto')).name).toBe('js');
  await expect(selectKernels('wasm')).rejects.toMatchObject({
    name: 'InputError',
    message: 'selectKernels: backend must be one that runs here, such as js; got wasm without WebAssembly SIMD.',
  });
});

test('without relaxed SIMD, auto is the baseline', async () => {
  const sizes: number[] = [];
  const refuseFirst = (bytes: Uint8Array) => sizes.push(bytes.length) > 1 && WebAssembly.validate(bytes);
  const { selectKernels } = await selectionWith(Object.assign(Object.create(WebAssembly), { validate: refuseFirst }));
  expect((await selectKernels('auto')).name).toBe('wasm');
  expect(sizes.length).toBe(2);
});

test('auto is the fastest supported, js the reference', async () => {
  const { selectKernels, supportedKernels } = await import('#src/kernels/select.ts');
  const { referenceKernels } = await import('#src/kernels/reference.ts');
  expect((await selectKernels('auto')).name).toBe(supportedKernels()[0]);
  expect(await selectKernels('js')).toBe(referenceKernels);
  expect(supportedKernels().at(-1)).toBe('js');
});
