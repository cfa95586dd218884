/** The missing energy against the number of kept codes, as a Vega-Lite chart and as figures. */
import type { CodeQuality, Evaluation } from 'orthodict/browser';

/** The names of the curves, in the order of their colours. */
const NAMES = { model: 'learned', pca: 'PCA', dct: 'DCT' } as const;

type Basis = keyof typeof NAMES;

const basesOf = (evaluation: Evaluation): { readonly name: string; readonly quality: CodeQuality }[] =>
  (Object.keys(NAMES) as Basis[]).flatMap((basis) => {
    const quality = evaluation[basis];
    return quality ? [{ name: NAMES[basis], quality }] : [];
  });

/** Curves end where all of them are below this. */
const NOTHING = 0.005;
const FIGURES: readonly number[] = [1, 2, 3, 5, 10, 20, 50, 100];

/** Last k to draw: where nothing is missing any more, but at least a few. */
function endOf({ keep }: Evaluation, bases: readonly { readonly quality: CodeQuality }[]): number {
  const end = keep.findIndex((_, at) => bases.every(({ quality }) => quality.missing[at] < NOTHING));
  return end < 0 ? keep.length : Math.min(keep.length, Math.max(end + 1, 5));
}

export function energyRows(evaluation: Evaluation) {
  const places = FIGURES.map((k) => evaluation.keep.indexOf(k)).filter((place) => place >= 0);
  return {
    keep: places.map((place) => evaluation.keep[place]),
    bases: basesOf(evaluation).map(({ name, quality }) => ({
      name,
      missing: places.map((place) => quality.missing[place]),
    })),
  };
}

/** Largest number of points to mark; more would overlap. */
const MOST_POINTS = 20;

export function energyChart(evaluation: Evaluation, size: { readonly height: number } = { height: 310 }) {
  const bases = basesOf(evaluation);
  const end = endOf(evaluation, bases);
  const names = bases.map(({ name }) => name);
  const values = bases.flatMap(({ name, quality }) =>
    evaluation.keep.slice(0, end).map((k, at) => ({ k, missing: quality.missing[at], basis: name })),
  );
  const basis = { field: 'basis', type: 'nominal', sort: names, scale: { domain: names } };
  return {
    width: 'container',
    ...size,
    data: { values },
    mark: { type: 'line', strokeWidth: 2.5, ...(end <= MOST_POINTS && { point: { size: 36 } }) },
    encoding: {
      x: {
        field: 'k',
        type: 'quantitative',
        title: 'numbers kept per row',
        scale: { domain: [1, evaluation.keep[end - 1]], nice: false },
        axis: { grid: false, tickMinStep: 1, format: 'd', tickCount: 8 },
      },
      y: {
        field: 'missing',
        type: 'quantitative',
        title: 'energy missing',
        axis: { format: '.0%', tickCount: 5 },
      },
      color: {
        ...basis,
        legend: { title: null, orient: 'top', symbolType: 'stroke', symbolStrokeWidth: 3, symbolSize: 400 },
      },
      strokeDash: {
        ...basis,
        scale: {
          domain: names,
          range: [
            [1, 0],
            [7, 4],
            [2, 3],
          ].slice(0, names.length),
        },
      },
    },
  };
}
