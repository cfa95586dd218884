#!/usr/bin/env node
/** The command line: one file per command. Only this file turns errors into one line on stderr and an exit code. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { InputError } from '../core/errors.ts';
import { printable } from '../core/printable.ts';
import { commands } from './commands/index.ts';
import { checkFiles } from './terminal/files.ts';
import { INTERRUPTED, Interrupted, withSignals } from './terminal/interrupt.ts';
import { printRemark } from './terminal/output.ts';

const EXIT = { failure: 1, badInput: 2, interrupted: INTERRUPTED } as const;

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

const program = new Command('orthodict')
  .description('Learn orthogonal and complete dictionaries: bases in which your data is sparse.')
  .version(version)
  .exitOverride()
  .hook('preAction', (_, command) => checkFiles(command))
  .configureOutput({ outputError: (text, write) => write(oneLine(text)) })
  .addHelpText(
    'after',
    `
Data is a file: .npy .npz .csv .tsv .idx, also gzipped; file.npz:name picks an array. Samples are rows.

Examples:
  orthodict demo
  orthodict generate --samples 20000 --features 50 --theta 0.3 --seed 1 --out data.npz
  orthodict learn data.npz --out model.npz
  orthodict evaluate model.npz --truth data.npz:atoms`,
  );

const called = process.argv[2] ?? '';
for (const load of Object.hasOwn(commands, called) ? [commands[called]] : Object.values(commands)) {
  program.addCommand((await load()).copyInheritedSettings(program));
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0); // the reader has seen enough
  throw error;
});

try {
  await withSignals(() => program.parseAsync());
} catch (error) {
  process.exitCode = exitCode(error);
}

/** Commander's message and its suggestion in one line. */
function oneLine(text: string): string {
  const words = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ');
  return `${printable(`orthodict: ${words} (see orthodict COMMAND --help)`)}\n`;
}

/** The library says `learnMixture: …`; here the user called `mixture`. */
function inWordsOfCommand({ message, who }: InputError): string {
  return who && /^(learn|generate)[A-Z]/.test(who) ? message.replace(`${who}:`, `${called}:`) : message;
}

function exitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.badInput; // commander has printed it already
  if (error instanceof Interrupted) {
    printRemark(error.message);
    return EXIT.interrupted;
  }
  if (error instanceof InputError) {
    printRemark(inWordsOfCommand(error));
    return EXIT.badInput;
  }
  if (process.env.ORTHODICT_DEBUG) console.error(error);
  else printRemark(`orthodict: ${error instanceof Error ? error.message : error}`);
  return EXIT.failure;
}
