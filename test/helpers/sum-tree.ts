/** The sum over chunks by its definition: node [a, a + size) is left + right; a missing right is nothing. */
import type { Pass } from '#src/engine/pass.ts';
import { rangesOf, type Source } from '#src/engine/source/source.ts';
import type { Kernels } from '#src/kernels/kernels.ts';
import { bits } from './bytes.ts';

export async function sumByRecursion(
  pass: Pass<unknown, unknown>,
  params: unknown,
  source: Source,
  kernels: Kernels,
): Promise<unknown> {
  const ranges = rangesOf(source, pass.effort);
  const node = async (first: number, size: number): Promise<unknown> => {
    if (first >= ranges.length) return undefined;
    if (size === 1) {
      const { start, end } = ranges[first];
      return pass.contribute({ samples: await source.read(start, end), start, index: first }, params, kernels);
    }
    const left = await node(first, size / 2);
    const right = await node(first + size / 2, size / 2);
    return right === undefined ? left : pass.add(left, right);
  };
  return node(0, 2 ** Math.ceil(Math.log2(ranges.length)));
}

const known = new WeakMap<Source, WeakMap<object, Map<string, Promise<string>>>>();

/** The bits of this sum, computed once per input, because many executors are compared with it. */
export function bitsByRecursion(
  pass: Pass<unknown, unknown>,
  params: object,
  source: Source,
  kernels: Kernels,
): Promise<string> {
  const ofSource = known.get(source) ?? new WeakMap<object, Map<string, Promise<string>>>();
  const found = ofSource.get(params) ?? new Map<string, Promise<string>>();
  const key = `${pass.name} ${kernels.name}`;
  const sum = found.get(key) ?? sumByRecursion(pass, params, source, kernels).then(bits);
  known.set(source, ofSource.set(params, found.set(key, sum)));
  return sum;
}
