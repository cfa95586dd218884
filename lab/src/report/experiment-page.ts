/** Writes charts and a Markdown page for the trials of an experiment. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { encodePng, InputError } from 'orthodict';
import { type ChartSpec, checkChart } from 'orthodict/node';
import { drawChart } from '../charts/draw-chart.ts';
import {
  type Chart,
  describePoint,
  type Experiment,
  type Grid,
  type Point,
  type Trial,
} from '../experiments/framework/experiment.ts';
import { cellAt, cellsOf, type Summary, summarise } from '../experiments/framework/summary.ts';
import { writeWhole } from '../files.ts';
import { numberTable } from './number-table.ts';
import { formatFigure } from './numbers.ts';
import { markdownTable } from './table.ts';

export type Verdict = 'holds' | 'fails' | 'not measured';

export interface Report {
  readonly name: string;
  readonly group: string;
  readonly title: string;
  readonly source: string;
  /** File names within the folder. */
  readonly page: string;
  readonly csv: string;
  readonly charts: readonly string[];
  readonly galleries: readonly string[];
  /** Why some charts are missing. */
  readonly skipped: readonly string[];
  readonly points: number;
  /** At every point; the largest number if there are fewer at some. */
  readonly trials: number;
  /** `20 trials at each of 9 points`, or how far an unfinished run is. */
  readonly extent: string;
  readonly seconds: number;
  readonly claims: ReadonlyArray<{ readonly words: string; readonly verdict: Verdict; readonly measured: string }>;
  /** How the paper's method and ours compare. */
  readonly gain: string | null;
  /** What a reader should know of how the trials went. */
  readonly remark: string | null;
}

export interface ReportSetup {
  readonly folder: string;
  readonly grid: Grid;
  /** The command that makes the page. */
  readonly command: string;
}

const FORMATS = ['svg', 'png'] as const;
const MARKS: Readonly<Record<Verdict, string>> = {
  holds: '✓ holds',
  fails: '✗ fails',
  'not measured': '– not measured',
};

export async function writeReport(
  experiment: Experiment,
  trials: readonly Trial[],
  setup: ReportSetup,
): Promise<Report> {
  const summary = summarise(experiment, trials);
  const drawn = await drawCharts(experiment, summary, setup.folder);
  const report: Report = {
    name: experiment.name,
    group: experiment.group,
    title: experiment.title,
    source: experiment.source,
    page: `${experiment.name}.md`,
    csv: `${experiment.name}.csv`,
    charts: drawn.files,
    galleries: await drawGalleries(experiment, trials, setup.folder),
    skipped: drawn.skipped,
    points: summary.points.length,
    ...extentOf(setup.grid, trials),
    seconds: trials.reduce((sum, { seconds }) => sum + seconds, 0),
    claims: experiment.claims.map(({ words, check }) => {
      const { holds, measured } = check(summary);
      return { words, verdict: holds === undefined ? 'not measured' : holds ? 'holds' : 'fails', measured };
    }),
    gain: experiment.gain?.(summary) ?? gainOf(experiment, summary),
    remark: experiment.remark?.(summary) ?? null,
  };
  await writeText(join(setup.folder, report.page), pageOf(experiment, summary, report, setup));
  return report;
}

function extentOf({ points, trials: planned }: Grid, trials: readonly Trial[]) {
  const counts = points.map((point) => trials.filter((trial) => isSame(trial.point, point)).length);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const at = counts.length === 1 ? 'at one point' : `at each of ${counts.length} points`;
  const count = fewest === most ? `${most} ${most === 1 ? 'trial' : 'trials'}` : `${fewest} to ${most} trials`;
  const extent = `${count} ${at}${fewest < planned ? `, of ${planned} planned` : ''}`;
  return { trials: most, extent };
}

const isSame = (a: Point, b: Point): boolean => Object.entries(b).every(([name, value]) => a[name] === value);

async function drawCharts(experiment: Experiment, summary: Summary, folder: string) {
  const files: string[] = [];
  const skipped = new Set<string>();
  for (const { suffix = '', spec } of experiment.charts(summary)) {
    for (const format of FORMATS) {
      const file = `${experiment.name}${suffix}.${format}`;
      const reason = await draw(spec, join(folder, file));
      if (reason === undefined) files.push(file);
      else skipped.add(`no ${format.toUpperCase()}: ${reason}`);
    }
  }
  return { files, skipped: [...skipped] };
}

/** Galleries newer than the last trial are up to date and not redrawn. */
async function drawGalleries({ name, galleries = [] }: Experiment, trials: readonly Trial[], folder: string) {
  const { mtimeMs: measured } = await stat(join(folder, `${name}.csv`));
  const files: string[] = [];
  for (const { suffix, draw } of galleries) {
    const file = `${name}${suffix}.png`;
    const drawn = await stat(join(folder, file)).catch(() => undefined);
    if (!(drawn && drawn.mtimeMs > measured)) {
      await writeWhole(join(folder, file), encodePng(await draw(trials)));
    }
    files.push(file);
  }
  return files;
}

/** Returns a reason instead of drawing if the drawing packages are missing. */
async function draw(spec: ChartSpec, path: string): Promise<string | undefined> {
  try {
    await checkChart(path);
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  await drawChart(spec, path);
  return undefined;
}

/** Below this, errors are rounding and their ratios mean nothing. */
const ROUNDING = 1e-16;

function gainOf({ compared }: Experiment, summary: Summary): string | null {
  if (!compared) return null;
  const ratios = cellsOf(summary, compared.ours).flatMap(({ point, median }) => {
    const paper = cellAt(summary, compared.paper, point);
    return paper ? [{ point, factor: Math.max(paper.median, ROUNDING) / Math.max(median, ROUNDING) }] : [];
  });
  if (ratios.length === 0) return null;
  const sorted = ratios.sort((a, b) => a.factor - b.factor);
  const words = ({ point, factor }: (typeof ratios)[number]) =>
    `${formatFigure(factor)}${summary.varying.length > 0 ? ` (${describePoint(point, summary.varying)})` : ''}`;
  const range =
    sorted.length > 1
      ? `factors from ${words(sorted[0])} to ${words(sorted.at(-1)!)}`
      : `a factor of ${words(sorted[0])}`;
  const better = ratios.filter(({ factor }) => factor > 1).length;
  const { ours, paper } = compared.who ?? { ours: 'orthodict', paper: "the paper's method" };
  return `The error of ${ours} is below that of ${paper} at ${better} of ${ratios.length} points, by ${range}.`;
}

function pageOf(experiment: Experiment, summary: Summary, report: Report, { grid, command }: ReportSetup): string {
  return [
    `# ${experiment.title}`,
    `${experiment.source}.`,
    pictures(experiment.charts(summary), report),
    ...(experiment.galleries ?? []).map(({ suffix, caption }) => `![${caption}](${experiment.name}${suffix}.png)`),
    ...experiment.setting,
    `${grid.words} ${report.extent}.`,
    '## Claims',
    claimTable(report),
    ...remarksOf(report),
    ...(experiment.overview ? ['## Overview', experiment.overview(summary)] : []),
    '## Numbers',
    `Medians, with the middle 80 % of the trials in brackets. ${experiment.referenceWords}`,
    numberTable(experiment, summary),
    '## Made by',
    `\`\`\`text\n${command}\n\`\`\``,
    `The command writes every trial to \`${report.csv}\`.\n`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function pictures(charts: readonly Chart[], { name, skipped, charts: files }: Report): string {
  return charts
    .map(({ suffix = '', caption }) => {
      const file = FORMATS.map((format) => `${name}${suffix}.${format}`).find((candidate) => files.includes(candidate));
      return file ? `![${caption}](${file})` : `(${caption}: ${skipped.join('; ')})`;
    })
    .join('\n\n');
}

export const remarksOf = ({ gain, remark }: Report): string[] => [gain, remark].filter((words) => words !== null);

export function claimTable({ claims }: Report): string {
  return markdownTable(
    ['verdict', 'claim', 'measured'],
    claims.map(({ words, verdict, measured }) => [MARKS[verdict], words, measured]),
  );
}

export const writeText = (path: string, text: string) => writeWhole(path, text);
