// Type-checked, strictly, with the two ways that TypeScript resolves packages.
import { generate, InputError, type LearnResult, learn, type Matrix, type RunOptions } from 'orthodict';
import { createNodeExecutor, learn as learnOnNode, loadModel, type NodeRunOptions } from 'orthodict/node';

const samples: Matrix = generate({ samples: 100, features: 5, theta: 0.3, seed: 1 }).samples;
const run: RunOptions = { onProgress: ({ iteration }) => iteration.toFixed(0) };
const result: LearnResult = await learn(samples, { method: 'msp', norm: 4 }, run);
const onNode: NodeRunOptions = { threads: 2, backend: 'wasm', executor: await createNodeExecutor() };
const { dictionary } = await learnOnNode('data.npz', { method: 'givens' }, onNode);
const error: Error = new InputError('learn: …');
const components: number =
  result.dictionary.components + dictionary.components + (await loadModel('m.npz')).dictionary.features;
// @ts-expect-error: there is no such method
await learn(samples, { method: 'nothing' });

export { components, error };
