/** The points of a line chart: medians, those below the end of the axis, and the paper's values. */
import type { Reference } from '../experiments/framework/experiment.ts';
import type { Cell } from '../experiments/framework/summary.ts';

/** What a point is, and how it is drawn. */
const SHAPES = {
  here: { shape: 'circle', size: 24, filled: 1 },
  'below the axis': { shape: 'triangle-down', size: 60, filled: 1 },
  "the paper's": { shape: 'diamond', size: 110, filled: 0 },
} as const;
type Kind = keyof typeof SHAPES;

/** What the points of a line are made of. */
export interface Series {
  /** Colour: what is compared. */
  readonly colour: string;
  readonly cells: readonly Cell[];
  /** The paper's values along the same parameter. */
  readonly references?: readonly Reference[];
}

export interface LinePoint {
  readonly x: number;
  readonly at: number;
  readonly colour: string;
  readonly kind: Kind;
  readonly size: number;
  readonly filled: number;
}

/** One point per median and reference; `floor`: the lower end of the axis. */
export function pointsOf({ colour, cells, references = [] }: Series, along: string, floor: number): LinePoint[] {
  const point = (x: number, value: number, kind: Kind): LinePoint => {
    const { size, filled } = SHAPES[kind];
    return { x, at: Math.max(value, floor), colour, kind, size, filled };
  };
  return [
    ...cells.map((cell) => point(cell.point[along], cell.median, cell.median < floor ? 'below the axis' : 'here')),
    ...references.map((reference) => point(reference.point[along], reference.value, "the paper's")),
  ];
}

/** How the points of all panels are drawn, with a legend where there are several kinds. */
export function pointLook(points: readonly LinePoint[], colour: { readonly scale: object }, legend: object) {
  const kinds = (Object.keys(SHAPES) as Kind[]).filter((kind) => points.some((point) => point.kind === kind));
  const asIs = (field: keyof LinePoint) => ({ field, type: 'quantitative', scale: null, legend: null });
  return {
    shape: {
      field: 'kind',
      type: 'nominal',
      title: null,
      legend: kinds.length > 1 ? { ...legend, columns: kinds.length } : null,
      scale: { domain: kinds, range: kinds.map((kind) => SHAPES[kind].shape) },
    },
    fill: { field: 'colour', type: 'nominal', legend: null, scale: colour.scale },
    size: asIs('size'),
    fillOpacity: asIs('filled'),
    strokeDash: { value: [1, 0] },
  };
}
