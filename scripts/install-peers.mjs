// Installs Debian packages that tests compare with and run against (NumPy, scikit-learn, pandas, a BLAS, Redis, MPI, Chromium), if
// they are missing and can be installed. Tests that need a missing package are skipped; with --require that is an error.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const LIMIT_MS = 240_000;

// Debian's NumPy belongs to /usr/bin/python3, not to whichever python3 is first on the PATH.
const INTERPRETERS = ['/usr/bin/python3', 'python3'];

const hasModules = (modules) => INTERPRETERS.some((python) => runs(python, '-c', `import ${modules}`));

/** The packages, how to check that they are present, and what is skipped without them. */
const PEERS = [
  {
    name: 'NumPy',
    packages: ['python3-numpy', 'python3-sklearn', 'python3-pandas', 'python3-pil', 'libopenblas0-pthread'],
    works: () => hasModules('numpy, sklearn, pandas, PIL'),
    without: 'interoperability tests',
  },
  {
    name: 'Redis',
    packages: ['redis-server'],
    works: () => runs('redis-server', '--version'),
    without: 'tests of clusters',
  },
  {
    name: 'Open MPI',
    packages: ['openmpi-bin', 'libopenmpi3'],
    works: () => runs('mpirun.openmpi', '--version'),
    without: 'tests with it',
  },
  { name: 'MPICH', packages: ['mpich'], works: () => runs('mpirun.mpich', '--version'), without: 'tests with it' },
  {
    name: 'Chromium',
    packages: ['chromium'],
    works: () => runs(process.env.CHROMIUM ?? '/usr/bin/chromium', '--version'),
    without: 'tests in a browser',
  },
];

function runs(command, ...args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

function canInstall() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('/usr/bin/apt-get', ['-qq', ...args], { stdio: 'ignore', timeout: LIMIT_MS, env }).status === 0;
}

const missing = PEERS.filter(({ works }) => !works());
if (missing.length > 0 && canInstall() && aptGet('update')) {
  for (const { packages } of missing) aptGet('install', '-y', '--no-install-recommends', ...packages);
}
for (const { name, works, without } of missing) {
  if (works()) continue;
  console.log(`${name} is missing: ${without} will be skipped.`);
  if (process.argv.includes('--require')) process.exitCode = 1;
}
