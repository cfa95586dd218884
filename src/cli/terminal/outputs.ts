/**
 * Checks the files a command will write before the work begins: their names, and that they can be written and drawn.
 */
import { checkWritable } from '../../node/files/atomic-write.ts';
import { checkChart } from '../../node/files/chart.ts';
import { requireExtension } from './arguments.ts';

interface Outputs {
  readonly out: string;
  readonly picture?: string | undefined;
  readonly plot?: string | undefined;
}

/** `endings`: what `--out` may end in. */
export async function checkOutputs(
  who: string,
  { out, picture, plot }: Outputs,
  endings: readonly string[] = ['.npz'],
): Promise<void> {
  requireExtension(who, '--out', out, endings);
  if (picture !== undefined) requireExtension(who, '--picture', picture, ['.png']);
  if (plot !== undefined) {
    requireExtension(who, '--plot', plot, ['.svg', '.png']);
    await checkChart(plot);
  }
  for (const path of [out, picture, plot]) if (path !== undefined) await checkWritable(path);
}
