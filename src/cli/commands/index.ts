/** The commands, in the order of --help. The code of a command is loaded when it is called. */
import type { Command } from 'commander';

export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  demo: async () => (await import('./demo.ts')).demoCommand(),
  generate: async () => (await import('./generate.ts')).generateCommand(),
  learn: async () => (await import('./learn.ts')).learnCommand(),
  evaluate: async () => (await import('./evaluate.ts')).evaluateCommand(),
  encode: async () => (await import('./encode.ts')).encodeCommand(),
  decode: async () => (await import('./decode.ts')).decodeCommand(),
  inspect: async () => (await import('./inspect.ts')).inspectCommand(),
  factor: async () => (await import('./factor.ts')).factorCommand(),
  'sparse-pca': async () => (await import('./sparse-pca.ts')).sparsePcaCommand(),
  tensor: async () => (await import('./tensor.ts')).tensorCommand(),
  topics: async () => (await import('./topics.ts')).topicsCommand(),
  mixture: async () => (await import('./mixture.ts')).mixtureCommand(),
  reproduce: async () => (await import('./reproduce.ts')).reproduceCommand(),
  bench: async () => (await import('./bench.ts')).benchCommand(),
};
