/** What commands print on stdout: one object with --json, otherwise words and tables for people. */

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Labels on the left, values on the right. */
export function printFacts(facts: ReadonlyArray<readonly [label: string, value: string]>): void {
  const width = Math.max(...facts.map(([label]) => label.length));
  for (const [label, value] of facts) process.stdout.write(`${label.padEnd(width)}  ${value}\n`);
}

/** The first column is aligned left, the others right. */
export function printTable(header: readonly string[], rows: ReadonlyArray<readonly string[]>): void {
  const lines = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const format = (line: readonly string[]) =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  ');
  process.stdout.write(`${format(header)}\n${widths.map((width) => '─'.repeat(width)).join('  ')}\n`);
  for (const row of rows) process.stdout.write(`${format(row)}\n`);
}

/** `1 pass`, `3 passes` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** Large counts with separators, other numbers with the digits that matter. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return value.toLocaleString('en-US');
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e6 ? String(Number(value.toPrecision(4))) : value.toExponential(2);
}
