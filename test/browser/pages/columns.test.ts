/** The columns that the page takes from a table are those that its link and its command line name. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chosenColumns } from '#src/io/tables/options.ts';
import { columnsOf } from '#src/io/tables/preview-columns.ts';
import { chosenPicks, columnsFlag, columnsIn, columnsText } from '../../../playground/src/tabs/data/columns.ts';

/** Names that are hard to tell from numbers, lists and each other. */
const name = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'two words', 'x,y', ' led', "o'clock", '1', '2', '3', '12', '2-3'),
  fc.string({ maxLength: 3 }).filter((text) => !/^\d+-\d+$/.test(text)),
);
const table = fc
  .array(fc.tuple(name, fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 20 })
  .map((columns) => ({
    names: columns.map(([each]) => each),
    columns: columnsOf(
      columns.map(([each]) => each),
      (k) => columns[k][1],
    ),
    chosen: new Set(columns.flatMap(([, numbers, isChosen], k) => (numbers && isChosen ? [k] : []))),
  }))
  .filter(({ chosen }) => chosen.size > 0);

/** As a shell and the command line split it. */
function flagOf(text: string): { columns?: string[]; drop?: string[] } {
  if (text === '') return {};
  const [, flag, list] = /^ --(columns|drop) (.*)$/s.exec(text)!;
  const plain = list.startsWith("'") ? list.slice(1, -1).replaceAll(`'\\''`, "'") : list;
  return { [flag]: plain.split(',').map((each) => each.trim()) };
}

it('a link names the columns that are used', () => {
  fc.assert(
    fc.property(table, ({ columns, chosen }) => {
      expect(columnsIn(columnsText(chosen, columns), columns)).toEqual(chosen);
    }),
  );
});

it('the library and the command line take the same columns', () => {
  fc.assert(
    fc.property(table, ({ names, columns, chosen }) => {
      const wanted = [...chosen].sort((a, b) => a - b);
      const take = (options: object) => chosenColumns('table', names.length, names, options);
      expect(take({ columns: chosenPicks(chosen, columns) })).toEqual(wanted);
      expect(take(flagOf(columnsFlag(chosen, columns)))).toEqual(wanted);
    }),
  );
});
