#!/usr/bin/env node
/** Entry of the command line. It knows the version and loads everything else on demand. */
import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
const args = process.argv.slice(2);

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0); // the reader has seen enough
  throw error;
});

if (args[0] === '--version' || args[0] === '-V') process.stdout.write(`${version}\n`);
else {
  keepCompiledCode();
  const { runProgram } = await import('./program.ts');
  await runProgram(args, version);
}

/** Makes the next start faster: Node 22.8 and later cache compiled code in the temporary folder. */
function keepCompiledCode(): void {
  (nodeModule as { enableCompileCache?: () => unknown }).enableCompileCache?.();
}
