/** `npm run bench`: what it refuses. */
import { expect, it } from 'vitest';
import { callRefused } from '../command.ts';

it.each([
  [['--repeat', '0'], /^bench: repeat must be a whole number from 1 to 100; got 0\.\n$/],
  [['--repeat', 'x'], /^bench: --repeat must be a number; got "x"\.\n$/],
  [['--plot', 'a.gif'], /^bench: --plot must be a file ending in \.svg or \.png; got "a\.gif"\.\n$/],
  [['--plot', 'a.svg', '--micro'], /^bench: --plot must come without --micro; got both\.\n$/],
  [['--set', 'huge'], /--set/],
  [['--markdown', '--json'], /'--markdown' cannot be used with option '--json'/],
  [['--real', '--set', 'large'], /^bench: --set must come without --real; got both\.\n$/],
  [
    ['--processes', '--micro', '--plot', 'a.svg'],
    /^bench: --plot must come without --processes and --micro; got both\.\n$/,
  ],
  [['--real', '--only', 'numpy'], /^bench: only must be words of "orthodict default", .*; got numpy\.\n$/],
  [['--real', '--features', '25'], /^bench: features must be among 64, 100; got 25\.\n$/],
])('refuses %j in one line', async (args, words) => {
  expect(await callRefused('bench', ...args)).toMatch(words);
});
