/** What axe-core finds in a page that people with disabilities could not use. */
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Findings, one line each; none if all is well. */
export async function findings(page: Page): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window);
  if (!isThere) await page.evaluate(axe.source);
  const { violations } = await page.evaluate((): Promise<AxeResults> => (window as unknown as Axe).axe.run());
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
  );
}

interface Axe {
  readonly axe: { run(): Promise<AxeResults> };
}
