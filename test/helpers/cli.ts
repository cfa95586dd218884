/** The command line in this process, with what a test expects of it. */
import { expect } from 'vitest';
import { type Called, callCli } from './call-cli.ts';

export { type Called, callCli } from './call-cli.ts';

/** Ways to call a program, by how it is called. */
export function callsOf(call: (args: readonly string[]) => Promise<Called>) {
  return {
    /** Runs to success, with nothing on stderr; the one JSON line of stdout. */
    // biome-ignore lint/suspicious/noExplicitAny: what is in it is for the test to say
    async callJson(...args: string[]): Promise<any> {
      const { code, stdout, stderr } = await call([...args, '--json']);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
      return JSON.parse(stdout);
    },

    /** Exit code 2, nothing on stdout, one line on stderr without a stack: that line. */
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
