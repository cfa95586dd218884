/** Tables as other programs write them, with the numbers that they stand for. */
import type { Random } from '#src/core/random.ts';
import { pick } from '../edits.ts';

export interface CsvText {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly rows: readonly (readonly number[])[];
}

/** A number in one of the ways that programs write it. */
function numberText(random: Random, value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  return pick(random, [
    () => String(value),
    () => value.toExponential(),
    () => value.toExponential().toUpperCase(),
    () => (value >= 0 ? `+${value}` : String(value)),
    () => String(value).replace(/^(-?)0\./, '$1.'),
    () => (Number.isInteger(value) && !String(value).includes('e') ? `${value}.` : String(value)),
    () => (String(value).includes('e') ? String(value) : String(value).replace(/^(-?)/, '$1000')),
  ])();
}

const drawValue = (random: Random): number =>
  pick(random, [
    () => random.normal(),
    () => random.integer(2000) - 1000,
    () => 0,
    () => random.normal() * 10 ** (random.integer(600) - 300),
    () => -0,
  ])();

export function drawCsv(random: Random): CsvText {
  const [rowCount, cols] = [1 + random.integer(8), 1 + random.integer(6)];
  const tabs = random.integer(4) === 0;
  const mark = tabs ? '\t' : pick(random, cols === 1 ? [','] : [',', ';', '\t']);
  const rows = Array.from({ length: rowCount }, () => Array.from({ length: cols }, () => drawValue(random)));
  const field = (value: number): string => {
    const plain = numberText(random, value);
    const spaced = random.integer(6) === 0 ? ` ${plain} ` : plain;
    return random.integer(6) === 0 ? `"${plain}"` : spaced;
  };
  const lines = rows.map((row) => row.map(field).join(mark));
  if (random.integer(2) === 0) {
    const label = (j: number) => pick(random, [`x${j}`, `"column ${j}"`, `length (${j})`]);
    lines.unshift(Array.from({ length: cols }, (_, j) => label(j)).join(mark));
  }
  const end = pick(random, ['\n', '\r\n']);
  const text = `${random.integer(4) === 0 ? '\ufeff' : ''}${lines.join(end)}${random.integer(2) === 0 ? end : ''}`;
  return { name: tabs ? 'table.tsv' : 'table.csv', bytes: Buffer.from(text), rows };
}
