// Writes docs/cli.md from the help texts of the built command line. `--check` fails instead if the page is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commands } from '../dist/cli/commands/index.js';

const page = fileURLToPath(new URL('../docs/cli.md', import.meta.url));

const INTRODUCTION = `# Command line

This page is what \`orthodict COMMAND --help\` prints (\`npm run docs:cli\` writes it). What holds for every command:

- **Data** is a file with samples as rows: \`.npy .npz .csv .tsv .idx\`, also gzipped, \`.parquet\`, \`.wav\`; or pictures. \`file.npz:name\` picks an array; without a name it is \`samples\`, or
  the only 2-d array. See [formats.md](formats.md).
- **\`--json\`** makes stdout one JSON object. Messages and progress go to stderr; progress is shown only on a terminal.
- **Exit codes**: 0 done; 1 failure of the program; 2 bad input, with one line on stderr that says what; 130 interrupted by Ctrl-C.
  \`ORTHODICT_DEBUG=1\` adds the stack of a failure.
- **Files** are written aside and renamed: after an error the old file is still there.
- **Flags** are the options of the library in kebab-case: \`maxIterations\` is \`--max-iterations\`. Their defaults are the library's.
`;

/** As --help prints it, 100 columns wide. */
function help(command) {
  let text = '';
  const writeOut = (piece) => {
    text += piece;
  };
  command.configureOutput({ writeOut, getOutHelpWidth: () => 100, getOutHasColors: () => false }).outputHelp();
  return text.replace(/^Usage: (orthodict )?/, 'Usage: orthodict ').trimEnd();
}

/** Of a command, and of those inside it. */
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
