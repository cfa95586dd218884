// The program that scripts/runtimes.mjs runs on every runtime, in a project with the packed tarball installed:
// `smoke.mjs import`, `smoke.mjs learn BACKEND THREADS` or `smoke.mjs resume`. Prints `ok …`, or fails.
import { rmSync } from 'node:fs';
import { generate, learn as learnAnywhere, recoveryError } from 'orthodict';
import { createNodeExecutor, fileCheckpoint, learn, loadModel, saveModel } from 'orthodict/node';

const [what, backend, threads] = process.argv.slice(2);
const data = generate({ samples: 20_000, features: 50, theta: 0.3, seed: 1 });

function check(ok, words) {
  if (!ok) throw new Error(words);
}

const programs = {
  /** Uses the library without the runtime's own modules, then writes and reads a model file. */
  async import() {
    const result = await learnAnywhere(data.samples, { seed: 1 });
    check(recoveryError(result.dictionary.atoms, data.atoms) < 1e-10, 'the dictionary was not recovered');
    await saveModel('smoke.npz', result);
    const { dictionary } = await loadModel('smoke.npz');
    const { data: decoded } = await dictionary.decode(await dictionary.encode(data.samples));
    check(
      decoded.every((x, i) => Math.abs(x - data.samples.data[i]) < 1e-9),
      'decode does not undo encode',
    );
    return result.backend;
  },

  /** Learns with exactly the given backend and number of threads. */
  async learn() {
    const executor = await createNodeExecutor({ backend, threads: Number(threads) });
    await executor.warm?.(); // they would start only when there has been work for them
    const result = await learn(data.samples, { seed: 1, refine: 'none', maxIterations: 12 }, { executor });
    await executor.close();
    check(result.backend.startsWith(backend), `${result.backend} kernels ran`);
    check(result.threads === Number(threads), `${result.threads} threads ran`);
    check(recoveryError(result.dictionary.atoms, data.atoms) < 0.01, 'the dictionary was not recovered');
    return `${result.backend}, ${result.threads}`;
  },

  /** Checks that a run stopped after 3 steps and resumed ends with the same bits as an uninterrupted one. */
  async resume() {
    rmSync('smoke.checkpoint', { force: true });
    const options = { seed: 1, refine: 'none', maxIterations: 12 };
    const whole = await learn(data.samples, options);
    const [checkpoint, stop] = [fileCheckpoint('smoke.checkpoint', 0), new AbortController()];
    const onProgress = ({ iteration }) => iteration === 3 && stop.abort();
    await learn(data.samples, options, { checkpoint, signal: stop.signal, onProgress });
    const resumed = await learn(data.samples, options, { checkpoint, resume: true });
    check(resumed.objective === whole.objective, 'the resumed run ended elsewhere');
    return `${resumed.iterations} steps`;
  },
};

console.log('ok', await programs[what]());
