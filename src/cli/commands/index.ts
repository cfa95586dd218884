/** The commands, in the order of --help and with its words. The code of a command is loaded when it is called. */
import type { Command } from 'commander';
import { inHelpForm } from '../terminal/help-form.ts';

export interface ListedCommand {
  /** The arguments that --help of the program shows. */
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
    'Make data with a known truth: arrays samples (PxN), and atoms, reflectors and codes, loadings, topics, or means and labels.',
    async () => (await import('./generate.ts')).generateCommand(),
  ),
  learn: listed('<DATA>', 'Learn a dictionary in which the samples of DATA are sparse, and save it.', async () =>
    (await import('./learn.ts')).learnCommand(),
  ),
  evaluate: listed(
    '<model.npz>',
    'Say how well few codes of a model describe data, beside PCA and DCT; or compare a result with the truth.',
    async () => (await import('./evaluate.ts')).evaluateCommand(),
  ),
  encode: listed(
    '<model.npz> <DATA>',
    'Compute the codes of the samples of DATA in the dictionary of a model: array codes (PxK).',
    async () => (await import('./encode.ts')).encodeCommand(),
  ),
  decode: listed('<model.npz> <codes.npz>', 'Compute samples from codes: the inverse of encode.', async () =>
    (await import('./decode.ts')).decodeCommand(),
  ),
  inspect: listed('<model.npz>', 'Describe a model, and draw its atoms.', async () =>
    (await import('./inspect.ts')).inspectCommand(),
  ),
  image: listed('<denoise|compress|restore>', 'Denoise a picture, compress it, or restore it.', async () =>
    (await import('./image.ts')).imageCommand(),
  ),
  factor: listed(
    '<model.npz>',
    'Approximate an orthogonal dictionary by a product of few factors, which encodes faster.',
    async () => (await import('./factor.ts')).factorCommand(),
  ),
  'sparse-pca': listed(
    '<DATA>',
    'Find principal components with few non-zeros: arrays loadings (KxN), scores (PxK).',
    async () => (await import('./sparse-pca.ts')).sparsePcaCommand(),
  ),
  tensor: listed('[T.npy]', 'Decompose a symmetric tensor of third order into orthogonal factors.', async () =>
    (await import('./tensor.ts')).tensorCommand(),
  ),
  topics: listed(
    '<COUNTS>',
    'Find the topics of documents from the counts of their words (latent Dirichlet allocation by moments).',
    async () => (await import('./topics.ts')).topicsCommand(),
  ),
  mixture: listed(
    '<DATA>',
    'Find clusters of samples, as Gaussians: arrays means (KxN), weights (K), variance, covariances, labels (P).',
    async () => (await import('./mixture.ts')).mixtureCommand(),
  ),
  serve: listed('', 'Open the playground: a web page, served on this machine, that learns in your browser.', async () =>
    (await import('./serve.ts')).serveCommand(),
  ),
  worker: listed('', 'Compute blocks of passes for runs on other machines, until told to leave.', async () =>
    (await import('./worker.ts')).workerCommand(),
  ),
};

/** The summary is written here only: --help of the program must not load the command. */
function listed(takes: string, summary: string, make: () => Promise<Command>): ListedCommand {
  return { takes, summary, load: async () => inHelpForm((await make()).description(summary)) };
}
