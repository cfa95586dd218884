/** A progress line on stderr, rewritten during a run; silent if stderr is not a terminal. */
import { printable } from '../../core/printable.ts';
import { Forecast, type Goals } from '../../engine/forecast.ts';
import type { Progress } from '../../engine/stop.ts';
import { formatNumber } from './output.ts';

const BAR_WIDTH = 20;
const LEAST_MILLISECONDS = 80;

export interface ProgressLine {
  /** Shows a step of a loop: bar, time left, figures. */
  update(progress: Progress): void;
  /** Shows work that can be counted: bar, time left, words and numbers. */
  count(words: string, done: number, total: number): void;
  /** Shows words for work that cannot be counted; a share from 0 to 1 adds a bar. */
  say(words: string, share?: number): void;
  clear(): void;
}

/** What other machines do, shown before the rest. A process has only one progress line. */
let place = '';
let redraw = () => {};

/** Shows on the progress line what other machines do. */
export function showPlace(words: string): void {
  place = words;
  redraw();
}

const SILENT: ProgressLine = { update() {}, count() {}, say() {}, clear() {} };

/** Creates a progress line. `goals`: what ends the loops of the command. The bar never goes back. */
export function progressLine(
  goals: Goals = {},
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'> = process.stderr,
  clock: () => number = () => performance.now() / 1000,
): ProgressLine {
  if (!stream.isTTY) return SILENT;
  const forecast = new Forecast(goals, clock);
  let last = Number.NEGATIVE_INFINITY;
  let shown = '';
  const write = (text: string) => {
    shown = text;
    redraw = () => write(shown);
    const whole = place === '' ? text : `${place}  ${text}`;
    stream.write(`\r\x1b[2K${printable(whole).slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
  };
  /** Redraws rarely enough for the line to be readable; always draws the end of a count. */
  const show = (words: () => string, isLast = false) => {
    if (clock() - last < LEAST_MILLISECONDS / 1000 && !isLast) return;
    last = clock();
    write(words());
  };
  const withBar = (...parts: readonly string[]) =>
    [barOf(forecast.share), ...parts.filter((part) => part !== '')].join('  ');
  return {
    update(progress) {
      if (progress.iteration > 0) forecast.step(progress);
      show(() => (progress.iteration > 0 ? withBar(...figuresOf(progress, forecast.words)) : `${progress.solver} …`));
    },
    count(words, done, total) {
      forecast.count(words, done, total);
      const numbers = `${formatNumber(done)} of ${formatNumber(total)}`;
      show(() => withBar(`${words} ${numbers}`, forecast.words), done === total);
    },
    say(words, share) {
      if (share !== undefined) forecast.share = Math.max(forecast.share, share);
      write(share === undefined ? words : withBar(words));
    },
    clear() {
      redraw = () => {};
      stream.write('\r\x1b[2K');
    },
  };
}

/** Shows the progress of `encode` and `decode`: first the stage, then how many rows are done. */
export const countingRows =
  (line: ProgressLine, words: string) =>
  ({ solver, iteration, ends }: Progress): void =>
    iteration > 0 ? line.count(words, iteration, ends!.iterations!) : line.say(`${solver} …`);

/** The time left comes first: a narrow terminal cuts off the end. */
function figuresOf({ solver, iteration, objective, change, samplesPerSecond }: Progress, left: string): string[] {
  const rate = `${formatNumber(Math.round(samplesPerSecond))} samples/s`;
  return [
    `${solver} ${iteration}`,
    left,
    `objective ${formatNumber(objective)}`,
    `change ${change.toExponential(1)}`,
    rate,
  ];
}

function barOf(share: number): string {
  const filled = Math.round(Math.min(Math.max(share, 0), 1) * BAR_WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
}
