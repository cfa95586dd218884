/** Calls the command line in this process, and checks what a test expects of it. */
import { expect } from 'vitest';
import { type Called, callCli } from './call-cli.ts';

export { type Called, callCli } from './call-cli.ts';

/** Functions that call a program and check how it ends. */
export function callsOf(call: (args: readonly string[]) => Promise<Called>) {
  return {
    /** Expects success with nothing on stderr; returns the JSON line on stdout. */
    // biome-ignore lint/suspicious/noExplicitAny: what is in it is for the test to say
    async callJson(...args: string[]): Promise<any> {
      const { code, stdout, stderr } = await call([...args, '--json']);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
      return JSON.parse(stdout);
    },

    /** Expects exit code 2, nothing on stdout, and one line on stderr without a stack; returns this line. */
    async callRefused(...args: string[]): Promise<string> {
      const { code, stdout, stderr } = await call(args);
      expect([code, stdout], stderr).toEqual([2, '']);
      expect(stderr.trimEnd().split('\n').length, stderr).toBe(1);
      expect(stderr).not.toMatch(/^\s+at |node:internal|\.[jt]s:\d/m);
      return stderr;
    },
  };
}

export const { callJson, callRefused } = callsOf(callCli);
