/** `orthodict inspect`: what a model is, and what its atoms look like. */

import { basename } from 'node:path';
import { Command } from 'commander';
import { InputError } from '../../core/errors.ts';
import type { Dictionary } from '../../dictionaries/dictionary.ts';
import { featureNames, type Model } from '../../dictionaries/model.ts';
import { selectKernels } from '../../kernels/select.ts';
import { orthogonalityError } from '../../linalg/polar.ts';
import { checkSvg, writeSvg } from '../../node/chart.ts';
import { writeAtomically } from '../../node/io/atomic-write.ts';
import { loadModel } from '../../node/io/model-file.ts';
import { atomGallery } from '../../pictures/gallery.ts';
import { labelledGallery } from '../../pictures/labelled-gallery.ts';
import { encodePng } from '../../pictures/png.ts';
import { numberOption, parseShape } from '../terminal/arguments.ts';
import { checkOutputs } from '../terminal/check-outputs.ts';
import { requireTogether } from '../terminal/option-flags.ts';
import { formatNumber, printFacts, printJson, printLine, printRemark } from '../terminal/output.ts';

interface Flags {
  atoms?: string;
  shape?: string;
  top?: number;
  json?: boolean;
}

export function inspectCommand(): Command {
  return new Command('inspect')
    .argument('<model.npz>', 'a learned model')
    .option('--atoms <atoms.png>', 'draw the atoms as .png or .svg: black is negative, white positive')
    .option('--shape <WxH>', 'width and height of an atom; default: that of the patches, or a square if possible')
    .option(
      '--top <K>',
      'the K largest weights of every atom, by the names of the features',
      numberOption('inspect', '--top'),
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, flags: Flags) => {
      const { atoms, shape, top, json } = flags;
      requireTogether('inspect', flags, { shape: 'atoms' });
      if (top !== undefined && !(Number.isInteger(top) && top > 0)) {
        throw new InputError(`inspect: --top must be an integer of at least 1; got ${top}.`);
      }
      await checkOutputs('inspect', { atoms }, { atoms: ['.png', '.svg'] });
      const model = await loadModel(path);
      if (atoms) await drawAtoms(atoms, path, model, shape);
      const facts = await describe(model);
      const weights = top === undefined ? undefined : largestWeights(model, top);
      if (json) printJson({ ...facts, ...(weights && { weights }), ...(atoms && { picture: atoms }) });
      else {
        printFacts(Object.entries(facts).map(([name, value]) => [name, inWords(value)] as const));
        if (weights) printWeights(weights);
        if (atoms) printLine(`atoms drawn in ${atoms}`);
      }
    });
}

const EXAMPLES = `
Examples:
  orthodict inspect model.npz --atoms atoms.png
  orthodict inspect model.npz --top 10`;

interface Weight {
  readonly feature: string;
  readonly weight: number;
}

/** The largest weights of every atom, the largest first. */
function largestWeights({ dictionary, meta }: Model, top: number): Weight[][] {
  const { data, rows, cols } = dictionary.atoms;
  const names = featureNames(dictionary, meta);
  return Array.from({ length: rows }, (_, k) => {
    const atom = Array.from(data.subarray(k * cols, (k + 1) * cols), (weight, j) => ({ feature: names[j], weight }));
    return atom.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, top);
  });
}

function printWeights(weights: readonly (readonly Weight[])[]): void {
  printLine();
  printFacts(
    weights.map((atom, k) => {
      const words = atom.map(
        ({ feature, weight }) => `${feature} ${weight < 0 ? '−' : '+'}${Math.abs(weight).toFixed(3)}`,
      );
      return [`atom ${k + 1}`, words.join('  ')] as const;
    }),
  );
}

/** With a title, numbers and shares of energy; a .png without words where the package that draws them is missing. */
async function drawAtoms(
  out: string,
  path: string,
  { dictionary, meta }: Model,
  given: string | undefined,
): Promise<void> {
  const shape = given === undefined ? patchOf(dictionary, meta) : shapeIn(given, dictionary);
  const { atoms } = dictionary;
  const { energies } = meta;
  const labels = Array.from({ length: atoms.rows }, (_, k) =>
    energies?.length === atoms.rows ? `${k + 1}: ${percent(energies[k])}` : `${k + 1}`,
  );
  const under = energies ? ', under each its number and its share of the energy' : '';
  const title = `${formatNumber(atoms.rows)} atoms of ${basename(path)}${under}`;
  const hasWords = await checkSvg(out).then(
    () => true,
    () => false,
  );
  if (hasWords) return writeSvg(out, labelledGallery(atoms, { ...shape, title, labels }));
  printRemark('inspect: drawn without words; for these install @resvg/resvg-js, or draw an .svg.');
  const scale = Math.max(1, Math.ceil(32 / Math.sqrt(dictionary.features)));
  return writeAtomically(out, [encodePng(atomGallery(atoms, { ...shape, scale, gap: 2 }))]);
}

/** In colour if there are three numbers for each pixel. */
function shapeIn(text: string, { features }: Dictionary) {
  const shape = parseShape('inspect', text);
  return { ...shape, channels: features === 3 * shape.width * shape.height ? 3 : 1 } as const;
}

/** The shape of the patches that were learned from, if it is that of the atoms. */
function patchOf({ features }: Dictionary, { patch }: Model['meta']) {
  return patch && patch.width * patch.height * patch.channels === features ? patch : {};
}

/** `97 %`, `0.6 %`, `0.003 %` */
const percent = (share: number): string =>
  share < 1e-5 ? '<.001 %' : `${Number((100 * share).toPrecision(share >= 0.1 ? 2 : 1))} %`;

async function describe({ dictionary, meta }: Model): Promise<Record<string, unknown>> {
  const { mean, components, features } = dictionary;
  const facts = {
    atoms: components,
    features,
    ...(await describeKind(dictionary)),
    mean: mean ? 'subtracted' : 'not used',
  };
  return { ...facts, ...meta, ...facts }; // what the model says about itself does not replace what it is
}

async function describeKind(dictionary: Dictionary): Promise<Record<string, unknown>> {
  const { transform, features } = dictionary;
  if (transform.kind === 'dense') {
    return {
      kind: transform.encoder === dictionary.atoms ? 'orthogonal' : 'complete',
      orthogonalityError: orthogonalityError(dictionary.atoms, await selectKernels('auto')),
    };
  }
  if (transform.kind === 'pursuit') {
    const { keep, residual } = transform;
    return { kind: 'overcomplete', ...(keep && { keep }), ...(residual && { residual }) };
  }
  const dense = 2 * features ** 2;
  const [kind, factors, operations] =
    transform.kind === 'reflectors'
      ? ['householder', transform.reflectors.rows, 4 * transform.reflectors.rows * features]
      : ['givens', transform.rotations.rows, 6 * transform.rotations.rows];
  return { kind, factors, operationsPerSample: operations, denseOperationsPerSample: dense };
}

function inWords(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
