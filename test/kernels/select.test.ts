import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { scratchDirectory } from '../helpers/scratch.ts';

const { WebAssembly } = globalThis as unknown as { WebAssembly: { validate(bytes: Uint8Array): boolean } };
const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const scratch = scratchDirectory();
let copies = 0;

/** The selection as it is on a machine with this WebAssembly: of a copy, as Node evaluates a file once. */
async function selectionWith(stub: unknown): Promise<typeof import('#src/kernels/select.ts')> {
  const copy = scratch.file(`${copies++}/dist`);
  for (const folder of ['core', 'kernels']) cpSync(join(dist, folder), join(copy, folder), { recursive: true });
  writeFileSync(join(copy, 'package.json'), '{ "type": "module" }');
  vi.stubGlobal('WebAssembly', stub);
  return import(join(copy, 'kernels/select.js'));
}

afterEach(() => {
  vi.unstubAllGlobals();
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
