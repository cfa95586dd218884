/** Checks output files before the work begins: their extensions, and that they can be written and drawn. */
import { checkWritable } from '../../node/io/atomic-write.ts';
import { requireExtension } from './arguments.ts';

/** The extensions that each flag allows; a command whose `out` is no archive passes its own. */
const ENDINGS = {
  out: ['.npz'],
  picture: ['.png'],
  atoms: ['.png'],
  plot: ['.svg', '.png'],
  page: ['.md'],
} as const;

type Outputs = { readonly [flag in keyof typeof ENDINGS]?: string | undefined };

export async function checkOutputs(
  who: string,
  outputs: Outputs,
  endings: { readonly [flag in keyof Outputs]: readonly string[] } = {},
): Promise<void> {
  for (const flag of Object.keys(ENDINGS) as (keyof Outputs)[]) {
    const path = outputs[flag];
    if (path !== undefined) requireExtension(who, `--${flag}`, path, endings[flag] ?? ENDINGS[flag]);
  }
  if (outputs.plot !== undefined) await (await import('../../node/chart.ts')).checkChart(outputs.plot);
  for (const path of Object.values(outputs)) if (path !== undefined) await checkWritable(path);
}
