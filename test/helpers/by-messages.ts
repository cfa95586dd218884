/** An executor for a runtime where threads cannot wait for each other in shared memory: all passes go by messages. */
export async function byMessages<E>(create: () => Promise<E> | E): Promise<E> {
  const { waitAsync } = Atomics;
  Reflect.deleteProperty(Atomics, 'waitAsync');
  try {
    return await create();
  } finally {
    Object.defineProperty(Atomics, 'waitAsync', { value: waitAsync, configurable: true, writable: true });
  }
}
