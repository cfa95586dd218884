/**
 * Measures how much address space the process may still use. V8 reserves 10 GB of them for the memory of every WebAssembly instance, and
 * ends the whole process if there are none for a new thread. So a limit (`ulimit -v`) means fewer threads.
 */
import { readFileSync } from 'node:fs';

const GIGABYTE = 2 ** 30;

/** Least address space of a thread: its heap, its code, its stack. */
const THREAD = 0.75 * GIGABYTE;
/** Address space that V8 reserves for an instance on 64-bit machines; almost nothing with this flag. */
const INSTANCE = process.execArgv.includes('--disable-wasm-trap-handler') ? 0 : 10 * GIGABYTE;
/** Reserve for the caller's own work and for the system's BLAS. */
const OWN = 0.5 * GIGABYTE;

/** Returns the bytes of address space left; infinite if not limited, or not reported by the system. */
export function addressesLeft(): number {
  try {
    const limit = /^Max address space +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    if (!limit) return Number.POSITIVE_INFINITY;
    const used = /^VmSize:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'));
    return Number(limit[1]) - 1024 * Number(used?.[1] ?? 0);
  } catch {
    return Number.POSITIVE_INFINITY; // only Linux has these files
  }
}

/** Whether the address space suffices for `threads` more threads; `instances`: whether each has an instance of WebAssembly. */
export const hasRoomFor = (threads: number, instances: boolean): boolean =>
  addressesLeft() >= OWN + threads * (THREAD + (instances ? INSTANCE : 0));

/** Whether the address space suffices for native kernels: a BLAS and an instance of WebAssembly. */
export const hasRoomForNative = (): boolean => addressesLeft() >= 2 * OWN + INSTANCE;
