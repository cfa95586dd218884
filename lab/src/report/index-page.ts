/** Writes a page about several experiments: how many claims hold, which fail, then every experiment. */
import { join } from 'node:path';
import { claimTable, type Report, remarksOf, type Verdict, writeText } from './experiment-page.ts';
import { markdownTable } from './table.ts';

export interface IndexSetup {
  readonly folder: string;
  /** Name of the page, without its ending. */
  readonly name: string;
  /** The command that makes the page. */
  readonly command: string;
}

/** Returns the name of the file. */
export async function writeIndex(reports: readonly Report[], { folder, name, command }: IndexSetup): Promise<string> {
  const page = [
    '# Results compared with the papers',
    `${countWords(reports)} Made by \`${command}\`.`,
    ...groupTable(reports),
    ...failures(reports),
    ...reports.flatMap((report) => [
      `## [${report.title}](${report.page})`,
      `${report.source}. ${report.extent}.`,
      ...[...report.charts.filter((file) => file.endsWith('.svg')), ...report.galleries].map(
        (file) => `![${report.title}](${file})`,
      ),
      claimTable(report),
      ...remarksOf(report),
    ]),
  ];
  const file = `${name}.md`;
  await writeText(join(folder, file), `${page.join('\n\n')}\n`);
  return file;
}

const countOf = (reports: readonly Report[], verdict: Verdict): number =>
  reports.flatMap(({ claims }) => claims).filter((claim) => claim.verdict === verdict).length;

function countWords(reports: readonly Report[]): string {
  const [holds, fails, open] = VERDICTS.map((verdict) => countOf(reports, verdict));
  const all = holds + fails + open;
  return `${reports.length} experiments, ${all} claims: ${holds} hold, ${fails} fail, ${open} not measured on these grids.`;
}

const VERDICTS = ['holds', 'fails', 'not measured'] as const;

function groupTable(reports: readonly Report[]): string[] {
  const groups = [...new Set(reports.map(({ group }) => group))];
  if (groups.length < 2) return [];
  const rows = groups.map((group) => {
    const own = reports.filter((report) => report.group === group);
    return [group, own.length, ...VERDICTS.map((verdict) => countOf(own, verdict))].map(String);
  });
  return [markdownTable(['group', 'experiments', 'hold', 'fail', 'not measured'], rows)];
}

/** A claim that fails is a result: it comes first. */
function failures(reports: readonly Report[]): string[] {
  const rows = reports.flatMap(({ title, page, claims }) =>
    claims
      .filter(({ verdict }) => verdict === 'fails')
      .map(({ words, measured }) => [words, measured, `[${title}](${page})`]),
  );
  return rows.length > 0 ? ['## What fails', markdownTable(['claim', 'measured', 'experiment'], rows)] : [];
}
