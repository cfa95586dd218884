/** Checks of data from a queue: both sides of every bound on parameters, and every form that an answer may have. */
import { describe, expect, it } from 'vitest';
import { identity } from '#src/core/matrix.ts';
import { requireBounded, requireForm } from '#src/distributed/form.ts';
import { MOST_NORM } from '#src/learn/powers.ts';

const INDEX = 2 ** 31 - 1;

describe('parameters', () => {
  it.each([
    ['norm', 1, MOST_NORM],
    ['keep', 0, INDEX],
    ['countRows', 0, INDEX],
    ['width', 1, 4096],
    ['height', 1, 4096],
  ])('%s is a whole number from %d to %d', (name, least, most) => {
    const check = (value: unknown) => () => requireBounded('p', { inside: { [name]: value } });
    for (const good of [least, most, undefined, [least, most], Int32Array.of(least), Float64Array.of(most)]) {
      expect(check(good)).not.toThrow();
    }
    const words = `cluster: inside.${name} in the parameters of p must be a whole number from ${least} to ${most}; got `;
    for (const bad of [least - 1, most + 1, least + 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      for (const given of [bad, [least, bad], Float64Array.of(least, bad)]) {
        expect(check(given)).toThrow(`${words}${bad}.`);
      }
    }
    for (const bad of ['4', null, {}]) expect(check(bad)).toThrow(`${words}${typeof bad}.`);
    expect(() => requireBounded('p', { [name]: most + 1 })).toThrow(`cluster: ${name} in the parameters of p`);
  });

  it('of other names are free, and matrices are as large as they say', () => {
    const matrix = (rows: unknown, cols: unknown, length: number) => ({ rows, cols, data: new Float64Array(length) });
    for (const good of [
      undefined,
      null,
      5,
      'x',
      new Float64Array(2),
      { norms: -1, constructor: 1.5 },
      { toString: 0.5 },
      { rows: 3, cols: 3 },
      { rows: 3, data: 1 },
      { cols: 3, data: 1 },
      { a: [identity(2), matrix(0, 5, 0)] },
    ]) {
      expect(() => requireBounded('p', good)).not.toThrow();
    }
    for (const bad of [
      matrix(2, 2, 3),
      matrix(2, 2, 5),
      matrix(-1, -4, 4),
      matrix(-1, 4, 4),
      matrix(4, -1, 4),
      matrix('a', 1, 0),
      { rows: 1, cols: 2, data: [1, 2] },
    ]) {
      expect(() => requireBounded('p', bad)).toThrow('cluster: the parameters of p are damaged (form).');
      expect(() => requireBounded('p', { a: [0, bad] })).toThrow('cluster: the parameters of p are damaged (a.1).');
    }
  });
});

describe('an answer', () => {
  const like = {
    matrix: identity(2),
    count: 1,
    words: 'x',
    flag: true,
    none: null,
    absent: undefined,
    list: [{ size: 1 }],
    vector: new Float32Array(3),
  };
  const check = (answer: unknown, path?: string) => () => requireForm('p', answer, like, path);

  it('may have other lengths and values, and more parts', () => {
    expect(check(like)).not.toThrow();
    expect(
      check({
        ...like,
        matrix: identity(3),
        count: Number.NaN,
        words: '',
        flag: false,
        absent: 7,
        list: [],
        more: 1,
        vector: new Float32Array(0),
      }),
    ).not.toThrow();
    expect(check({ ...like, list: [{ size: 2 }, { size: 3 }] })).not.toThrow();
    expect(() => requireForm('p', 5, undefined)).not.toThrow();
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'form'],
    ['null', null, 'form'],
    ['a number', 3, 'form'],
    ['an array', new Float64Array(2), 'form'],
    ['a matrix smaller than it says', { ...like, matrix: { ...identity(2), rows: 3 } }, 'matrix'],
    ['a matrix without numbers', { ...like, matrix: { rows: 2, cols: 2, data: 'x' } }, 'matrix'],
    ['text for a number', { ...like, count: '1' }, 'count'],
    ['an object for a number', { ...like, count: {} }, 'count'],
    ['a number for text', { ...like, words: 1 }, 'words'],
    ['an object for null', { ...like, none: {} }, 'none'],
    ['a number for a list', { ...like, list: 7 }, 'list'],
    ['an object for a list', { ...like, list: {} }, 'list'],
    ['a list of something else', { ...like, list: [{ size: 1 }, { size: 'x' }] }, 'list[1].size'],
    ['another type of numbers', { ...like, vector: new Float64Array(3) }, 'vector'],
    ['a list for numbers', { ...like, vector: [1, 2, 3] }, 'vector'],
    ['an array for an object', { ...like, list: [new Float64Array(1)] }, 'list[0]'],
  ])('is refused if it is or has %s', (_, answer, where) => {
    expect(check(answer)).toThrow(`cluster: a worker's answer for p is damaged (${where}).`);
    const inside = where === 'form' ? 'here' : `here.${where}`;
    expect(check(answer, 'here')).toThrow(`cluster: a worker's answer for p is damaged (${inside}).`);
  });
});
