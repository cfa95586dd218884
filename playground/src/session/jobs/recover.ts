/** The jobs of the tab "Recover". */
import { arraysBlob } from 'orthodict/browser';
import { generateWithPauses } from 'orthodict/extend';
import type { Job } from '../context.ts';
import { generateOptionsOf, type Recipe } from './recover/contenders.ts';
import { map } from './recover/map.ts';
import { race } from './recover/race.ts';

/** Generates the samples with their atoms and codes as a file, as `orthodict generate` writes them. */
const data: Job<Recipe, never, Blob> = async (recipe, { signal }) => {
  const { samples, atoms, codes } = await generateWithPauses(generateOptionsOf(recipe), signal);
  return arraysBlob({ samples, atoms, codes });
};

export const recoverJobs = { recoverRace: race, recoverMap: map, recoverData: data };
