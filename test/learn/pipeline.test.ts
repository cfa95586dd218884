/** A row for every edge of the table of transitions, and what holds for every way through it. */
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DONE, type EndCode, firstPhase, nextPhase, type Phase, type Situation } from '#src/learn/pipeline.ts';
import { diagram, edges, endsOf, nameOf, pageWithDiagram } from '../../scripts/phase-diagram.ts';

/** White data with many samples: 50 atoms, of which a pilot wants 4096 samples and a refinement 3000. */
const usual: Situation = {
  samples: 20_000,
  atoms: 50,
  coresets: [],
  scout: 'basin',
  explores: true,
  refines: true,
  certifies: true,
  hasFallback: true,
  mayExplore: true,
  isLate: false,
};
const COLOURED: Partial<Situation> = { scout: 'coresets', coresets: [1250, 5000] };

const pilot = (rows: number): Phase => ({ kind: 'pilot', rows });
const coreset = (rows: number): Phase => ({ kind: 'coreset', rows });
const toBasin: Phase = { kind: 'ascend', to: 'basin' };
const toMaximum: Phase = { kind: 'ascend', to: 'maximum' };
const again: Phase = { kind: 'ascend', to: 'maximum', again: true };
const refine = (rows: number, from: 'basin' | 'maximum' = 'basin', continues = false): Phase => {
  return { kind: 'refine', rows, from, continues };
};
const certify: Phase = { kind: 'certify' };
const fallback: Phase = { kind: 'fallback' };

describe('the first phase', () => {
  it.each<[string, Partial<Situation>, Phase]>([
    ['white data with many samples', {}, pilot(4096)],
    ['many atoms: a part grows with their square', { atoms: 100, samples: 40_000 }, pilot(6500)],
    ['a part that has to shrink a little', { samples: 5000 }, pilot(3000)],
    ['a part that would shrink too much', { samples: 4700 }, toBasin],
    ['few samples', { samples: 500 }, toBasin],
    ['data that is not white', COLOURED, coreset(1250)],
    ['data that is not white, too few samples for coresets', { scout: 'coresets' }, toMaximum],
    ['nothing to be gained by a part', { scout: 'nothing' }, toMaximum],
    ['a method that only searches', { explores: false }, fallback],
  ])('%s', (_, changes, expected) => {
    expect(firstPhase({ ...usual, ...changes })).toEqual(expected);
  });
});

describe('the phase after', () => {
  const spent = { mayExplore: false };
  const unrefined = { refines: false };
  const EDGES: readonly [string, Phase, EndCode, Partial<Situation>, Phase][] = [
    ['a settled pilot: refine on a part', pilot(4096), 'settled', {}, refine(3000)],
    ['a pilot that took more samples: more to refine', pilot(8192), 'settled', {}, refine(6000)],
    ['many atoms: more to refine', pilot(6500), 'settled', { atoms: 100, samples: 40_000 }, refine(6000)],
    ['few atoms: enough to refine', pilot(4096), 'settled', { atoms: 20 }, refine(2048)],
    ['a settled pilot, a part that has to shrink', pilot(4096), 'settled', { samples: 4000 }, refine(2400)],
    ['a settled pilot, a part that would shrink too much', pilot(4096), 'settled', { samples: 3499 }, refine(3499)],
    ['a crawling pilot: twice the samples', pilot(4096), 'unsettled', {}, pilot(8192)],
    [
      'a crawling pilot that would take most samples: a coreset of enough',
      pilot(8192),
      'unsettled',
      { coresets: [1250, 10_000] },
      coreset(10_000),
    ],
    [
      'a crawling pilot that would take few samples: a larger one',
      pilot(8192),
      'unsettled',
      { samples: 200_000, coresets: [12_500] },
      pilot(16_384),
    ],
    ['a crawling pilot: all samples, if twice saves too little', pilot(8192), 'unsettled', {}, pilot(12_000)],
    ['a crawling pilot on most samples', pilot(12_000), 'unsettled', {}, toBasin],
    ['a pilot that a limit ended: refine on all', pilot(4096), 'unsettled', spent, refine(20_000)],
    ['a pilot, not refined: explore to the end', pilot(4096), 'settled', unrefined, toMaximum],
    ['a pilot, not refined, at the limit', pilot(4096), 'settled', { ...unrefined, ...spent }, certify],
    ['a pilot that a limit ended, not refined', pilot(4096), 'unsettled', { ...unrefined, ...spent }, certify],
    ['a coreset: a larger one', coreset(1250), 'ended', COLOURED, coreset(5000)],
    ['the largest coreset: all samples', coreset(5000), 'ended', COLOURED, toMaximum],
    ['a coreset at the limit: refine', coreset(1250), 'ended', { ...COLOURED, ...spent }, refine(20_000, 'maximum')],
    ['a coreset at the limit, not refined', coreset(1250), 'ended', { ...COLOURED, ...spent, ...unrefined }, certify],
    ['an ascent: refine', toMaximum, 'ended', {}, refine(20_000, 'maximum')],
    ['an ascent to the basin: refine', toBasin, 'ended', {}, refine(20_000, 'basin')],
    ['an ascent to the basin, not refined: explore to the end', toBasin, 'ended', unrefined, toMaximum],
    ['the same at the limit', toBasin, 'ended', { ...unrefined, ...spent }, certify],
    ['an ascent, not refined', toMaximum, 'ended', unrefined, certify],
    ['a refined part: refine on all', refine(3000), 'refined', {}, refine(20_000, 'basin', true)],
    ['refined on all', refine(20_000, 'basin', true), 'refined', {}, certify],
    ['no zeros near the basin: explore to the end', refine(3000), 'rejected', {}, again],
    ['no zeros near the basin, on all', refine(20_000), 'rejected', {}, again],
    ['an ascent that leaves the atoms where no zeros were found', again, 'rested', {}, certify],
    ['an ascent that moves them', again, 'ended', {}, refine(20_000, 'maximum')],
    ['the same at the limit, on a part: all samples', refine(3000), 'rejected', spent, refine(20_000, 'maximum')],
    ['the same at the limit, on all', refine(20_000), 'rejected', spent, certify],
    ['no zeros at a maximum', refine(20_000, 'maximum'), 'rejected', {}, certify],
    ['nothing left to search for', certify, 'closed', {}, DONE],
    ['not certified: search', certify, 'open', {}, fallback],
    ['not certified, no search wanted', certify, 'open', { hasFallback: false }, DONE],
    ['a search', fallback, 'ended', {}, DONE],
    ['done', DONE, 'ended', {}, DONE],
  ];
  it.each(EDGES)('%s', (_, phase, end, changes, expected) => {
    expect(nextPhase(phase, end, { ...usual, ...changes })).toEqual(expected);
  });

  it('has a row for every edge', () => {
    const tested = new Set(EDGES.map(([, phase, end, , next]) => `${nameOf(phase)} ${end} ${nameOf(next)}`));
    const untested = edges().filter(({ from, end, to }) => from !== 'start' && !tested.has(`${from} ${end} ${to}`));
    expect(untested).toEqual([]);
  });

  it.each(EDGES.filter(([, , , , next]) => next === certify))('%s: done, if atoms cannot be certified', (...edge) => {
    const [, phase, end, changes] = edge;
    expect(nextPhase(phase, end, { ...usual, ...changes, certifies: false })).toEqual(DONE);
  });

  it.each<[Phase, EndCode]>([
    [pilot(4096), 'settled'],
    [pilot(4096), 'unsettled'],
    [coreset(1250), 'ended'],
    [toMaximum, 'ended'],
    [toBasin, 'ended'],
    [refine(3000), 'refined'],
    [refine(3000), 'rejected'],
  ])('$kind, if the time is up: certify what there is, where atoms can be certified', (phase, end) => {
    expect(nextPhase(phase, end, { ...usual, isLate: true })).toEqual(certify);
    expect(nextPhase(phase, end, { ...usual, isLate: true, certifies: false })).toEqual(DONE);
  });

  it('certifying, if the time is up, is the last', () => {
    expect(nextPhase(certify, 'open', { ...usual, isLate: true })).toEqual(DONE);
  });
});

describe('whatever happens', () => {
  const situations = fc.record({
    samples: fc.integer({ min: 1, max: 1_000_000 }),
    atoms: fc.integer({ min: 1, max: 1000 }),
    coresets: fc.constantFrom([], [1000], [500, 2000]),
    scout: fc.constantFrom('nothing', 'basin', 'coresets'),
    explores: fc.boolean(),
    refines: fc.boolean(),
    certifies: fc.boolean(),
    hasFallback: fc.boolean(),
  }) as fc.Arbitrary<Omit<Situation, 'mayExplore' | 'isLate'>>;
  const turns = fc.array(fc.record({ end: fc.nat(1), mayExplore: fc.boolean(), isLate: fc.boolean() }), {
    minLength: 60,
    maxLength: 60,
  });

  it('a run ends, takes at most all samples, and never certifies or searches twice', () => {
    fc.assert(
      fc.property(situations, turns, (situation, moves) => {
        let phase = firstPhase({ ...situation, mayExplore: true, isLate: false });
        const path: Phase[] = [];
        for (const { end, mayExplore, isLate } of moves) {
          if (phase.kind === 'done') break;
          path.push(phase);
          if ('rows' in phase && phase.kind !== 'coreset') expect(phase.rows).toBeLessThanOrEqual(situation.samples);
          const ends = endsOf(phase);
          phase = nextPhase(phase, ends[end % ends.length], { ...situation, mayExplore, isLate });
        }
        expect(phase.kind).toBe('done');
        for (const kind of ['certify', 'fallback']) {
          expect(path.filter((step) => step.kind === kind).length).toBeLessThanOrEqual(1);
        }
        const pilots = path.flatMap((step) => (step.kind === 'pilot' ? step.rows : []));
        expect(pilots).toEqual([...new Set(pilots)].sort((a, b) => a - b)); // each on more samples
      }),
    );
  });
});

it('docs/method.md shows the table as it is', () => {
  expect(pageWithDiagram()).toContain(diagram());
  expect(readFileSync(new URL('../../docs/method.md', import.meta.url), 'utf8')).toBe(pageWithDiagram());
});
