// Writes the phases of a run into docs/method.md, from the table of transitions in src/learn/pipeline.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type EndCode, firstPhase, nextPhase, type Phase, type Situation } from '../src/learn/pipeline.ts';

/** The codes with which phases end. */
const ENDS: { readonly [K in Exclude<Phase['kind'], 'done'>]: readonly EndCode[] } = {
  pilot: ['settled', 'unsettled'],
  coreset: ['ended'],
  ascend: ['ended'],
  refine: ['refined', 'rejected'],
  certify: ['closed', 'open'],
  fallback: ['ended'],
};

export interface Edge {
  readonly from: string;
  readonly end: EndCode | '';
  readonly to: string;
}

/** The codes with which this phase may end. */
export function endsOf(phase: Phase): readonly EndCode[] {
  if (phase.kind === 'done') return [];
  return phase.kind === 'ascend' && phase.again ? ['ended', 'rested'] : ENDS[phase.kind];
}

export function nameOf(phase: Phase): string {
  if (phase.kind !== 'ascend') return phase.kind;
  return phase.again ? 'ascend again' : `ascend to ${phase.to}`;
}

/** Situations that differ in whatever a transition depends on; time is left in all, and atoms can be certified. */
function situations(): Situation[] {
  const usual = { samples: 20_000, atoms: 50, certifies: true, isLate: false };
  const flags = ['explores', 'refines', 'hasFallback', 'mayExplore'] as const;
  return (['nothing', 'basin', 'coresets'] as const)
    .flatMap((scout) =>
      Array.from({ length: 2 ** flags.length }, (_, bits) => {
        const on = Object.fromEntries(flags.map((flag, k) => [flag, (bits & (1 << k)) > 0]));
        const coresets = scout === 'nothing' ? [] : [1250, 10_000];
        return { ...usual, scout, coresets, ...on } as unknown as Situation;
      }),
    )
    .flatMap((at) => [at, { ...at, samples: 1000 }, { ...at, coresets: [] }]);
}

/** All edges of the table, found by following it through every situation. */
export function edges(): Edge[] {
  const found = new Map<string, Edge>();
  const seen = new Set<string>();
  const follow = (phase: Phase, at: Situation): void => {
    const here = JSON.stringify([phase, at]);
    if (phase.kind === 'done' || seen.has(here)) return;
    seen.add(here);
    for (const end of endsOf(phase)) {
      for (const now of [at, { ...at, mayExplore: false }]) {
        const next = nextPhase(phase, end, now);
        const edge = { from: nameOf(phase), end, to: nameOf(next) };
        found.set(JSON.stringify(edge), edge);
        follow(next, now);
      }
    }
  };
  for (const at of situations()) {
    const first = firstPhase(at);
    found.set(`start ${nameOf(first)}`, { from: 'start', end: '', to: nameOf(first) });
    follow(first, at);
  }
  return [...found.values()];
}

/** The diagram: for every phase and code, the phases that may follow. */
export function diagram(): string {
  const all = edges();
  const order = [
    'start',
    'pilot',
    'coreset',
    'ascend to basin',
    'ascend to maximum',
    'ascend again',
    'refine',
    'certify',
    'fallback',
    'done',
  ];
  const rank = (name: string) => order.indexOf(name);
  const starts = [...new Set(all.map(({ from, end }) => JSON.stringify([from, end])))]
    .map((key) => JSON.parse(key) as [string, EndCode | ''])
    .sort(([a], [b]) => rank(a) - rank(b));
  const lines = starts.map(([from, end]) => {
    const next = all.filter((edge) => edge.from === from && edge.end === end).map(({ to }) => to);
    return `${from.padEnd(18)} ${end.padEnd(10)} -> ${next.sort((a, b) => rank(a) - rank(b)).join(' | ')}`;
  });
  return `\`\`\`text\n${lines.join('\n')}\n\`\`\``;
}

const MARKS = ['<!-- phases: npm run docs:phases -->', '<!-- /phases -->'] as const;
const page = fileURLToPath(new URL('../docs/method.md', import.meta.url));

/** The page with the diagram as it should be. */
export function pageWithDiagram(): string {
  const text = readFileSync(page, 'utf8');
  const [from, to] = MARKS.map((mark) => text.indexOf(mark));
  return `${text.slice(0, from)}${MARKS[0]}\n\n${diagram()}\n\n${text.slice(to)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, pageWithDiagram());
