/** The numbers of an experiment as a Markdown table, beside the paper's. */

import {
  type Experiment,
  formatValue,
  type Measure,
  type Point,
  symbolOf,
} from '../experiments/framework/experiment.ts';
import { cellAt, type Summary } from '../experiments/framework/summary.ts';
import { formatFigure, formatSpread } from './numbers.ts';
import { markdownTable } from './table.ts';

type Design = Pick<Experiment, 'measures' | 'references' | 'parameters'>;

/** A row per point, or per point and method if measures name theirs: these would be too many columns. */
export function numberTable(experiment: Design, summary: Summary): string {
  const { measures, parameters } = experiment;
  const shown = summary.varying.length > 0 ? summary.varying : parameters;
  const methods = [...new Set(measures.map(({ method }) => method))];
  const columns = [...new Set(measures.map(columnOf))];
  const referred = new Set(measures.filter((measure) => isReferred(experiment, measure)).map(columnOf));
  const rows = summary.points.flatMap((point) =>
    methods.map((method) => {
      const cells = columns.flatMap((column) => {
        const measure = measures.find((each) => each.method === method && columnOf(each) === column);
        const here = measure ? hereAt(summary, measure, point) : '';
        if (!referred.has(column)) return [here];
        return [measure ? referenceAt(experiment, measure, point) : '', here];
      });
      return { lead: [...shown.map((name) => formatValue(point[name])), ...(method ? [method] : [])], cells };
    }),
  );
  const header = columns.flatMap((column) =>
    referred.has(column) ? [`${column}: reference`, `${column}: here`] : [column],
  );
  const lead = [...shown.map(symbolOf), ...(methods[0] === undefined ? [] : ['method'])];
  const filled = rows.filter(({ cells }) => methods.length === 1 || cells.some((cell) => cell !== ''));
  return markdownTable(
    [...lead, ...header],
    filled.map((row) => [...row.lead, ...row.cells]),
  );
}

const columnOf = ({ label, column = label }: Measure): string => column;

const isReferred = ({ references }: Design, { name }: Measure): boolean =>
  references.some(({ measure }) => measure === name);

function hereAt(summary: Summary, { name }: Measure, point: Point): string {
  const cell = cellAt(summary, name, point);
  return cell ? formatSpread(cell) : '';
}

function referenceAt({ references }: Design, { name }: Measure, point: Point): string {
  const same = (other: Point) => Object.entries(other).every(([parameter, value]) => point[parameter] === value);
  const reference = references.find(({ measure, point: other }) => measure === name && same(other));
  return reference ? formatFigure(reference.value) : '';
}
