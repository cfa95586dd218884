/** Colour scales between colours of styles.css, in perceptually even steps: straight lines in the Oklab space. */
import { colour } from '../theme.svelte.ts';

type Triple = readonly [number, number, number];

/** A scale of 256 colours, each four bytes: red, green, blue, opacity. `names`: two or more colours of styles.css. */
export function ramp(...names: readonly string[]): Uint8ClampedArray {
  const stops = names.map((name) => toOklab(colour(name).trim()));
  const bytes = new Uint8ClampedArray(4 * 256);
  for (let k = 0; k < 256; k++) {
    const at = (k / 255) * (stops.length - 1);
    const before = Math.min(Math.floor(at), stops.length - 2);
    const [from, to] = [stops[before], stops[before + 1]];
    const mixed = from.map((value, c) => value + (at - before) * (to[c] - value)) as unknown as Triple;
    bytes.set([...fromOklab(mixed), 255], 4 * k);
  }
  return bytes;
}

/** Converts to Oklab. `given`: #rrggbb, or the short form #rgb that builds produce. */
function toOklab(given: string): Triple {
  const hex = given.length === 4 ? given.replaceAll(/[^#]/g, '$&$&') : given;
  const [r, g, b] = [1, 3, 5].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab([L, a, b]: Triple): number[] {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((value) => 255 * encoded(value));
}

const linear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const encoded = (c: number): number => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);
