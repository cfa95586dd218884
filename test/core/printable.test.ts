/** Text from outside becomes one line that no terminal obeys, whatever it holds. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { printable, printableJson, quoted } from '#src/core/printable.ts';

/** What a terminal or a reader would act on: controls, bidirectional marks, separators of lines, lone surrogates. */
const ACTS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Any sequence of UTF-16 units, low ones more often. */
const texts = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xff }), fc.integer({ min: 0, max: 0xffff })))
  .map((units) => String.fromCharCode(...units));

describe('printable', () => {
  it.each([
    ['plain text, with “quotes”, é, 漢字 and 🙂', 'plain text, with “quotes”, é, 漢字 and 🙂'],
    ['C:\\data\\x.npy', 'C:\\data\\x.npy'],
    ['a\x1b[31mred\x1b[0m', 'a\\u001b[31mred\\u001b[0m'],
    ['two\nlines\r\tand a tab', 'two\\nlines\\r\\tand a tab'],
    ['\x7f \x9b1m \u2028 \u2029', '\\u007f \\u009b1m \\u2028 \\u2029'],
    ['\u202egpj.exe \u2066x\u2069 \u200f', '\\u202egpj.exe \\u2066x\\u2069 \\u200f'],
    ['half \ud83d of a pair', 'half \\ud83d of a pair'],
  ])('%j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('leaves out the middle of long text', () => {
    const shown = printable(`begin ${'x'.repeat(1e6)} end`, 60);
    expect(shown).toMatch(/^begin x+…x+ end$/);
    expect(shown.length).toBe(60);
  });

  it('leaves nothing that acts, in any text, and JSON keeps its value', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const shown = [printable(text), quoted(text), printableJson({ text })];
        expect(shown.filter((line) => ACTS.test(line))).toEqual([]);
        expect(JSON.parse(shown[2]).text).toBe(text);
      }),
    );
  });

  it('shows blanks that look like the usual one', () => {
    expect(quoted('\u00a0')).toBe('"\\u00a0"');
    expect(quoted('1\u3000"2"')).toBe('"1\\u3000\\"2\\""');
  });
});

describe('an InputError', () => {
  it('is one printable line', () => {
    expect(new InputError('a\x1b]0;title\x07.npy: is\nempty.').message).toBe(
      'a\\u001b]0;title\\u0007.npy: is\\nempty.',
    );
  });
});
