/** No command writes what it reads, or two outputs into one file: derived from the flags and arguments of every command. */
import { linkSync, readFileSync, symlinkSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { commands } from '#src/cli/commands/index.ts';
import { isFile, OUTPUT_FLAGS, placeholderOf } from '#src/cli/terminal/files.ts';
import { callCli, callJson, callRefused } from '../../helpers/cli.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const scratch = scratchDirectory();
const f = scratch.file;
const loaded: Command[] = await Promise.all(Object.values(commands).map(({ load }) => load()));

beforeAll(async () => {
  await callJson(...'generate --samples 60 --features 4 --theta 0.3 --out'.split(' '), f('d.npz'));
  await callJson('learn', f('d.npz'), '--out', f('model.npz'));
  symlinkSync(f('d.npz'), f('symbolic.npz'));
  linkSync(f('d.npz'), f('hard.npz'));
});

/** Placeholders of text that is no file. */
const WORDS = /^(WxH|RxC|DIR|NAME|NAME,\.\.\.|N,\.\.\.|A,B|[A-Z]+)$/;

it('every flag and argument with text is known as a file or as something else', () => {
  for (const command of loaded) {
    for (const option of command.options.filter((one) => one.required && !one.argChoices && !one.parseArg)) {
      const placeholder = placeholderOf(option);
      const isOutput = OUTPUT_FLAGS.includes(option.attributeName());
      expect(isFile(placeholder) || WORDS.test(placeholder), `${command.name()} ${option.flags}`).toBe(true);
      if (isOutput)
        expect(isFile(placeholder) || placeholder === 'DIR', `${command.name()} ${option.flags}`).toBe(true);
    }
  }
});

/** Every pair of an output and another file of a command. */
const pairs = loaded.flatMap((command) => {
  const named = command.registeredArguments.map((argument) => argument.name()).filter(isFile);
  const flags = command.options.filter((option) => option.required && isFile(placeholderOf(option)));
  const outputs = flags.filter((option) => OUTPUT_FLAGS.includes(option.attributeName()));
  return outputs.flatMap((output) => [
    ...named.map((name) => [command, output, name] as const),
    ...flags.filter((other) => other !== output).map((other) => [command, output, other] as const),
  ]);
});

/** Arguments and mandatory options of a command, with `path` for the two files in question. */
function callOf(command: Command, output: Option, other: string | Option, path: string): string[] {
  const files = command.registeredArguments.map((argument, k) =>
    argument.name() === other ? path : f(`input-${k}.npz`),
  );
  const given = new Map(
    command.options.filter(({ mandatory }) => mandatory).map((option) => [option.long!, f(`${option.long}.npz`)]),
  );
  for (const [flag] of given)
    if (!isFile(placeholderOf(command.options.find(({ long }) => long === flag)!))) given.set(flag, '3');
  given.set(output.long!, path);
  if (typeof other !== 'string') given.set(other.long!, path);
  return [command.name(), ...files, ...[...given].flat()];
}

it.each(
  pairs.map(([command, output, other]) => {
    const name = typeof other === 'string' ? other : other.long!;
    return [`${command.name()} ${output.long}`, name, callOf(command, output, other, f('same.npz'))] as const;
  }),
)('%s must not be %s', async (_, _name, call) => {
  expect(await callRefused(...call)).toMatch(/must be another file than .*; got .*same\.npz for both\.\n$/);
});

describe('learn', () => {
  it.each(['symbolic.npz', 'hard.npz', './d.npz'])('knows its data as %s', async (name) => {
    const before = readFileSync(f('d.npz'));
    for (const flags of [
      ['--out', f(name)],
      ['--out', f('m.npz'), '--checkpoint', f(name)],
    ]) {
      expect(await callRefused('learn', `${f('d.npz')}:samples`, ...flags)).toContain('must be another file than DATA');
    }
    expect(readFileSync(f('d.npz')).equals(before)).toBe(true);
  });

  it('knows two new files of one folder by different names', async () => {
    symlinkSync(scratch.path, f('folder'));
    const call = ['learn', f('d.npz'), '--out', f('new.npz'), '--checkpoint', f('folder/new.npz')];
    expect(await callRefused(...call)).toContain('--checkpoint must be another file than --out; got');
  });

  it('replaces no file that is not a checkpoint by one, and any checkpoint', async () => {
    const call = ['learn', f('d.npz'), '--out', f('m.npz'), '--checkpoint'];
    const before = readFileSync(f('model.npz'));
    for (const resume of [[], ['--resume']]) {
      expect(await callRefused(...call, f('model.npz'), ...resume)).toMatch(
        /^learn: --checkpoint must be a new file or a checkpoint of orthodict; got .*model\.npz, which is damaged or something else\. Delete it, or choose another name\.\n$/,
      );
    }
    expect(readFileSync(f('model.npz')).equals(before)).toBe(true);
    for (let k = 0; k < 2; k++) expect((await callCli([...call, f('state.npz')])).code).toBe(0);
  });
});

describe.skipIf(process.platform !== 'linux')('a full disk', () => {
  it('costs the checkpoints, one warning, and not the run', async () => {
    symlinkSync('/dev/full', f('full.npz'));
    const call = ['learn', f('d.npz'), '--out', f('m.npz'), '--checkpoint', f('full.npz'), '--checkpoint-every', '0'];
    const { code, stderr } = await callCli(call);
    expect([code, stderr]).toEqual([
      0,
      `learn: the checkpoint could not be saved (${f('full.npz')}: cannot be written (no space left on the device)). The run continues and will try again.\n`,
    ]);
    const out = f('full-model.npz');
    symlinkSync('/dev/full', out);
    expect(await callRefused('learn', f('d.npz'), '--out', out)).toContain('cannot be written (no space left');
  });
});

it('an absurd number of starts is refused at once', async () => {
  const call = ['mixture', f('d.npz'), '--clusters', '2', '--out', f('m.npz'), '--starts=2147483648'];
  expect(await callRefused(...call)).toBe('mixture: starts must be at most 10000; got 2147483648.\n');
});
