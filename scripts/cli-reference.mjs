// Writes docs/cli.md from the help texts of the built command line. `--check` fails instead where the page is out of date.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = `${root}docs/cli.md`;

const INTRODUCTION = `# Command line

This page is what \`orthodict COMMAND --help\` prints (\`npm run docs:cli\` writes it). What holds for every command:

- **Data** is a file with samples as rows: \`.npy .npz .csv .tsv .idx\`, also gzipped. \`file.npz:name\` picks an array; without a name it is \`samples\`, or
  the only 2-d array. See [formats.md](formats.md).
- **\`--json\`** makes stdout one JSON object. Messages and progress go to stderr; progress is shown only on a terminal.
- **Exit codes**: 0 done; 1 failure of the program; 2 bad input, with one line on stderr that says what; 130 interrupted by Ctrl-C.
  \`ORTHODICT_DEBUG=1\` adds the stack of a failure.
- **Files** are written aside and renamed: after an error the old file is still there.
- **Flags** are the options of the library in kebab-case: \`maxIterations\` is \`--max-iterations\`. Their defaults are the library's.
`;

function help(...command) {
  const { stdout, status } = spawnSync(process.execPath, [`${root}dist/cli/main.js`, ...command, '--help'], {
    encoding: 'utf8',
    env: { ...process.env, COLUMNS: '100' },
  });
  if (status !== 0) throw new Error(`orthodict ${command.join(' ')} --help failed; run npm run build first.`);
  return stdout;
}

const commands = [
  ...help()
    .split('\nCommands:\n')[1]
    .matchAll(/^ {2}([a-z-]+) /gm),
]
  .map(([, name]) => name)
  .filter((name) => name !== 'help');
const sections = commands.map((name) => `## ${name}\n\n\`\`\`text\n${help(name).trimEnd()}\n\`\`\`\n`);
const text = [INTRODUCTION, ...sections].join('\n');

if (process.argv.includes('--check')) {
  if (readFileSync(page, 'utf8') !== text) {
    console.error('docs/cli.md is out of date: run npm run docs:cli.');
    process.exitCode = 1;
  }
} else writeFileSync(page, text);
