/** The part of `learn --help` that lists every method with its own options. */
import type { AnyMethod } from '../../learn/methods/method.ts';
import { pinnedOf, tableOf } from '../../learn/options.ts';
import { flagText, kebab, shownDefault } from '../terminal/option-flags.ts';

const WIDTH = 80;
const INDENT = 22;

export function methodHelp(methods: readonly AnyMethod[]): string {
  const list = (some: readonly AnyMethod[]) =>
    some.map((method) => [`  ${method.name}: ${method.summary}`, ...linesOf(method)].join('\n')).join('\n');
  const main = methods.filter(({ forComparison }) => !forComparison);
  const baselines = methods.filter(({ forComparison }) => forComparison);
  return `Methods, each with its own options:\n${list(main)}\n\nMethods for comparison:\n${list(baselines)}\n`;
}

function linesOf(method: AnyMethod): string[] {
  const { options, defaults = {} } = method;
  const own = Object.entries(options).map(([name, spec]) => {
    const preset = shownDefault(spec);
    return entry(flagText(name, spec), preset === undefined ? spec.help : `${spec.help} (default: ${preset})`);
  });
  const different = Object.entries(defaults).map(([name, value]) => `--${kebab(name)} ${value}`);
  const only = Object.entries(pinnedOf(method))
    .filter(([name, [value]]) => value !== undefined && Object.hasOwn(tableOf(method), name))
    .map(([name, [value]]) => `--${kebab(name)} ${value}`);
  return [
    ...own,
    ...(different.length > 0 ? [entry('defaults', different.join(', '))] : []),
    ...(only.length > 0 ? [entry('always', only.join(', '))] : []),
  ];
}

/** A flag and its help in two columns, wrapped. */
function entry(flag: string, help: string): string {
  const lines: string[] = [];
  let line = `    ${flag}`.padEnd(INDENT - 1);
  for (const word of help.split(' ')) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = ' '.repeat(INDENT - 1);
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
}
