/** Checks which options apply to which format: others are refused, not ignored. */
import { InputError } from '../../core/errors.ts';
import { quoted } from '../../core/printable.ts';
import { isPictureName, type PatchReading, PICTURES } from '../codecs/picture/reading.ts';
import { FORMAT_NAMES, requireKnown, type TableOptions, type TableReading, TEXT_OPTIONS } from './options.ts';

const isText = (extension: string): boolean => /^\.[ct]sv/.test(extension);
/** Whether the columns of a format may have names. */
const hasColumns = (extension: string): boolean => isText(extension) || extension === '.parquet';

/** Returns `.csv` for the option `csv`. */
export function givenExtension({ format }: TableOptions): string | undefined {
  if (format === undefined || FORMAT_NAMES.includes(format)) return format && `.${format}`;
  throw new InputError(`table: format must be one of ${FORMAT_NAMES.join(', ')}; got ${quoted(String(format))}.`);
}

/** Throws if an option was given that has no effect for this format. */
export function requireTable(
  name: string,
  extension: string,
  { onRemark: _, format: __, means: ___, ...given }: TableReading,
): void {
  for (const [option, value] of Object.entries(given)) {
    const ofText = TEXT_OPTIONS.includes(option);
    if (value === undefined || (ofText ? isText(extension) : hasColumns(extension))) continue;
    const wanted = ofText ? 'a table of text (.csv, .tsv)' : 'a table (.csv, .tsv, .parquet)';
    throw new InputError(`${name}: must be ${wanted} for --${option}; got ${extension}.`);
  }
}

/** Throws if an option for pictures was given and this format is no picture. */
export function requirePictures(name: string, extension: string, { seed: _, like: __, ...given }: PatchReading): void {
  const [vain] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (vain === undefined || isPictureName(extension)) return;
  throw new InputError(`${name}: must be a picture (${PICTURES.join(', ')}) for --${vain}; got ${extension}.`);
}

const PICTURE_OPTIONS = ['patches', 'stride', 'limit', 'color', 'like', 'seed'];

/** Checks options for pictures; throws an InputError that names the option. */
export function requirePatchReading(given: PatchReading): void {
  requireKnown('pictures', given, PICTURE_OPTIONS);
  const demand = (ok: boolean, name: keyof PatchReading, mustBe: string) => {
    if (!ok) throw new InputError(`pictures: ${name} must be ${mustBe}; got ${JSON.stringify(given[name])}.`);
  };
  const isCount = (value: unknown) => Number.isInteger(value) && (value as number) > 0;
  const { patches, stride, limit, color, seed } = given;
  demand(
    patches === undefined || (isCount(patches?.width) && isCount(patches?.height)),
    'patches',
    'a width and a height',
  );
  demand(stride === undefined || isCount(stride), 'stride', 'a whole number from 1');
  demand(
    limit === undefined || isCount(limit) || limit === Number.POSITIVE_INFINITY,
    'limit',
    'a whole number from 1, or all',
  );
  demand(color === undefined || color === 'grey' || color === 'rgb', 'color', 'grey or rgb');
  demand(seed === undefined || Number.isSafeInteger(seed), 'seed', 'a whole number');
}
