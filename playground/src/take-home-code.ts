/** Options as flags of the command line, and as code. */

/** `{ maxIterations: 5, center: true }` → ` --max-iterations 5 --center` */
export const flagsOf = (options: object): string =>
  Object.entries(options)
    .map(([name, value]) => ` --${kebab(name)}${value === true ? '' : ` ${value}`}`)
    .join('');

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Writes a value as code, with quotes only where needed. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([name, inner]) => `${name}: ${literal(inner)}`)
      .join(', ')} }`;
  }
  return typeof value === 'string' && !/['\\\p{Cc}]/u.test(value) ? `'${value}'` : JSON.stringify(value);
}
