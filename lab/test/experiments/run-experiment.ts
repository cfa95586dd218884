/** Runs an experiment from its file of trials to its end. */
import type { Experiment, Trial } from '#lab/experiments/framework/experiment.ts';
import { Plan, type RunOptions, type RunSetup } from '#lab/experiments/framework/run.ts';

export async function runExperiment(
  experiment: Experiment,
  options: RunOptions,
  { csv, ...setup }: RunSetup & { readonly csv: string },
): Promise<Trial[]> {
  return (await Plan.read(experiment, options, csv)).run(setup);
}
