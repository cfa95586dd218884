/** The phase-transition map as the page shows it: the trials of each cell so far. */
import type { MapRequest, Trial } from '../../session/jobs/recover/map.ts';
import { COLUMNS, RECOVERED, ROWS, STRIDES, samplesOf, thetaOf } from '../../session/jobs/recover/map-cells.ts';
import { Work } from '../../session/session.svelte.ts';

/** How often a contender recovers the dictionary for one kind of data. */
export interface Cell {
  readonly theta: number;
  readonly p: number;
  readonly trials: number;
  /** Number of trials with an error of at most `RECOVERED`. */
  readonly recovered: number;
  /** Mean error of the trials. */
  readonly error: number;
}

export class PhaseMap {
  readonly work = new Work('recoverMap');
  request: MapRequest | undefined = $state.raw();
  /** Cells row by row, with the fewest samples first. */
  cells: readonly Cell[] = $state.raw([]);
  readonly done = $derived(this.cells.filter(({ trials }) => trials > 0));
  /** Cells where most trials recover it. */
  readonly won = $derived(this.done.filter((cell) => shareOf(cell) > 0.5));

  async start(request: MapRequest): Promise<void> {
    this.request = request;
    this.cells = Array.from({ length: ROWS * COLUMNS }, (_, at) => ({
      theta: thetaOf(at % COLUMNS),
      p: samplesOf(request.n, Math.floor(at / COLUMNS)),
      trials: 0,
      recovered: 0,
      error: 0,
    }));
    await this.work.start(request, ({ trials }) => this.#add(trials));
  }

  #add(trials: readonly Trial[]): void {
    const cells = [...this.cells];
    for (const { column, row, error } of trials) {
      const at = row * COLUMNS + column;
      cells[at] = withTrial(cells[at], error);
    }
    this.cells = cells;
  }

  cellAt(column: number, row: number): Cell {
    return this.cells[row * COLUMNS + column];
  }

  /** The share of trials that recover the dictionary, in this cell or in the nearest one above and to the left. */
  estimateAt(column: number, row: number): number | undefined {
    const near = STRIDES.toReversed().map((stride) => this.cellAt(column - (column % stride), row - (row % stride)));
    const known = near.find(({ trials }) => trials > 0);
    return known && shareOf(known);
  }

  /** The map as CSV, one line per cell. */
  csv(): string {
    const lines = this.done.map(({ theta, p, trials, recovered, error }) =>
      [this.request!.n, p, theta, trials, recovered, error].join(','),
    );
    return ['features,samples,theta,trials,recovered,meanError', ...lines, ''].join('\n');
  }
}

export const shareOf = ({ trials, recovered }: Cell): number => recovered / trials;

function withTrial(cell: Cell, error: number): Cell {
  const trials = cell.trials + 1;
  return {
    ...cell,
    trials,
    recovered: cell.recovered + (error <= RECOVERED ? 1 : 0),
    error: cell.error + (error - cell.error) / trials,
  };
}
