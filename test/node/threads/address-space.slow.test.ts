/** How many addresses a process may still use, tried in processes with a low limit. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { addressesLeft, hasRoomFor } from '#src/node/threads/address-space.ts';
import { DIST } from '../../helpers/run.ts';
import { itUnless } from '../../helpers/skip.ts';

const GIGABYTE = 2 ** 30;
const noLimit = spawnSync('prlimit', ['--version']).status === 0 ? undefined : 'there is no prlimit';

/** Returns what a process limited to `gigabytes` of addresses reports about them. */
function sayWithin(gigabytes: number, ...flags: string[]) {
  const script = `
    import { readFileSync } from 'node:fs';
    const { addressesLeft, hasRoomFor, hasRoomForNative } = await import('${DIST}node/threads/address-space.js');
    const used = () => 1024 * Number(/^VmSize:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
    const before = used();
    const left = addressesLeft();
    const most = (instances) => {
      let threads = 0;
      while (threads < 100 && hasRoomFor(threads + 1, instances)) threads++;
      return threads;
    };
    const room = { threads: most(false), instances: most(true), native: hasRoomForNative() };
    console.log(JSON.stringify({ before, left, after: used(), ...room }));`;
  const limit = Math.round(gigabytes * GIGABYTE);
  const args = [`--as=${limit}`, process.execPath, ...flags, '--input-type=module', '-e', script];
  const { status, stdout, stderr } = spawnSync('prlimit', args, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return { limit, ...JSON.parse(stdout) };
}

itUnless(noLimit, 'are those that the limit leaves beside what is used', () => {
  const { limit, before, left, after } = sayWithin(8);
  const slack = GIGABYTE / 16;
  expect(left).toBeGreaterThanOrEqual(limit - Math.max(before, after) - slack);
  expect(left).toBeLessThanOrEqual(limit - Math.min(before, after) + slack);
});

itUnless(noLimit, 'are enough for some threads, and for fewer with WebAssembly', () => {
  const room = (left: number, each: number) => Math.floor((left / GIGABYTE - 0.5) / each);
  for (const gigabytes of [5.3, 40.2]) {
    const { left, threads, instances, native } = sayWithin(gigabytes);
    expect([threads, instances]).toEqual([room(left, 0.75), room(left, 10.75)]);
    expect(native).toBe(left >= 11 * GIGABYTE);
  }
  const { left, threads, instances, native } = sayWithin(5.3, '--disable-wasm-trap-handler');
  expect([threads, instances, native]).toEqual([room(left, 0.75), room(left, 0.75), true]);
});

it('have no end where nobody limits them', () => {
  const limited = process.platform === 'linux' && Number.isFinite(addressesLeft());
  if (!limited) expect([addressesLeft(), hasRoomFor(1000, true)]).toEqual([Number.POSITIVE_INFINITY, true]);
});
