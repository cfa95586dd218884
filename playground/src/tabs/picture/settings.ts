/** The settings of the tab, as in its address. A picture of the user is not part of them. */

import type { Colour } from 'orthodict';
import astronaut from '../../pictures/astronaut.webp';
import cat from '../../pictures/cat.webp';
import type { View } from '../../session/jobs/picture/bitmaps.ts';
import { oneOf, type Rules, whole } from '../../settings.ts';

/** Pictures that come with the page. */
export const INCLUDED = [
  { name: 'astronaut', title: 'Astronaut', url: astronaut },
  { name: 'cat', title: 'Cat', url: cat },
] as const;
export type IncludedName = (typeof INCLUDED)[number]['name'];

/** Whether noise is added to the picture, or is already in it. */
export type NoiseFrom = 'added' | 'there';

export const SIDES = [4, 6, 8, 10, 12] as const;
export const PATCHES = [2000, 5000, 10_000, 20_000, 50_000] as const;
export const MOST_NOISE = 60;
const MOST_CODES = 3 * 12 ** 2;

export type PictureSettings = {
  picture: IncludedName;
  colour: Colour;
  side: number;
  norm: number;
  patches: number;
  k: number;
  view: View;
  noise: NoiseFrom;
  sigma: number;
};

export const DEFAULTS: Readonly<PictureSettings> = {
  picture: 'astronaut',
  colour: 'grey',
  side: 8,
  norm: 3,
  patches: 20_000,
  k: 4,
  view: 'picture',
  noise: 'added',
  sigma: 25,
};

export const RULES: Rules<PictureSettings> = {
  picture: oneOf<IncludedName>('astronaut', 'cat'),
  colour: oneOf<Colour>('grey', 'rgb'),
  side: oneOf<number>(...SIDES),
  norm: oneOf<number>(3, 4),
  patches: oneOf<number>(...PATCHES),
  k: whole(1, MOST_CODES),
  view: oneOf<View>('picture', 'error'),
  noise: oneOf<NoiseFrom>('added', 'there'),
  sigma: whole(0, MOST_NOISE),
};

/** Numbers of codes to choose from, up to n: every small number, then in larger steps. */
export function codeCounts(n: number): number[] {
  const counts: number[] = [];
  for (let k = 1; k < n; k += k < 16 ? 1 : 2 ** Math.floor(Math.log2(k / 8))) counts.push(k);
  return [...counts, n];
}
