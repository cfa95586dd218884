/** The commands of the laboratory, in this process and as a process of their own. */
import { fileURLToPath } from 'node:url';
import { callFile } from '../../test/helpers/call-cli.ts';
import { callsOf } from '../../test/helpers/cli.ts';
import { type Running, start } from '../../test/helpers/run.ts';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

export const callLab = (args: readonly string[]) => callFile(MAIN, args);
export const { callJson, callRefused } = callsOf(callLab);
export const startLab = (args: readonly string[]): Running => start(MAIN, args);
