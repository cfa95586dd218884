/** Everything the harness attacks. To add a target, write its file and add it here. */
import type { Target } from '../target.ts';
import { aborts } from './aborts.ts';
import { checkpoints } from './checkpoints.ts';
import { commandLine } from './command-line.ts';
import { counts } from './counts.ts';
import { executor } from './executor.ts';
import { kills } from './kills.ts';
import { models } from './models.ts';
import { options } from './options.ts';
import { parquet } from './parquet.ts';
import { pictures } from './pictures.ts';
import { sampleTargets } from './samples.ts';
import { sparse } from './sparse.ts';
import { strangeData } from './strange-data.ts';
import { tables } from './tables.ts';

export const targets: readonly Target[] = [
  ...sampleTargets,
  parquet,
  pictures,
  sparse,
  tables,
  counts,
  models,
  checkpoints,
  options,
  strangeData,
  commandLine,
  aborts,
  executor,
  kills,
];
