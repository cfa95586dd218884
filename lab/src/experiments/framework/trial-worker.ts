/** Entry point of a thread that measures trials: receives a request, answers with the measurements. */
import { parentPort } from 'node:worker_threads';
import { experiments } from '../index.ts';
import type { TrialRequest } from './trial-threads.ts';

const port = parentPort!;
const NEVER = new AbortController().signal;

port.on('message', async ({ name, point, seed }: TrialRequest) => {
  const experiment = experiments.find((candidate) => candidate.name === name)!;
  port.postMessage(await experiment.trial(point, seed, NEVER));
});
