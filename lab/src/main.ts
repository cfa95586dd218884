/** Entry of the laboratory: `npm run reproduce -- …` and `npm run bench -- …` in a checkout. */
import { Command, CommanderError } from 'commander';
import { InputError } from 'orthodict';
import { benchCommand } from './commands/bench.ts';
import { reproduceCommand } from './commands/reproduce.ts';
import { Interrupted, printRemark } from './terminal.ts';

const EXIT = { failure: 1, badInput: 2, interrupted: 130 } as const;

const program = new Command('npm run').exitOverride().enablePositionalOptions();
for (const command of [reproduceCommand(), benchCommand()]) {
  program.addCommand(command.copyInheritedSettings(program).helpOption('--help'));
}

try {
  await program.parseAsync(process.argv.slice(2), { from: 'user' });
} catch (error) {
  process.exitCode = exitCode(error);
}

function exitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.badInput; // commander has printed it
  if (error instanceof Error) printRemark(error.message);
  else printRemark(String(error));
  if (error instanceof Interrupted) return EXIT.interrupted;
  if (process.env.ORTHODICT_DEBUG) console.error(error);
  return error instanceof InputError ? EXIT.badInput : EXIT.failure;
}
