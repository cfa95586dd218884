/** The program: its help, and the command that was called. Only this file turns errors into one line on stderr and an exit code. */
import { Command, CommanderError } from 'commander';
import { InputError } from '../core/errors.ts';
import { printable } from '../core/printable.ts';
import { commands } from './commands/index.ts';
import { checkFiles } from './terminal/files.ts';
import { HELP_FORM } from './terminal/help-form.ts';
import { INTERRUPTED, Interrupted, withSignals } from './terminal/interrupt.ts';
import { printRemark } from './terminal/output.ts';

const EXIT = { failure: 1, badInput: 2, interrupted: INTERRUPTED } as const;

const HELP = `
DATA is a file, a folder or glob of files, an http(s) address, or - for standard input. Formats: .npy .npz .csv .tsv .idx (also
gzipped), .parquet, .wav and pictures. file.npz:name picks an array. Samples are rows.

Examples:
  orthodict demo
  orthodict generate --samples 20000 --features 50 --theta 0.3 --seed 1 --out data.npz
  orthodict learn data.npz --out model.npz
  orthodict evaluate model.npz --truth data.npz:atoms`;

/** Runs `orthodict args…` to its end and sets the exit code. */
export async function runProgram(args: readonly string[], version: string): Promise<void> {
  const program = new Command('orthodict')
    .description('Learn orthogonal and complete dictionaries: bases in which your data is sparse.')
    .version(version)
    .exitOverride()
    .hook('preAction', (_, command) => checkFiles(command))
    .configureOutput({ outputError: (text, write) => write(oneLine(text)) })
    .configureHelp(HELP_FORM)
    .addHelpText('after', HELP);
  const called = args.find((word) => word !== 'help' && word !== '--') ?? '';
  const isKnown = Object.hasOwn(commands, called);
  const command = isKnown ? inheriting(await commands[called].load(), program) : undefined;
  for (const each of command ? [command] : Object.keys(commands).map(outline)) program.addCommand(each);
  const isMistyped = !isKnown && /^\w/.test(called);
  const words = isMistyped ? args.filter((word) => !HELP_FLAGS.includes(word)) : args; // an unknown command has no help
  try {
    if (command) nameUnknownFirst(command, args);
    await withSignals(() => program.parseAsync(words, { from: 'user' }));
  } catch (error) {
    const inner = command?.commands.find((each) => args.includes(each.name()));
    process.exitCode = exitCode(error, inner ? `${called} ${inner.name()}` : called);
  }
}

/** Copies the settings of the program to a command and its subcommands. */
function inheriting(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const inner of command.commands) inheriting(inner, command);
  return command;
}

const HELP_FLAGS = ['--help', '-h', 'help'];

/** Makes the error name a mistyped flag rather than the required flag that is missing because of it. */
function nameUnknownFirst(command: Command, args: readonly string[]): void {
  const rest = args.slice(args.indexOf(command.name()) + 1);
  const inner = command.commands.find((each) => each.name() === rest[0]);
  if (inner) {
    nameUnknownFirst(inner, rest);
    return;
  }
  const { unknown } = command.parseOptions(rest);
  const isMistyped = unknown.some((word) => word.startsWith('-') && !HELP_FLAGS.includes(word));
  if (isMistyped) for (const option of command.options) option.makeOptionMandatory(false);
}

/** A command without its code: what `orthodict --help` shows of it. */
function outline(name: string): Command {
  const { takes, summary } = commands[name];
  const command = new Command(name).description(summary);
  for (const argument of takes.split(' ').filter(Boolean)) command.argument(argument);
  return command;
}

/** Puts commander's message and its suggestion on one line. */
function oneLine(text: string): string {
  const words = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ');
  return `${printable(`orthodict: ${words} (see orthodict COMMAND --help)`)}\n`;
}

/** Replaces the library's function name, `learnMixture: …`, by the command that the user called, `mixture: …`. */
function inWordsOfCommand({ message, who }: InputError, called: string): string {
  return who && /^((learn|generate|compress|update)[A-Z]|denoise$)/.test(who)
    ? message.replace(`${who}:`, `${called}:`)
    : message;
}

function exitCode(error: unknown, called: string): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.badInput; // commander has printed it already
  if (error instanceof Interrupted) {
    printRemark(error.message);
    return EXIT.interrupted;
  }
  if (error instanceof InputError) {
    printRemark(inWordsOfCommand(error, called));
    return EXIT.badInput;
  }
  if (process.env.ORTHODICT_DEBUG) console.error(error);
  else printRemark(`orthodict: ${error instanceof Error ? error.message : error}`);
  return EXIT.failure;
}
