/**
 * A pass: what one chunk of samples contributes to a sum over all samples, and how contributions add up.
 *
 * Parameters and contributions are plain data (numbers, typed arrays, objects of these), because `contribute` may run in
 * another thread or on another machine. Where chunks are computed does not change the result: see sum-tree.ts. The only
 * side effect allowed is to write to shared memory that is part of the parameters, where no two chunks write the same numbers.
 *
 * A pass is registered by its name and the module that defines it. A worker that does not know a pass yet loads that
 * module, so passes from outside this package run on every executor too.
 */
import { demand, inputError } from '../core/errors.ts';
import type { Matrix } from '../core/matrix.ts';
import { isMatrix, requireNumbers, requireObject } from '../core/require-matrix.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { RowRange } from './source/source.ts';

/** Successive samples of a source. */
export interface Chunk {
  readonly samples: Matrix;
  /** Index of the chunk's first sample in the source. */
  readonly start: number;
  /** Number of the chunk, from 0. */
  readonly index: number;
}

/** A sum over samples: what a chunk contributes, and how contributions add up. See docs/architecture.md. */
export interface Pass<Params, Contribution> {
  readonly name: string;
  /** Work per sample, relative to a correlation; default: 1. Chunks of costly samples can be smaller. */
  readonly effort?: number;
  contribute(chunk: Chunk, params: Params, kernels: Kernels): Contribution;
  /** Adds `part` to `total`, in place where possible, and returns the sum. Must be associative up to rounding. */
  add(total: Contribution, part: Contribution): Contribution;
  /** Parameters for the contract tests; every pass of this package has them. */
  example?(samples: Matrix): PassExample<Params>;
}

/** Parameters with which the contract tests run a pass. */
export interface PassExample<Params> {
  readonly params: Params;
  /** Rows to run over, if these are not samples. */
  readonly rows?: Matrix;
  readonly ranges?: readonly RowRange[];
}

/** A pass whose types of parameters and contributions are not known. */
export type AnyPass = Pass<unknown, unknown>;

interface Entry {
  readonly pass: AnyPass;
  readonly module: string;
}

const registry = new Map<string, Entry>();

/** Registers a pass. `module`: `import.meta.url` of the module that makes this call, at its top level. */
export function definePass<P, C>(module: string, pass: Pass<P, C>): Pass<P, C> {
  requireObject('definePass', 'pass', pass, 'an object with name, contribute and add', ['name', 'contribute', 'add']);
  if (registry.has(pass.name)) throw inputError('definePass', 'pass.name', 'that of no other pass', pass.name);
  registry.set(pass.name, { pass: pass as AnyPass, module });
  return pass;
}

/** All passes of the modules loaded so far. */
export const registeredPasses = (): AnyPass[] => [...registry.values()].map(({ pass }) => pass);

/** What a worker needs to find a pass. */
export interface PassDescription {
  readonly name: string;
  readonly module: string;
}

/** Describes a pass to a worker. Throws if a worker could not find it, even when only one thread is used. */
export function describePass<P, C>(pass: Pass<P, C>): PassDescription {
  const entry = registry.get(pass.name);
  if (!entry || entry.pass !== (pass as AnyPass)) {
    throw new Error(`passes: "${pass.name}" is not registered; make it with definePass(import.meta.url, {…}).`);
  }
  return { name: pass.name, module: entry.module };
}

/** Finds a pass by its description. */
export type ResolvePass = (description: PassDescription) => Promise<AnyPass>;

/** Finds a pass in a worker; loads its module if necessary. */
export const resolvePass: ResolvePass = async ({ name, module }) => {
  if (!registry.has(name)) await import(/* @vite-ignore */ /* webpackIgnore: true */ module);
  const entry = registry.get(name);
  if (!entry) throw new Error(`passes: ${module} does not define the pass "${name}".`);
  return entry.pass;
};

/** a += b, element by element; four at a time, which halves the time. */
export function accumulate(a: Float64Array, b: Float64Array): void {
  requireNumbers('accumulate', 'a', a);
  requireNumbers('accumulate', 'b', b);
  demand(a.length === b.length, 'accumulate', 'b', `as long as a (${a.length})`, b.length);
  const whole = a.length - (a.length % 4);
  for (let i = 0; i < whole; i += 4) {
    a[i] += b[i];
    a[i + 1] += b[i + 1];
    a[i + 2] += b[i + 2];
    a[i + 3] += b[i + 3];
  }
  for (let i = whole; i < a.length; i++) a[i] += b[i];
}

/** Adds contributions number by number, arrays and matrices in place: the `add` of passes whose every number is a sum. */
export function addFields<C>(total: C, part: C): C {
  if (typeof total === 'number') return (total + (part as number)) as C;
  if (typeof total !== 'object' || total === null) return total;
  if (total instanceof Float64Array) accumulate(total, part as Float64Array);
  else if (isMatrix(total)) addFields(total.data, (part as Matrix).data);
  else {
    const fields = Object.entries(total).map(([name, value]) => [name, addFields(value, part[name as keyof C])]);
    return (Array.isArray(total) ? fields.map(([, value]) => value) : Object.fromEntries(fields)) as C;
  }
  return total;
}
