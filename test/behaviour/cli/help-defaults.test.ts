/** Every option with a default shows it in the help of every command that takes it. */
import type { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { commands } from '#src/cli/commands/index.ts';

const loaded = await Promise.all(Object.values(commands).map(({ load }) => load()));
const all = loaded.flatMap((command) => [command, ...command.commands.filter((inner) => inner.name() !== 'help')]);

/** What --help prints, on one line. */
function helpOf(command: Command): string {
  let text = '';
  const writeOut = (piece: string) => {
    text += piece;
  };
  command.configureOutput({ writeOut, getOutHelpWidth: () => 10_000, getOutHasColors: () => false }).outputHelp();
  return text;
}

const helps = new Map(all.map((command) => [command, helpOf(command)]));

/** What stands beside a flag, also in the lists of methods, which wrap by themselves; without the quotes of words. */
function textOf(command: Command, { flags }: Option): string {
  const lines = helps.get(command)!.split('\n');
  const at = lines.findIndex((line) => line.trimStart().startsWith(`${flags} `));
  const end = lines.findIndex((line, k) => k > at && !/^ {20}/.test(line));
  return at < 0
    ? ''
    : plain(
        lines
          .slice(at, end)
          .map((line) => line.trim())
          .join(' '),
      );
}

const plain = (text: string): string => text.replaceAll('"', '');

describe('defaults are in the help', () => {
  it.each(all.map((command) => [command.name(), command] as const))('of %s', (_, command) => {
    for (const option of command.options) {
      const { defaultValue, defaultValueDescription: words, flags } = option;
      if (option.isBoolean() || (defaultValue === undefined && words === undefined)) continue;
      const shown = words ?? JSON.stringify(defaultValue);
      expect(textOf(command, option), flags).toContain(`default: ${plain(shown)})`);
    }
  });

  it('of how tables, pictures and runs are read and saved, which no command sets itself', () => {
    const learn = helps.get(loaded.find((command) => command.name() === 'learn')!)!;
    const wanted = {
      header: 'auto',
      decimal: '.',
      missing: 'error',
      patches: '8x8',
      stride: '1',
      limit: '100000',
      color: 'grey',
      queue: 'orthodict',
      'checkpoint-every': '10',
      'max-seconds': 'no limit',
    };
    for (const [flag, preset] of Object.entries(wanted)) {
      const line = learn.split('\n').find((each) => each.trimStart().startsWith(`--${flag} `));
      expect(line, flag).toContain(`default: ${preset})`);
    }
  });
});
