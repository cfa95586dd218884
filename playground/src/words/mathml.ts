/** Formulas of the explanations: the content of <math>, built from letters, numbers and signs. */

/** A row of letters (`x`), numbers (`3`), signs (`=`) and parts made by the functions below, separated by blanks. */
export const formula = (parts: string): string =>
  parts
    .split(' ')
    .map((part, place, all) => token(part) + gap(part, all[place + 1]))
    .join('');

/** Space between a word, such as `cos`, and a letter or part after it; signs bring their own space. */
const gap = (part: string, next = ''): string =>
  /^\p{L}{3,}$/u.test(part) && /^[\p{L}<]/u.test(next) ? '<mspace\twidth="0.25em"/>' : '';

/** A letter with ᵀ behind it is transposed. Tags have tabs instead of blanks, which separate parts. */
function token(part: string): string {
  if (part === '' || part.startsWith('<')) return part;
  if (part === ';') return '<mspace\twidth="1em"/>';
  if (part === 'ᵀ') return '<mo>⊤</mo>';
  if (/^\p{L}ᵀ$/u.test(part)) return sup(part[0], 'ᵀ');
  if (/^[\d.]+$/.test(part)) return `<mn>${part}</mn>`;
  if (/^\p{L}+$/u.test(part)) return `<mi>${part}</mi>`;
  return `<mo\tstretchy="false">${part.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</mo>`;
}

const row = (parts: string): string => `<mrow>${formula(parts)}</mrow>`;

const part = (name: string, ...rows: readonly string[]): string => `<${name}>${rows.map(row).join('')}</${name}>`;

export const sub = (base: string, index: string): string => part('msub', base, index);
export const sup = (base: string, power: string): string => part('msup', base, power);
export const subsup = (base: string, index: string, power: string): string => part('msubsup', base, index, power);
export const over = (top: string, bottom: string): string => part('mfrac', top, bottom);
