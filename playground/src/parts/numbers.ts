/** Numbers in words. */

/** `1 row`, `1,797 rows` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** `412 bytes`, `75.9 KB`, `2 GB` */
export function bytes(count: number): string {
  if (count < 1000) return counted(count, 'byte');
  const power = Math.min(3, Math.floor(Math.log10(count) / 3));
  return `${Number((count / 1000 ** power).toPrecision(3))} ${['', 'KB', 'MB', 'GB'][power]}`;
}

/** Formats a share: `0.4 %`, `12.3 %`, `< 0.01 %`. Shares just below one are not rounded to 100 %. */
export function percent(share: number): string {
  const value = 100 * share;
  if (share < 1 && value > 99.95) return '> 99.9 %';
  if (share > 0 && value < 0.01) return '< 0.01 %';
  return `${Number(value.toPrecision(value >= 10 ? 3 : 2))} %`;
}
