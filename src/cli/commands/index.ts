/** The commands, in the order of --help, with their summaries. The code of a command is loaded when it is called. */
import type { Command } from 'commander';
import { inHelpForm } from '../terminal/help-form.ts';

export interface ListedCommand {
  /** The arguments that `orthodict --help` shows. */
  readonly takes: string;
  readonly summary: string;
  load(): Promise<Command>;
}

export const commands: Readonly<Record<string, ListedCommand>> = {
  demo: listed(
    '',
    'Recover a planted dictionary exactly, and learn one from a photograph that ships with the package.',
    async () => (await import('./demo.ts')).demoCommand(),
  ),
  generate: listed(
    '',
    'Generate data with a known truth: samples (PxN), and atoms, reflectors and codes, loadings, topics, or means and labels.',
    async () => (await import('./generate.ts')).generateCommand(),
  ),
  learn: listed('<DATA>', 'Learn a dictionary in which the samples of DATA are sparse, and save it.', async () =>
    (await import('./learn.ts')).learnCommand(),
  ),
  evaluate: listed(
    '<model.npz>',
    'Report how well a few codes describe data, compared with PCA and DCT; or compare a result with the truth.',
    async () => (await import('./evaluate.ts')).evaluateCommand(),
  ),
  encode: listed('<model.npz> <DATA>', 'Encode the samples of DATA with a model: array codes (PxK).', async () =>
    (await import('./encode.ts')).encodeCommand(),
  ),
  decode: listed('<model.npz> <codes.npz>', 'Reconstruct samples from codes: the inverse of encode.', async () =>
    (await import('./decode.ts')).decodeCommand(),
  ),
  inspect: listed('<model.npz>', 'Describe a model and draw its atoms.', async () =>
    (await import('./inspect.ts')).inspectCommand(),
  ),
  image: listed('<denoise|compress|restore>', 'Denoise, compress or restore a picture.', async () =>
    (await import('./image.ts')).imageCommand(),
  ),
  factor: listed(
    '<model.npz>',
    'Approximate an orthogonal dictionary by a product of a few factors, which encodes faster.',
    async () => (await import('./factor.ts')).factorCommand(),
  ),
  'sparse-pca': listed(
    '<DATA>',
    'Find principal components with few non-zeros: arrays loadings (KxN) and scores (PxK).',
    async () => (await import('./sparse-pca.ts')).sparsePcaCommand(),
  ),
  tensor: listed('[T.npy]', 'Decompose a symmetric third-order tensor into orthogonal factors.', async () =>
    (await import('./tensor.ts')).tensorCommand(),
  ),
  topics: listed(
    '<COUNTS>',
    'Find the topics of documents from their word counts (latent Dirichlet allocation by moments).',
    async () => (await import('./topics.ts')).topicsCommand(),
  ),
  mixture: listed(
    '<DATA>',
    'Cluster samples as a mixture of Gaussians: arrays means (KxN), weights (K), variance, covariances, labels (P).',
    async () => (await import('./mixture.ts')).mixtureCommand(),
  ),
  serve: listed('', 'Serve the playground on this machine: a web page that learns in your browser.', async () =>
    (await import('./serve.ts')).serveCommand(),
  ),
  worker: listed('', 'Compute blocks for runs on other machines, until stopped.', async () =>
    (await import('./worker.ts')).workerCommand(),
  ),
};

/** Describes a command without loading it, so that `orthodict --help` is fast. */
function listed(takes: string, summary: string, make: () => Promise<Command>): ListedCommand {
  return { takes, summary, load: async () => inHelpForm((await make()).description(summary)) };
}
