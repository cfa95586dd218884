import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { scratchDirectory } from '../helpers/scratch.ts';

const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { validate(bytes: Uint8Array): boolean; instantiate(module: unknown): Promise<unknown> };
};
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
  vi.restoreAllMocks();
});

const without = (parts: object) => Object.assign(Object.create(WebAssembly), parts);
const fail = (message: string) => () => {
  throw new RangeError(message);
};
const NO_SIMD = 'there is no WebAssembly with SIMD';

test.each([
  ['no WebAssembly', undefined, NO_SIMD],
  ['no SIMD', { validate: () => false }, NO_SIMD],
  ['WebAssembly that throws', { validate: fail('forbidden') }, NO_SIMD],
  ['code that may not be compiled', without({ compile: async () => fail('by policy')() }), 'by policy'],
  ['no memory for an instance', without({ instantiate: async () => fail('out of\nmemory.')() }), 'out of memory'],
])('with %s, auto is js and says so once; wasm is refused', async (_, stub, reason) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { selectKernels, supportedKernels } = await selectionWith(stub);
  if (reason === NO_SIMD) expect(supportedKernels()).toEqual(['js']);
  expect((await selectKernels('auto')).name).toBe('js');
  expect((await selectKernels('auto')).name).toBe('js');
  expect(warn.mock.calls).toEqual([
    [`orthodict: WebAssembly cannot be used (${reason}): computing with the slower js kernels.`],
  ]);
  await expect(selectKernels('wasm')).rejects.toMatchObject({
    name: 'InputError',
    message: `selectKernels: backend must be one that runs here, such as js; got wasm, but ${reason}.`,
  });
});

test('another thread gets the kernels of a name, whatever is the fastest there', async () => {
  const { portableKernels, supportedKernels } = await import('#src/kernels/select.ts');
  for (const name of supportedKernels()) expect((await portableKernels(name as 'js')).name).toBe(name);
});

test('without relaxed SIMD, auto is the baseline', async () => {
  const sizes: number[] = [];
  const refuseFirst = (bytes: Uint8Array) => sizes.push(bytes.length) > 1 && WebAssembly.validate(bytes);
  const { selectKernels } = await selectionWith(Object.assign(Object.create(WebAssembly), { validate: refuseFirst }));
  expect((await selectKernels('auto')).name).toBe('wasm');
  expect(sizes.length).toBe(3); // relaxed, baseline, and memory that threads share
});

test('kernels that are selected at the same time share one instance', async () => {
  const { instantiate } = WebAssembly;
  const counted = vi.fn(instantiate);
  const { selectKernels } = await selectionWith(without({ instantiate: counted }));
  const all = await Promise.all([1, 2, 3].map(() => selectKernels('wasm')));
  expect(all.map(({ name }) => name)).toEqual(Array(3).fill(all[0].name));
  expect(counted).toHaveBeenCalledTimes(1);
});

test('auto is the fastest supported, js the reference', async () => {
  const { selectKernels, supportedKernels } = await import('#src/kernels/select.ts');
  const { referenceKernels } = await import('#src/kernels/reference.ts');
  expect((await selectKernels('auto')).name).toBe(supportedKernels()[0]);
  expect(await selectKernels('js')).toBe(referenceKernels);
  expect(supportedKernels().at(-1)).toBe('js');
  await expect(selectKernels('gpu' as never)).rejects.toThrow(
    'selectKernels: backend must be auto, wasm or js; got "gpu".',
  );
});
