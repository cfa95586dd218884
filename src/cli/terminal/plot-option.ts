/** The option `--plot` of every command that draws. */
import { checkWritable } from '../../node/files/atomic-write.ts';
import { checkChart } from '../../node/files/chart.ts';
import { requireExtension } from './arguments.ts';

/** Checks before the work begins that the chart can be drawn. */
export async function requirePlot(command: string, path: string | undefined): Promise<void> {
  if (path === undefined) return;
  requireExtension(command, '--plot', path, ['.svg', '.png']);
  await checkChart(path);
  await checkWritable(path);
}
