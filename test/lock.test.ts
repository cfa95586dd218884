/** An install keeps `package-lock.json`: npm adds what the lock lacks as soon as the registry has it. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Locked {
  readonly optionalDependencies?: Record<string, string>;
}

const lock = new URL('../package-lock.json', import.meta.url);
const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { packages: Record<string, Locked> };

/** Whether npm finds a package from where another one is installed, or above. */
function isFound(from: string, name: string): boolean {
  const inside = from === '' ? '' : `${from}/`;
  if (`${inside}node_modules/${name}` in packages) return true;
  return from !== '' && isFound(from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1)), name);
}

it('the lock names the optional packages of every platform', () => {
  const optional = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => ({ from, name })),
  );
  expect(optional.length).toBeGreaterThan(50);
  expect(optional.filter(({ from, name }) => !isFound(from, name))).toEqual([]);
});
