#!/usr/bin/env node
/** Entry of the command line. It knows the version; everything else is loaded when it is called for. */
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

/** Node 22.8 and later keep what V8 compiled in the folder for temporary files, for the next start. */
function keepCompiledCode(): void {
  (nodeModule as { enableCompileCache?: () => unknown }).enableCompileCache?.();
}
