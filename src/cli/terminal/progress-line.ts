/** A progress line on stderr, rewritten during a run; silent if stderr is not a terminal. */
import { printable } from '../../core/printable.ts';
import type { Progress } from '../../engine/stop.ts';
import { formatNumber } from './output.ts';

const BAR_WIDTH = 20;
const LEAST_MILLISECONDS = 80;

export interface ProgressLine {
  update(progress: Progress): void;
  /** Shows words, for stages without numbers. */
  say(words: string): void;
  clear(): void;
}

/** Who computes and how far they are, shown before the rest; a process has one line. */
let place = '';
let redraw = () => {};

/** Shows on the progress line what other machines do. */
export function showPlace(words: string): void {
  place = words;
  redraw();
}

export function progressLine(tolerance: number, stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  if (!stream.isTTY) return { update() {}, say() {}, clear() {} };
  let last = Number.NEGATIVE_INFINITY;
  let shown = '';
  const write = (text: string) => {
    shown = text;
    redraw = () => write(shown);
    const whole = place === '' ? text : `${place}  ${text}`;
    stream.write(`\r\x1b[2K${printable(whole).slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
  };
  return {
    update(progress) {
      const now = performance.now();
      if (now - last < LEAST_MILLISECONDS) return;
      last = now;
      const { solver, iteration, objective, change, samplesPerSecond } = progress;
      if (iteration === 0) {
        write(`${solver} …`);
        return;
      }
      const bar = barOf(Math.max(nearness(change, solver === 'refine' ? 1e-13 : tolerance), tellingOf(progress.left)));
      const rate = `${formatNumber(Math.round(samplesPerSecond))} samples/s`;
      write(
        `${bar} ${solver} ${iteration}  objective ${formatNumber(objective)}  change ${change.toExponential(1)}  ${rate}`,
      );
    },
    say: write,
    clear() {
      redraw = () => {};
      stream.write('\r\x1b[2K');
    },
  };
}

/** How close the change has come to the tolerance, on a logarithmic scale. */
const nearness = (change: number, tolerance: number): number =>
  Number.isFinite(change) && tolerance > 0 ? Math.log10(change) / Math.log10(tolerance) : 0;

/** How close the gradient has come to what the samples can tell: 0 at three standard errors, 1 at a third of one. */
const tellingOf = (left = Number.POSITIVE_INFINITY): number => (1 - Math.log10(left)) / 2;

function barOf(share: number): string {
  const filled = Math.round(Math.min(Math.max(share, 0), 1) * BAR_WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
}
