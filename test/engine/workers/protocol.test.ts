/** Replies of workers: failures in words, and memory that is transferred instead of copied. */
import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { failureOf, type Reply, sendOrReport, transferables } from '#src/engine/workers/protocol.ts';

describe('replies', () => {
  it('that cannot be sent give the reason', () => {
    const sent: Reply[] = [];
    const send = sendOrReport((reply) => {
      if ('values' in reply) throw new Error('too odd');
      sent.push(reply);
    });
    send({ job: 3, block: 4, chunks: 5, values: [] });
    expect(sent).toEqual([{ job: 3, block: 4, chunks: 5, failure: 'the contribution cannot be sent: Error: too odd' }]);
    expect(failureOf('words')).toEqual({ failure: 'words', refused: false });
    expect(failureOf(new InputError('bad input'))).toEqual({ failure: 'bad input', refused: true });
  });

  it('transfer memory that is all theirs, once', () => {
    const [own, other] = [new Float64Array(2), new Uint8Array(4)];
    const shared = new Float64Array(new SharedArrayBuffer(16));
    const value = { own, list: [own, { other }], part: new Float64Array(4).subarray(1), shared, none: null, count: 3 };
    expect(transferables(value)).toEqual([own.buffer, other.buffer]);
    expect(transferables(5)).toEqual([]);
  });
});
