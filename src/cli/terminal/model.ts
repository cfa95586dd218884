/** A model that a command computes codes with. */
import type { Model } from '../../formats/model.ts';
import { loadModel } from '../../node/files/model-file.ts';
import { printRemark } from './output.ts';

/** Reads it, and says how it encodes where its atoms alone do not tell. */
export async function modelForCodes(who: string, path: string): Promise<Model> {
  const model = await loadModel(path);
  if (model.remark) printRemark(`${who}: ${path}: ${model.remark}.`);
  return model;
}
