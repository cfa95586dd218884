/** Formulas of the explanations: what stands inside of <math>, put together from letters, numbers and signs. */

/** A row of letters (`x`), numbers (`3`), signs (`=`) and parts made by the functions below, separated by blanks. */
export const formula = (parts: string): string => parts.split(' ').map(token).join('');

function token(part: string): string {
  if (part === '' || part.startsWith('<')) return part;
  if (part === ';') return '<mspace width="1em"/>';
  if (/^[\d.]+$/.test(part)) return `<mn>${part}</mn>`;
  return /^[\p{L}\p{M}]+$/u.test(part) ? `<mi>${part}</mi>` : `<mo>${part.replaceAll('<', '&lt;')}</mo>`;
}

const row = (parts: string): string => `<mrow>${formula(parts)}</mrow>`;

/** No blanks inside, so that a part can stand in another one. */
const part = (name: string, ...rows: readonly string[]): string => `<${name}>${rows.map(row).join('')}</${name}>`;

export const sub = (base: string, index: string): string => part('msub', base, index);
export const sup = (base: string, power: string): string => part('msup', base, power);
export const subsup = (base: string, index: string, power: string): string => part('msubsup', base, index, power);
export const over = (top: string, bottom: string): string => part('mfrac', top, bottom);
