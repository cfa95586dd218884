/** docs/cli.md says what --help says: the same commands, and for each the same options with the same defaults. */
import { describe, expect, it } from 'vitest';
import { callCli } from '../helpers/cli.ts';
import { readMarkdown } from './markdown.ts';

interface OptionLine {
  /** As help prints it: `--out <model.npz>`. */
  readonly flags: string;
  readonly default: string | undefined;
}

const reference = readMarkdown('docs/cli.md').text;

async function help(...command: string[]): Promise<string> {
  const { code, stdout } = await callCli([...command, '--help']);
  expect(code).toBe(0);
  return stdout;
}

/** Lines of a section of help, continuation lines joined to the line they belong to. */
function entries(text: string, section: string): string[] {
  const lines = text.split(`\n${section}:\n`)[1]?.split('\n\n')[0].split('\n') ?? [];
  return lines.reduce<string[]>((found, line) => {
    if (/^ {2}\S/.test(line)) found.push(line.trim());
    else found[found.length - 1] += ` ${line.trim()}`;
    return found;
  }, []);
}

function helpOptions(text: string): OptionLine[] {
  return entries(text, 'Options')
    .filter((entry) => entry.startsWith('--'))
    .map((entry) => ({
      flags: /^--\S+( <[^>]+>)?/.exec(entry)![0],
      default: /default: "?([^")]+)"?\)$/.exec(entry)?.[1],
    }));
}

/** Rows of the table under a heading `## command`: flags, default in code or words, meaning. */
function documentedOptions(command: string): OptionLine[] {
  const section = reference.split(new RegExp(`^## ${command}$`, 'm'))[1]?.split(/^## /m)[0] ?? '';
  return [...section.matchAll(/^\| `(--(?:\\\||[^|`])*)` *\| (.*?) *\| /gm)].map((match) => ({
    flags: match[1].replaceAll('\\|', '|'),
    default: /^`(.*)`$/.exec(match[2])?.[1],
  }));
}

const commands = entries(await help(), 'Commands')
  .map((entry) => entry.split(' ')[0])
  .filter((name) => name !== 'help');

it('has a section for every command and no other', () => {
  const sections = [...reference.matchAll(/^## ([a-z-]+)$/gm)].map((match) => match[1]);
  expect(sections).toEqual(commands);
});

describe.each(commands)('%s', (command) => {
  it('lists the options of --help, with their defaults, in the same order', async () => {
    expect(documentedOptions(command)).toEqual(helpOptions(await help(command)));
  });
});
