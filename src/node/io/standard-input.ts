/**
 * Reads standard input as a file. It is read to its end once, into a private temporary file (file-bytes.ts), so that every
 * format can be read from it, at any position and any number of times.
 */
import { addAbortSignal } from 'node:stream';
import { InputError } from '../../core/errors.ts';
import type { ReadLimits } from '../../io/bytes/budget.ts';
import type { Bytes } from '../../io/bytes/bytes.ts';
import { recognisedFormat } from '../../io/tables/recognise.ts';
import { spool } from './file-bytes.ts';

/** Name in messages. */
const NAME = 'standard input';

/** Reads standard input. `signal` aborts the wait for a program that writes nothing. */
export async function readStandardInput(limits: ReadLimits, signal?: AbortSignal): Promise<Bytes> {
  const { stdin } = process;
  if (stdin.isTTY) throw new InputError(`${NAME}: must be data from a pipe or a file; got the terminal.`);
  if (signal) addAbortSignal(signal, stdin);
  const bytes = await spool(NAME, stdin, limits).catch((error) => {
    throw signal?.aborted ? signal.reason : error;
  });
  if (bytes.byteLength > 0) return bytes;
  await bytes.close();
  throw new InputError(`${NAME}: is empty.`);
}

/** Detects the format by the first bytes. */
export async function formatOfInput(bytes: Bytes): Promise<string> {
  const format = await recognisedFormat(bytes);
  if (format) return format;
  throw new InputError(`${NAME}: must come with its format, as in --format csv; got data that does not tell it.`);
}
