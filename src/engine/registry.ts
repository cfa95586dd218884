/**
 * Passes by name: how a worker turns a message back into a computation. A pass names the module that defines it, and a
 * worker loads that module when it first meets the pass. So custom passes run on every executor too.
 */

import { inputError } from '../core/errors.ts';
import { requireObject } from '../core/require-matrix.ts';
import type { AnyPass, Pass } from './pass.ts';

interface Entry {
  readonly pass: AnyPass;
  readonly module: string;
}

const entries = new Map<string, Entry>();

/** Registers a pass. `module`: `import.meta.url` of the module that makes this call, at its top level. */
export function definePass<P, C>(module: string, pass: Pass<P, C>): Pass<P, C> {
  requireObject('definePass', 'pass', pass, 'an object with name, contribute and add', ['name', 'contribute', 'add']);
  if (entries.has(pass.name)) throw inputError('definePass', 'pass.name', 'that of no other pass', pass.name);
  entries.set(pass.name, { pass: pass as AnyPass, module });
  return pass;
}

/** All passes of the modules loaded so far. */
export const registeredPasses = (): AnyPass[] => [...entries.values()].map(({ pass }) => pass);

/** What a worker is told about a pass. Throws if a worker could not find it, even when only one thread is used. */
export function introduce<P, C>(pass: Pass<P, C>): PassIntroduction {
  const entry = entries.get(pass.name);
  if (!entry || entry.pass !== (pass as AnyPass)) {
    throw new Error(`passes: "${pass.name}" is not registered; make it with definePass(import.meta.url, {…}).`);
  }
  return { name: pass.name, module: entry.module };
}

export interface PassIntroduction {
  readonly name: string;
  readonly module: string;
}

export type MeetPass = (introduction: PassIntroduction) => Promise<AnyPass>;

/** The pass that was introduced, in a worker. */
export const meetPass: MeetPass = async ({ name, module }) => {
  if (!entries.has(name)) await import(/* @vite-ignore */ /* webpackIgnore: true */ module);
  const entry = entries.get(name);
  if (!entry) throw new Error(`passes: ${module} does not define the pass "${name}".`);
  return entry.pass;
};
