import { expect, it } from 'vitest';
import { summarise } from '#lab/experiments/framework/summary.ts';
import { numberTable } from '#lab/report/number-table.ts';

const trial = (n: number, measured: Record<string, number>) => ({
  trial: 0,
  seed: 1,
  point: { n },
  measured,
  seconds: 1,
});
const references = [{ point: { n: 1 }, measure: 'a', value: 0.5 }];

it('has a row per point, with the reference beside what was measured', () => {
  const measures = [
    { name: 'a', label: 'A' },
    { name: 'b', label: 'B' },
  ];
  const design = { parameters: ['n'], measures, references };
  const summary = summarise(design, [trial(1, { a: 0.4, b: 2 }), trial(2, { b: 3 })]);
  expect(numberTable(design, summary).split('\n')).toEqual([
    '| n | A: reference | A: here | B |',
    '| --- | --- | --- | --- |',
    '| 1 | 0.5 | 0.4 | 2 |',
    '| 2 |  |  | 3 |',
  ]);
});

it('has a row per point and method if measures name theirs, without those that took no part', () => {
  const measures = [
    { name: 'a', label: 'error, A', method: 'A', column: 'error' },
    { name: 'b', label: 'error, B', method: 'B', column: 'error' },
    { name: 'aTime', label: 'seconds, A', method: 'A', column: 'seconds' },
    { name: 'bTime', label: 'seconds, B', method: 'B', column: 'seconds' },
  ];
  const design = { parameters: ['n'], measures, references };
  const summary = summarise(design, [trial(1, { a: 0.4, b: 2, aTime: 7, bTime: 8 }), trial(2, { b: 3, bTime: 9 })]);
  expect(numberTable(design, summary).split('\n')).toEqual([
    '| n | method | error: reference | error: here | seconds |',
    '| --- | --- | --- | --- | --- |',
    '| 1 | A | 0.5 | 0.4 | 7 |',
    '| 1 | B |  | 2 | 8 |',
    '| 2 | B |  | 3 | 9 |',
  ]);
});

it('leaves a cell empty if a method has no such measure', () => {
  const measures = [
    { name: 'a', label: 'error, A', method: 'A', column: 'error' },
    { name: 'aTime', label: 'seconds, A', method: 'A', column: 'seconds' },
    { name: 'bound', label: 'bound', method: 'bound', column: 'error' },
  ];
  const design = { parameters: ['n'], measures, references };
  const summary = summarise(design, [trial(1, { a: 0.4, aTime: 7, bound: 0.3 })]);
  expect(numberTable(design, summary).split('\n').slice(2)).toEqual([
    '| 1 | A | 0.5 | 0.4 | 7 |',
    '| 1 | bound |  | 0.3 |  |',
  ]);
});
