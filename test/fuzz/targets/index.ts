/** Everything the harness attacks. To add a target, write its file and add it here. */
import type { Target } from '../target.ts';
import { aborts } from './aborts.ts';
import { commandLine } from './command-line.ts';
import { executor } from './executor.ts';
import { models } from './models.ts';
import { options } from './options.ts';
import { sampleTargets } from './samples.ts';
import { tables } from './tables.ts';

export const targets: readonly Target[] = [...sampleTargets, tables, models, options, commandLine, aborts, executor];
