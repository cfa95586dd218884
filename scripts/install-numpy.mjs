// Before the tests: gets NumPy and scikit-learn from Debian if they are missing and can be installed. Never fails: without
// them the interoperability tests are skipped.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PACKAGES = ['python3-numpy', 'python3-sklearn', 'python3-pil', 'libopenblas0-pthread'];
const LIMIT_MS = 240_000;

// Debian's NumPy belongs to /usr/bin/python3, not to whichever python3 is first on the PATH.
const INTERPRETERS = ['/usr/bin/python3', 'python3'];

function works(modules) {
  return INTERPRETERS.some(
    (python) => spawnSync(python, ['-c', `import ${modules}`], { stdio: 'ignore' }).status === 0,
  );
}

function canInstall() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('/usr/bin/apt-get', ['-qq', ...args], { stdio: 'ignore', timeout: LIMIT_MS, env }).status === 0;
}

if (!works('numpy, sklearn') && canInstall() && aptGet('update')) {
  aptGet('install', '-y', '--no-install-recommends', ...PACKAGES);
}
if (!works('numpy')) console.log('NumPy is missing: interoperability tests will be skipped.');
