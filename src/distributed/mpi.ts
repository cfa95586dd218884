/**
 * Calls MPI through koffi: Open MPI, whose handles are addresses of variables, and MPICH and its relatives, whose handles
 * are numbers. `ORTHODICT_MPI` names another library. Calls block the process.
 */
import { InputError } from '../core/errors.ts';
import { reasonOf } from '../core/warn.ts';
import { loadPackages } from '../node/optional-packages.ts';

export interface Mpi {
  readonly library: string;
  /** Rank of this process; next: the number of processes. */
  readonly rank: number;
  readonly size: number;
  /** Sends bytes from rank 0 to all; the others pass nothing. */
  broadcast(bytes?: Uint8Array): Uint8Array;
  send(bytes: Uint8Array, to: number): void;
  receive(from: number): Uint8Array;
  finalize(): void;
  /** Ends all processes at once. */
  abort(code: number): void;
}

type Handle = bigint | number;
type Call = (...values: unknown[]) => number;

const OPEN_MPI = ['libmpi.so.40', 'libmpi.so.80'];
const MPICH = ['libmpich.so.12', 'libmpi.so.12', 'libmpich.so'];
/** Handles of MPICH's interface (mpi.h): the world, and bytes. */
const MPICH_HANDLES = { world: 0x44000000, byte: 0x4c00010d };
const FUNNELED = 1;
const TAG = 7;
/** Bytes of a status, enough for any of the libraries. */
const STATUS_BYTES = 256;

/** Lists candidates for the library; that of the `mpirun` that started this process comes first. */
function candidates(): readonly string[] {
  const named = process.env.ORTHODICT_MPI;
  if (named) return [named];
  return process.env.PMI_RANK !== undefined ? [...MPICH, ...OPEN_MPI] : [...OPEN_MPI, ...MPICH];
}

/**
 * Chooses settings for a process with threads of its own, unless the user has set others. The network layer UCX rewrites the
 * code of brk and mmap while threads call them, which corrupts their heap now and then, and takes over the signal with which
 * WebAssembly detects an access out of bounds. Open MPI takes .2 s to look for networks, which ranks on one machine do not need.
 */
function prepareEnvironment(): void {
  const { env } = process;
  env.UCX_MEM_EVENTS ??= 'no';
  env.UCX_ERROR_SIGNALS ??= '';
  const { OMPI_COMM_WORLD_SIZE: all, OMPI_COMM_WORLD_LOCAL_SIZE: here } = env;
  if (all !== undefined && all === here) env.OMPI_MCA_pml ??= 'ob1';
}

export async function openMpi(): Promise<Mpi> {
  prepareEnvironment();
  const { default: koffi } = (await loadPackages('cluster', 'MPI', { koffi: () => import('koffi') })).koffi;
  const reasons: string[] = [];
  for (const library of candidates()) {
    try {
      return start(koffi.load(library), library);
    } catch (error) {
      reasons.push(`${library}: ${reasonOf(error)}`);
    }
  }
  throw new InputError(
    `cluster: --mpi needs Open MPI or MPICH, in Debian openmpi-bin or mpich (${reasons.at(0) ?? 'no library'}).`,
  );
}

interface Library {
  func(declaration: string): (...values: never[]) => unknown;
  symbol(name: string, type: string): Handle;
}

/** What a library calls its handles, and its functions with their codes checked. */
function bind(lib: Library) {
  const isOpen = has(() => lib.symbol('ompi_mpi_comm_world', 'void*'));
  const world: Handle = isOpen ? lib.symbol('ompi_mpi_comm_world', 'void*') : MPICH_HANDLES.world;
  const byte: Handle = isOpen ? lib.symbol('ompi_mpi_byte', 'void*') : MPICH_HANDLES.byte;
  const call = (name: string, parameters: string): Call => {
    const found = lib.func(`int ${name}(${parameters})`) as Call;
    return (...values) => {
      const code = found(...values);
      if (code !== 0) throw new Error(`cluster: ${name} failed with code ${code}.`);
      return code;
    };
  };
  return { handle: isOpen ? 'void*' : 'int', world, byte, call };
}

const lengthOf = (bytes: Uint8Array) => new Uint8Array(Float64Array.of(bytes.length).buffer);
const roomFor = (length: Uint8Array) => new Uint8Array(new Float64Array(length.buffer)[0]);

function start(given: unknown, library: string): Mpi {
  const { handle, world, byte, call } = bind(given as Library);
  const ask = (name: string): number => {
    const answer = [0];
    call(name, `${handle}, _Out_ int*`)(world, answer);
    return answer[0];
  };
  call('MPI_Init_thread', 'void*, void*, int, _Out_ int*')(null, null, FUNNELED, [0]);
  const broadcast = call('MPI_Bcast', `_Inout_ uint8_t*, int, ${handle}, int, ${handle}`);
  const send = call('MPI_Send', `uint8_t*, int, ${handle}, int, int, ${handle}`);
  const receive = call('MPI_Recv', `_Inout_ uint8_t*, int, ${handle}, int, int, ${handle}, _Inout_ uint8_t*`);
  const finalize = call('MPI_Finalize', '');
  const abort = call('MPI_Abort', `${handle}, int`);
  const status = new Uint8Array(STATUS_BYTES);
  const receiveInto = (bytes: Uint8Array, from: number): Uint8Array => {
    receive(bytes, bytes.length, byte, from, TAG, world, status);
    return bytes;
  };
  return {
    library,
    rank: ask('MPI_Comm_rank'),
    size: ask('MPI_Comm_size'),
    broadcast(given) {
      const length = given ? lengthOf(given) : new Uint8Array(8);
      broadcast(length, length.length, byte, 0, world);
      const bytes = given ?? roomFor(length);
      broadcast(bytes, bytes.length, byte, 0, world);
      return bytes;
    },
    send(bytes, to) {
      for (const part of [lengthOf(bytes), bytes]) send(part, part.length, byte, to, TAG, world);
    },
    receive: (from) => receiveInto(roomFor(receiveInto(new Uint8Array(8), from)), from),
    finalize: () => void finalize(),
    abort: (code) => void abort(world, code),
  };
}

function has(look: () => unknown): boolean {
  try {
    return Boolean(look());
  } catch {
    return false;
  }
}
