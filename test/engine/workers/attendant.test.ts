/** What a worker knows when it attends: what it has been told, less what it has been told to forget. */
import { expect, it } from 'vitest';
import { introduce, meetPass } from '#src/engine/registry.ts';
import { Attendant } from '#src/engine/workers/attendant.ts';
import { Board } from '#src/engine/workers/control-block.ts';
import type { RoundHead } from '#src/engine/workers/round.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { surveyPass } from '#src/passes/survey.ts';

const NUMBER = 7;
const buffer = new SharedArrayBuffer(6 * 8);

it.each([
  ['has been told to forget', true, [NUMBER]],
  ['has not been told of', false, []],
])('a worker does not know a buffer that it %s', async (_, told, forget) => {
  const board = Board.create(1);
  const head: RoundHead = {
    run: 5,
    pass: surveyPass.name,
    params: { moments: false },
    ranges: Float64Array.of(0, 6),
    blocks: Float64Array.of(0, 1),
    samples: { locator: { kind: 'memory', rows: 6, cols: 1, data: new Float64Array(buffer) } },
    slots: { at: 8192, bytes: 0 },
  };
  board.flat.write(head, Board.headAt(1), () => NUMBER);
  board.open(1, 1);
  const attendant = new Attendant(referenceKernels, () => {}, meetPass);
  const visit = { words: board.words, arena: board.arena, seat: 0, passes: [introduce(surveyPass)] };
  board.callAway(0, 1); // it learns, and does not stay
  await attendant.attend({ ...visit, visit: 1, buffers: told ? [[NUMBER, buffer]] : [], forget: [] });
  const second = attendant.attend({ ...visit, visit: 2, buffers: [], forget });
  await expect(second).rejects.toThrow(`shared buffer ${NUMBER} is not known`);
});
