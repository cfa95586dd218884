/** Shared by the MNIST figures: sizes, and bases that are learned once for all of them. */
import { atomGallery, type Matrix64, type Picture } from 'orthodict';
import { rowRange } from 'orthodict/extend';
import { formatFigure } from '../../report/numbers.ts';
import type { Gallery, Measure, Point } from '../framework/experiment.ts';
import { cellAt, type Summary } from '../framework/summary.ts';
import type { Basis } from './basis-quality.ts';
import { type Bases, type LearnBases, sharedBases } from './picture-bases.ts';
import { mnist, pixelsOf } from './picture-sets.ts';

/** `components`: number of principal directions to learn in (all pixels: no reduction). `limit`: iterations of MSP. */
export const SIZES = ['images', 'components', 'limit'];
export const FULL: Point = { images: 50_000, components: pixelsOf(mnist), limit: 40 };
export const QUICK: Point = { images: 5000, components: 150, limit: 40 };

export const FULL_WORDS = `${FULL.images} images, as in the paper, and at most ${FULL.limit} iterations of MSP.`;
export const QUICK_WORDS = `${QUICK.images} images instead of 50000, their ${QUICK.components} principal directions instead of all, and at most ${QUICK.limit} iterations of MSP.`;

export const dataWords = (images: string, side = mnist.side): string =>
  `Samples are ${images}, ${side} × ${side} raw pixels as vectors, without centring or whitening. MSP starts from a random orthogonal matrix; it runs without whitening, shift and refinement, as in the paper.`;
export const DIGIT_WORDS = dataWords('the first images of the MNIST training set');

/** How the runs of MSP ended: at their limit, or converged. */
export const END_MEASURES: readonly Measure[] = [
  { name: 'iterations', label: 'iterations of MSP' },
  { name: 'lastRise', label: 'rise of Σx⁴ in the last one' },
];

export const endOf = ({ iterations, lastRise }: Bases) => ({ iterations, lastRise });

/** Whether the runs went to their end, in words. */
export function endWords(summary: Summary): string {
  const [point] = summary.points;
  const [iterations, rise] = END_MEASURES.map(({ name }) => cellAt(summary, name, point)!.median);
  const last = `the last iteration raised Σx⁴ by a share of ${formatFigure(rise)}`;
  return iterations < point.limit
    ? `MSP converged after ${iterations} iterations.`
    : `MSP was stopped at its limit of ${point.limit} iterations, before it had converged: ${last}. The paper does not say how many it made.`;
}

export const digitBases: LearnBases = sharedBases(mnist);

const SHOWN = 64;
const SCALE = 2;

/** Two pictures of a basis: the elements with the most energy, and some from the middle. */
export function basisGalleries(title: string, basisOf: (bases: Bases) => Basis): Gallery[] {
  const gallery = (suffix: string, words: string, pick: (atoms: Matrix64) => Matrix64): Gallery => ({
    suffix,
    caption: `${title}: ${words}`,
    draw: async ([{ point, seed }]) => tiles(pick(basisOf(await digitBases(point, seed)).atoms)),
  });
  return [
    gallery('-top', `the ${SHOWN} elements with the most energy`, (atoms) => part(atoms, 0)),
    gallery('-rest', `${SHOWN} from the middle of the order`, (atoms) => part(atoms, Math.floor(atoms.rows / 2))),
  ];
}

const part = (atoms: Matrix64, from: number) => rowRange(atoms, from, Math.min(from + SHOWN, atoms.rows));

const tiles = (atoms: Matrix64): Picture => atomGallery(atoms, { scale: SCALE, columns: 16 });
