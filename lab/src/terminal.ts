/** What the commands of the laboratory read from and write to a terminal. */
import { InputError } from 'orthodict';

export class Interrupted extends Error {}

/** Runs `work` with a signal that Ctrl-C, SIGTERM and a closed terminal abort; a second one ends the process. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new Interrupted('interrupted.'));
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

/** A commander parser for a number; the function that receives it checks its range. */
export function numberOption(command: string, flag: string): (text: string) => number {
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (Number.isNaN(value)) throw new InputError(`${command}: ${flag} must be a number; got "${text}".`);
    return value;
  };
}

/** `usualSeconds` → `--usual-seconds` */
export const flagOf = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** `12 s`, `3 min`, `1.5 h`, `4 days`: about how long something takes, in words. */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 48 * 3600 ? `${(seconds / 3600).toFixed(1)} h` : `${Math.round(seconds / 86_400)} days`;
}

export const printLine = (text = ''): void => void process.stdout.write(`${text}\n`);
export const printRemark = (text: string): void => void process.stderr.write(`${text}\n`);
export const printJson = (value: unknown): void => printLine(JSON.stringify(value));

/** The first column is aligned left, the others right. */
export function printTable(header: readonly string[], rows: ReadonlyArray<readonly string[]>): void {
  const lines = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const format = (line: readonly string[]) =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  ');
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  for (const line of [format(lines[0]), rule, ...lines.slice(1).map(format)]) printLine(line);
}

/** One line on stderr that says what is being done; silent if stderr is not a terminal. */
export function progressLine(stream: NodeJS.WriteStream = process.stderr) {
  const write = (text: string) => {
    if (stream.isTTY) stream.write(`\r\x1b[2K${text.slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
  };
  return {
    /** With a share from 0 to 1, after a bar. */
    say(words: string, share?: number) {
      const filled = Math.round(20 * (share ?? 0));
      write(share === undefined ? words : `${'█'.repeat(filled)}${'░'.repeat(20 - filled)}  ${words}`);
    },
    clear: () => write(''),
  };
}
