/** Identifies what decides the bits of a result besides data and options: the version of the program, and the arithmetic of its kernels. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { hashNumbers } from '../core/hash.ts';
import { createRandom, normalMatrix } from '../core/random.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { packageRoot } from '../node/package-root.ts';
import type { Member } from './protocol.ts';

export const version = (): string =>
  (JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as { version: string }).version;

/** Describes this process to others at a queue. */
export const selfAs = (role: Member['role'], kernels: Kernels, threads: number): Omit<Member, 'seen'> => ({
  role,
  version: version(),
  backend: arithmeticIdentity(kernels),
  threads,
  host: hostname(),
  pid: process.pid,
});

/** Returns the name of the kernels and a hash of some products, in which libraries and processors differ: `native-1f0c33ab`. */
export function arithmeticIdentity(kernels: Kernels): string {
  const random = createRandom(1, 'arithmetic');
  const samples = normalMatrix(300, 37, random);
  const atoms = normalMatrix(37, 37, random);
  const response = { kind: 'power', norm: 4 } as const;
  const sums = (['f32', 'f64'] as const).map(
    (precision) => kernels.correlate({ samples, atoms, conditioning: { scale: 0.9 }, response, precision }).correlation,
  );
  const products = [kernels.multiply(atoms, atoms, 'nt'), kernels.covariance(samples, { scale: 1 }, 'f64')];
  return `${kernels.name}-${hashNumbers([...sums, ...products].map(({ data }) => data)).slice(0, 8)}`;
}
