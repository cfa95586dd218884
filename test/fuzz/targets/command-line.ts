/** Commands with flags and files that make no sense: exit code 0 or 2, one printable line on stderr, no file left behind. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import { commands } from '#src/cli/commands/index.ts';
import type { Random } from '#src/core/random.ts';
import { writeArray, writeArrays } from '#src/node/io/arrays.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { callCli } from '../../helpers/call-cli.ts';
import { pick, withoutOne } from '../edits.ts';
import { requireOneLine } from '../files.ts';
import { subject, type Target } from '../target.ts';

/** These take minutes, or never end, whatever their flags. */
const LONG: readonly string[] = ['demo', 'serve'];
/** Flags whose value says how long to work. */
const EFFORT: readonly string[] = ['--max-iterations', '--max-seconds', '--starts', '--samples', '--documents'];

const NUMBERS = [
  '1',
  '2',
  '3',
  '5',
  '6',
  '8',
  '0.1',
  '0.5',
  '1e-3',
  '0',
  '-1',
  '1.5',
  'NaN',
  'Infinity',
  '1e400',
  '0x10',
];
const TEXTS = ['', ' ', 'auto', 'none', '\u001b[31m', 'a\nb', '\u202e', '--', '-', '__proto__', '1,2', '9'.repeat(40)];
const FILES = ['data.npz', 'data.npz:samples', 'data.npz:codes', 'data.npz:x', 'plain.npy', 'model.npz', 'table.csv']
  .concat([
    'text.txt',
    'empty.npy',
    'nothing.npy',
    '.',
    'cube.npy',
    'counts.txt',
    'strange\u001b[31m\n.npy',
    'state.npz',
  ])
  .concat(['new.npz', 'new.npy', 'new.png', 'new.svg', 'no/such/folder/new.npz', 'new.txt', '/dev/null']);

interface Case {
  readonly command: string;
  /** Arguments and flags with their values, each a group that can be left out. */
  readonly words: readonly (readonly string[])[];
}

async function prepare(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { samples, atoms, codes } = generate({ samples: 60, features: 5, theta: 0.3, seed: 1 });
  await writeArrays(join(folder, 'data.npz'), { samples, atoms, codes });
  await writeArray(join(folder, 'plain.npy'), samples);
  await writeArrays(join(folder, 'model.npz'), { atoms, meta: '{}' });
  await writeArray(join(folder, 'cube.npy'), { shape: [3, 3, 3], data: new Float64Array(27).fill(1) });
  writeFileSync(join(folder, 'table.csv'), 'a,b\n1,2\n3,4\n5,7\n');
  writeFileSync(join(folder, 'text.txt'), 'it was a dark night\n');
  writeFileSync(join(folder, 'counts.txt'), '1 1 2\n1 2 1\n2 2 3\n2 3 1\n3 1 1\n');
  writeFileSync(join(folder, 'empty.npy'), '');
}

/** A file that may do, by the placeholder of the argument or flag. */
function sensibleFile(random: Random, words: string): string {
  if (/^--(out|checkpoint|plot|picture|atoms)/.test(words)) return `new${/\.\w+/.exec(words)?.[0] ?? '.svg'}`;
  if (/model/.test(words)) return 'model.npz';
  if (/codes/.test(words)) return 'data.npz:codes';
  if (/truth/.test(words)) return 'data.npz:atoms';
  if (/COUNTS/i.test(words)) return pick(random, ['counts.txt', 'plain.npy']);
  if (/T\.npy|TENSOR/.test(words)) return 'cube.npy';
  return pick(random, ['data.npz', 'plain.npy', 'table.csv']);
}

function drawOption(random: Random, option: Option): readonly string[] {
  const long = option.long!;
  if (!option.required && !option.optional) return [long];
  if (EFFORT.includes(long)) return [long, pick(random, ['1', '2', '3', '0', '-1', 'x'])];
  const kinds = [() => pick(random, NUMBERS), () => pick(random, TEXTS), () => pick(random, FILES)];
  const usual = option.argChoices ? () => pick(random, option.argChoices!) : kinds[0];
  const isFile = /\.|FILE|DATA/.test(option.flags);
  if (isFile && random.integer(5) > 0) return [long, sensibleFile(random, option.flags)];
  if (!isFile && random.integer(4) > 0) return [long, option.argChoices ? usual() : pick(random, NUMBERS.slice(0, 8))];
  return [long, pick(random, kinds)()];
}

function drawWords(random: Random, command: Command): Case['words'] {
  const positional = command.registeredArguments.map((argument) => [
    random.integer(6) > 0 ? sensibleFile(random, argument.name()) : pick(random, FILES),
  ]);
  const flags = command.options.filter(({ mandatory }) => mandatory || random.integer(6) === 0);
  const words = [...positional, ...flags.map((option) => drawOption(random, option))];
  return random.integer(10) === 0 ? [...words, [pick(random, ['--nothing', 'more', '-x', '--out='])]] : words;
}

export const commandLine: Target = {
  name: 'cli',
  about: 'commands with any flags and files: exit code 0 or 2, one printable line on stderr, inputs left as they were',
  cases: 250,
  open: async (folder) => {
    const known = new Map<string, Command>();
    for (const [name, { load }] of Object.entries(commands)) if (!LONG.includes(name)) known.set(name, await load());
    const home = process.cwd();
    return subject<Case>({
      draw: (random) => {
        const command = pick(random, [...known.keys()]);
        return { command, words: drawWords(random, known.get(command)!) };
      },
      check: async ({ command, words }) => {
        const place = join(folder, 'work');
        rmSync(place, { recursive: true, force: true });
        await prepare(place);
        const before = inputsIn(place);
        process.chdir(place);
        try {
          const { code, stderr } = await callCli(
            [command, ...words.flat(), '--threads=1'].filter(usable(known.get(command)!)),
          );
          return judge(code, stderr, place, before, words);
        } finally {
          process.chdir(home);
        }
      },
      *smaller({ command, words }) {
        for (const fewer of withoutOne(words)) yield { command, words: fewer };
      },
      keep: async ({ command, words }) =>
        `orthodict ${[command, ...words.flat()].map((word) => JSON.stringify(word)).join(' ')}`,
    });
  },
};

/** Only commands that compute know threads. */
const usable = (command: Command) => (word: string) =>
  word !== '--threads=1' || command.options.some(({ long }) => long === '--threads');

const inputsIn = (folder: string): ReadonlyMap<string, string> =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')]));

function judge(
  code: number,
  stderr: string,
  folder: string,
  before: ReadonlyMap<string, string>,
  words: Case['words'],
): string {
  if (code !== 0 && code !== 2) throw new Error(`exit code ${code}: ${stderr}`);
  const lines = stderr.split('\n').filter((line) => line !== '');
  if (code === 2 && lines.length !== 1) throw new Error(`not one line: ${JSON.stringify(stderr)}`);
  for (const line of lines) requireOneLine(line);
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.tmp')) throw new Error(`leaves ${name}`);
    if (code === 2 && !before.has(name)) throw new Error(`refuses, but writes ${name}`);
  }
  const read = words.filter(([first]) => !first.startsWith('--')).map(([spec]) => spec.replace(/:\w*$/, ''));
  const after = inputsIn(folder);
  for (const [name, content] of before) {
    if ((code === 2 || read.includes(name)) && after.get(name) !== content)
      throw new Error(`changes its input ${name}`);
  }
  return code === 0 ? 'done' : 'refused';
}
