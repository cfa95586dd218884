// Writes docs/cli.md from the help texts of the built command line. With `--check` it fails if the page is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commands } from '../dist/cli/commands/index.js';

const page = fileURLToPath(new URL('../docs/cli.md', import.meta.url));

const INTRODUCTION = `# Command line

This page shows what \`orthodict COMMAND --help\` prints (\`npm run docs:cli\` writes it). For every command:

- **Data** is a file with samples as rows: \`.npy .npz .csv .tsv .idx\` (also gzipped), \`.parquet\`, \`.wav\`; or pictures. \`file.npz:name\` picks an array; the default is
  \`samples\`, or the only 2-d array. See [formats.md](formats.md).
- **\`--json\`** makes stdout one JSON object. Messages and progress go to stderr; progress is shown only on a terminal.
- **Exit codes**: 0 success; 1 failure of the program; 2 bad input, explained in one line on stderr; 130 interrupted by Ctrl-C.
  \`ORTHODICT_DEBUG=1\` adds the stack trace of a failure.
- **Files** are written under a temporary name and then renamed: an error leaves the old file as it was.
- **Flags** are the options of the library in kebab-case: \`maxIterations\` is \`--max-iterations\`. Their defaults are the library's.
`;

/** The text that --help prints, 100 columns wide. */
function help(command) {
  let text = '';
  const writeOut = (piece) => {
    text += piece;
  };
  command.configureOutput({ writeOut, getOutHelpWidth: () => 100, getOutHasColors: () => false }).outputHelp();
  return text.replace(/^Usage: (orthodict )?/, 'Usage: orthodict ').trimEnd();
}

/** The sections of a command and its subcommands. */
const sectionsOf = (command, name) => [
  `## ${name}\n\n\`\`\`text\n${help(command)}\n\`\`\`\n`,
  ...command.commands
    .filter((inner) => inner.name() !== 'help')
    .flatMap((inner) => sectionsOf(inner, `${name} ${inner.name()}`)),
];

const sections = [];
for (const [name, { load }] of Object.entries(commands)) sections.push(...sectionsOf(await load(), name));
const text = [INTRODUCTION, ...sections].join('\n');

if (process.argv.includes('--check')) {
  if (readFileSync(page, 'utf8') !== text) {
    console.error('docs/cli.md is out of date: run npm run docs:cli.');
    process.exitCode = 1;
  }
} else writeFileSync(page, text);
