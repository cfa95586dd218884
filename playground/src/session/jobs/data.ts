/** The jobs of the tab "Your data". */
import type { JobContext } from '../context.ts';
import { codesOf } from './data/codes.ts';
import { makeFile } from './data/files.ts';
import { heldAs } from './data/held.ts';
import { learnTable } from './data/learn.ts';
import { previewFile, type TableRequest } from './data/table.ts';

export interface RowRequest {
  /** Number of the result, and row of its table, from 0. */
  readonly number: number;
  readonly row: number;
}

/** A row of the table, and its codes. */
export interface CodedRow {
  readonly row: number;
  readonly sample: Float64Array;
  readonly codes: Float64Array;
}

async function dataRow({ number, row }: RowRequest): Promise<CodedRow> {
  const { source, result } = heldAs(number);
  const sample = Float64Array.from((await source.read(row, row + 1)).data);
  const codes = await codesOf(source, result.dictionary, row, row + 1);
  return { row, sample, codes: Float64Array.from(codes.data) };
}

const dataPreview = (request: TableRequest, _: JobContext<never>) => previewFile(request);

export const dataJobs = { dataPreview, dataLearn: learnTable, dataRow, dataFile: makeFile };
