/**
 * Text from outside (file names, array names, options, what a model says about itself) in one printable line.
 *
 * A terminal obeys control characters, bidirectional marks reorder what is read, line separators break the promise of
 * one line, and a lone surrogate is no text at all. All of these become visible escapes: `\n`, `\u001b`. Overlong text
 * loses its middle.
 */

/** Control characters (C0, DEL, C1), lone surrogates, line and paragraph separators, bidirectional marks, byte order mark. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
/** Longest line: enough for the longest message with the longest path in it. */
const LONGEST = 2000;

/** Makes a text one line without control characters; at most `longest` characters, with `…` for what is left out. */
export function printable(text: string, longest = LONGEST): string {
  return shortened(text, longest).replace(UNPRINTABLE, (character) => SHORT[character] ?? escaped(character));
}

/** Text in double quotes, for messages; unusual blanks become visible, too. */
export function quoted(text: string, longest = 60): string {
  const inside = printable(shortened(text, longest).replaceAll('"', '\\"'));
  return `"${inside.replace(/[^\S ]/gu, escaped)}"`;
}

/** The value as JSON with only printable characters. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(UNPRINTABLE, escaped);
}

/** An escape such as `\u001b`; none of these characters needs more than four digits. */
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = Math.floor((longest - 1) / 3);
  return `${text.slice(0, longest - 1 - end)}…${text.slice(text.length - end)}`;
}
