/** Workers of an executor and the passes that wait for them: replies, aborts, failures, and the end. */
import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { Team } from '#src/engine/team.ts';
import type { Reply, WorkerPort } from '#src/engine/worker-messages.ts';

function started() {
  const team = new Team();
  const log: string[] = [];
  let reply: (reply: Reply) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const port: WorkerPort = {
    post: (message) => void log.push(`post ${JSON.stringify(message)}`),
    onReply: (listener) => {
      reply = listener;
    },
    onFailure: (listener) => {
      fail = listener;
    },
    hold: () => void log.push('hold'),
    release: () => void log.push('release'),
    terminate: async () => void log.push('terminate'),
  };
  team.join(port);
  return { team, log, reply: (given: Reply) => reply(given), fail: (error: Error) => fail(error) };
}

/** Whether a promise has settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => {
    settled = true;
  };
  promise.then(note, note);
  await new Promise((resolve) => setTimeout(resolve, 2));
  return settled;
}

describe('a team', () => {
  it('brings replies to the pass that waits for them, and frees the worker', async () => {
    const { team, log, reply } = started();
    const [first, second] = [team.openInbox(undefined), team.openInbox(undefined)];
    expect(second.run).toBe(first.run + 1);
    const [member] = team.members;
    member.load.blocks = 2;
    member.load.chunks = 7;
    const news = [first.news(), second.news()];
    reply({ run: second.run, block: 3, chunks: 5, values: ['x'] });
    expect(await Promise.all(news.map(isSettled))).toEqual([true, true]); // the worker may serve any pass
    expect([member.load, log]).toEqual([{ blocks: 1, chunks: 2 }, ['release']]);
    expect([first.replies.size, second.take(3), second.replies.size]).toEqual([0, ['x'], 0]);
    reply({ run: second.run, block: 4, values: ['y'] }); // of a round: nobody was loaded with it
    expect(member.load).toEqual({ blocks: 1, chunks: 2 });
    second.close();
    reply({ run: second.run, block: 5, chunks: 1, values: [] });
    expect(second.replies.has(5)).toBe(false);
  });

  it('tells what went wrong in a worker, in the words of the input or of the program', () => {
    const { team, reply } = started();
    const inbox = team.openInbox(undefined);
    reply({ run: inbox.run, block: 0, failure: 'bad input', refused: true });
    reply({ run: inbox.run, block: 1, failure: 'a bug' });
    expect(() => inbox.take(0)).toThrow(new InputError('bad input'));
    expect(() => inbox.take(1)).toThrow(new Error('a bug'));
  });

  it('ends all passes when a worker fails, with the first cause', async () => {
    const { team, fail } = started();
    const inbox = team.openInbox(undefined);
    inbox.check();
    const waiting = inbox.until(new Promise(() => {}));
    const seen = expect(waiting).rejects.toThrow('first');
    fail(new Error('first'));
    fail(new Error('second'));
    await seen;
    expect(() => inbox.check()).toThrow('first');
    expect(team.broken?.message).toBe('first');
  });

  it('ends a pass that is aborted while it waits, and no other', async () => {
    const { team } = started();
    const abort = new AbortController();
    const [aborted, other] = [team.openInbox(abort.signal), team.openInbox(undefined)];
    const never = new Promise(() => {});
    const seen = expect(aborted.until(never)).rejects.toThrow('enough');
    const waits = other.until(never);
    abort.abort(new Error('enough'));
    await seen;
    expect(await isSettled(waits)).toBe(false);
    aborted.close();
    let woken = false;
    aborted.wake = () => {
      woken = true;
    };
    abort.signal.dispatchEvent(new Event('abort'));
    team.wakeAll();
    expect(woken).toBe(false);
  });

  it('waits for what is asked for', async () => {
    const { team } = started();
    const inbox = team.openInbox(undefined);
    let come: (value: unknown) => void = () => {};
    const waiting = inbox.until(
      new Promise((resolve) => {
        come = resolve;
      }),
    );
    team.wakeAll();
    expect(await isSettled(waiting)).toBe(false);
    come(1);
    expect(await isSettled(waiting)).toBe(true);
    await inbox.until(Promise.resolve());
  });

  it('calls a worker back from a board before a message and at the end', async () => {
    const { team, log } = started();
    const [member] = team.members;
    member.callAway = () => void log.push('call away');
    member.post({ run: 1 } as never);
    member.post({ run: 2 } as never);
    expect(log).toEqual(['post {"run":1}', 'call away', 'post {"run":2}']);
    member.callAway = () => void log.push('call away');
    await team.close();
    expect(log.slice(3)).toEqual(['call away', 'terminate']);
  });
});
