/** The process of module-process.ts: runs the modules it is told of, one after the other, and answers what each printed. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const printed = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr']) {
  process[name].write = (piece) => {
    printed[name] += piece;
    return true;
  };
}

process.on('message', async ({ folder, name }) => {
  Object.assign(printed, { stdout: '', stderr: '' });
  process.chdir(folder);
  try {
    await import(pathToFileURL(join(folder, name)).href);
    await new Promise((resolve) => setImmediate(resolve)); // warnings are printed a moment later
  } catch (error) {
    printed.stderr += `${error?.stack ?? error}\n`;
  }
  process.send(printed);
});
