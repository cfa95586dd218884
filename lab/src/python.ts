/** Python, for programs to compare with: finds an interpreter that has their modules, and runs a script. */
import { spawn, spawnSync } from 'node:child_process';

/** Debian's NumPy belongs to /usr/bin/python3, which need not be the first python3 on the PATH. */
const INTERPRETERS = ['/usr/bin/python3', 'python3'];
const START_LIMIT_MS = 60_000;

const VERSIONS = `
import importlib, sys
names = sys.argv[1:]
words = ['Python %d.%d' % sys.version_info[:2]] + [n + ' ' + importlib.import_module(n).__version__ for n in names]
try:
    import threadpoolctl
    words += ['%s %s, %d threads' % (i['internal_api'], i['version'], i['num_threads'])
              for i in threadpoolctl.threadpool_info() if i['user_api'] == 'blas'][:1]
except ImportError:
    pass
print(', '.join(words))
`;

export interface Python {
  readonly command: string;
  /** Versions of the interpreter, its modules and its BLAS. */
  readonly description: string;
}

/** Why there is no interpreter. */
export interface NoPython {
  readonly missing: string;
}

const found = new Map<string, Python | NoPython>();

/** The first interpreter that has the modules; searched for once. */
export function findPython(...modules: string[]): Python | NoPython {
  const key = modules.join(' ');
  const python = found.get(key) ?? look(modules);
  found.set(key, python);
  return python;
}

function look(modules: readonly string[]): Python | NoPython {
  for (const command of INTERPRETERS) {
    const options = { encoding: 'utf8', timeout: START_LIMIT_MS } as const;
    const { status, stdout } = spawnSync(command, ['-c', VERSIONS, ...modules], options);
    if (status === 0) return { command, description: stdout.trim() };
  }
  return { missing: `no Python with ${modules.join(' and ')} (tried ${INTERPRETERS.join(', ')})` };
}

/** Environment of a process whose BLAS is to use this number of threads, whichever BLAS it is. */
export const blasThreads = (threads: number): Record<string, string> =>
  Object.fromEntries(['OPENBLAS', 'MKL', 'BLIS', 'OMP'].map((name) => [`${name}_NUM_THREADS`, String(threads)]));

/** Runs a script to its end; a failure has the last line of standard error for its message. */
export function runPython(
  { command }: Python,
  script: string,
  args: readonly string[],
  signal: AbortSignal,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, ['-c', script, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
      env: { ...process.env, ...env },
    });
    let words = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      words = (words + piece).slice(-2000);
    });
    child.on('error', (error) => reject(signal.aborted ? signal.reason : error));
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(signal.aborted ? signal.reason : new Error(words.trim().split('\n').at(-1) ?? `exit code ${code}`));
    });
  });
}
