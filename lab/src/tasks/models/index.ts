/** All tasks, by group. */
import { dictionaryTasks } from './dictionaries.ts';
import { mixtureTasks } from './mixtures.ts';
import type { ModelTask } from './model-task.ts';
import { sourceTasks } from './sources.ts';
import { sparsePcaTasks } from './sparse-pca.ts';
import { tensorTasks } from './tensors.ts';
import { topicTasks } from './topics.ts';

export const MODEL_TASKS: readonly ModelTask[] = [
  ...sourceTasks,
  ...sparsePcaTasks,
  ...mixtureTasks,
  ...topicTasks,
  ...dictionaryTasks,
  ...tensorTasks,
];
