/** What a process sets before it opens MPI, and what it says if there is none. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openMpi } from '#src/distributed/mpi.ts';

const before = { ...process.env };
const OURS = [
  'UCX_MEM_EVENTS',
  'UCX_ERROR_SIGNALS',
  'OMPI_MCA_pml',
  'OMPI_COMM_WORLD_SIZE',
  'OMPI_COMM_WORLD_LOCAL_SIZE',
];
beforeEach(() => {
  for (const name of OURS) delete process.env[name];
  process.env.ORTHODICT_MPI = '/nowhere/libmpi.so';
});
afterEach(() => {
  for (const name of [...OURS, 'ORTHODICT_MPI']) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
});

/** The environment after MPI could not be opened. */
async function afterOpening(given: Record<string, string>): Promise<(string | undefined)[]> {
  Object.assign(process.env, given);
  await expect(openMpi()).rejects.toThrow(/^cluster: .*MPI/);
  return OURS.slice(0, 3).map((name) => process.env[name]);
}

it('the network layer leaves memory and signals of a process with threads alone', async () => {
  expect(await afterOpening({})).toEqual(['no', '', undefined]);
});

it('networks are not looked for where all ranks are on one machine', async () => {
  const ranks = (all: number, here: number) => ({
    OMPI_COMM_WORLD_SIZE: `${all}`,
    OMPI_COMM_WORLD_LOCAL_SIZE: `${here}`,
  });
  expect((await afterOpening(ranks(3, 3)))[2]).toBe('ob1');
  delete process.env.OMPI_MCA_pml;
  expect((await afterOpening(ranks(6, 3)))[2]).toBeUndefined();
});

it('what the user has set stays', async () => {
  const given = { UCX_MEM_EVENTS: 'yes', UCX_ERROR_SIGNALS: 'SIGSEGV', OMPI_MCA_pml: 'ucx' };
  const one = { OMPI_COMM_WORLD_SIZE: '1', OMPI_COMM_WORLD_LOCAL_SIZE: '1' };
  expect(await afterOpening({ ...given, ...one })).toEqual(Object.values(given));
});
