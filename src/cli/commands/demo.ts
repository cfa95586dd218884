/** `orthodict demo`: learns twice, from data with a known answer and from a photograph that ships with the package. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import type { Matrix } from '../../core/matrix.ts';
import { dctAtoms } from '../../dictionaries/dct.ts';
import { pcaAtoms } from '../../dictionaries/pca.ts';
import type { LearnResult } from '../../learn/learn.ts';
import type { LearnOptions } from '../../learn/option-types.ts';
import { recoveryError } from '../../metrics/recovery-error.ts';
import { topResiduals } from '../../metrics/top-residual.ts';
import { readMatrix } from '../../node/io/arrays.ts';
import { writeAtomically } from '../../node/io/atomic-write.ts';
import { makeWritableFolder } from '../../node/io/make-folder.ts';
import { saveModel } from '../../node/io/model-file.ts';
import { learn } from '../../node/learn.ts';
import { packageRoot } from '../../node/package-root.ts';
import { atomGallery } from '../../pictures/gallery.ts';
import { patchesOf } from '../../pictures/patches.ts';
import { encodePng } from '../../pictures/png.ts';
import { generate } from '../../synthetic/bernoulli-gaussian.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { counted, formatNumber, printJson, printLine, printTable } from '../terminal/output.ts';
import { progressLine } from '../terminal/progress-line.ts';

const PLANTED = { samples: 40_000, features: 100, theta: 0.3, seed: 1 };
/** Error in the paper's Table 2 for such data: MSP after 25 iterations. */
const PAPER_ERROR = 0.0035;
const PATCH = 8;
const PATCHES = 20_000;
const KEPT = [1, 2, 3, 5, 10, 20];

export function demoCommand(): Command {
  return new Command('demo')
    .option('--out <DIR>', 'folder for the model and the picture of its atoms', 'orthodict-demo')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  orthodict demo --out /tmp/demo')
    .action(({ out, json }: { out: string; json?: boolean }) => interruptible((signal) => runDemo(out, !json, signal)));
}

async function runDemo(out: string, words: boolean, signal: AbortSignal): Promise<void> {
  await makeWritableFolder('demo', out, 'model.npz');
  const planted = await recoverPlanted(words, signal);
  const { learned, residuals } = await learnPhotograph(words, signal);
  const model = join(out, 'model.npz');
  const picture = join(out, 'atoms.png');
  const { dictionary, iterations, seconds, backend, threads } = learned;
  await saveModel(model, learned);
  await writeAtomically(picture, [encodePng(atomGallery(dictionary.atoms, { scale: 4, gap: 4 }))]);
  if (words) {
    printLine();
    printLine(`${iterations} iterations in ${seconds.toFixed(1)} s on ${backend}, ${counted(threads, 'thread')}.`);
    printLine(`The dictionary is in ${model}, its atoms are drawn in ${picture}.`);
  } else printJson({ planted, photograph: { kept: KEPT, residuals, iterations, seconds }, model, picture });
}

/** Recovers a known dictionary: with the paper's method, and with refinement. */
async function recoverPlanted(words: boolean, signal: AbortSignal) {
  const { samples, features, theta } = PLANTED;
  const hidden = `hidden under ${formatNumber(samples)} samples (codes ${100 * theta} % non-zero)`;
  if (words) printLine(`1. A dictionary of ${features} atoms, ${hidden}`);
  const data = generate(PLANTED);
  const explored = await learnAloud(data.samples, { refine: 'none' }, signal);
  const exact = await learnAloud(data.samples, {}, signal);
  const errorOf = ({ dictionary }: LearnResult) => recoveryError(dictionary.atoms, data.atoms);
  const planted = [
    { method: 'l4 maximisation, paper (2015 laptop)', error: PAPER_ERROR, seconds: 7.2 },
    { method: 'l4 maximisation, here', error: errorOf(explored), seconds: explored.seconds },
    { method: 'with refinement', error: errorOf(exact), seconds: exact.seconds },
  ];
  const rows = planted.map(({ method, error, seconds }) => [method, error.toExponential(1), seconds.toFixed(2)]);
  if (words) printTable(['method', 'error', 'seconds'], rows);
  return planted;
}

/** Learns a dictionary of the patches of a photograph and compares it with PCA and the cosine transform. */
async function learnPhotograph(words: boolean, signal: AbortSignal) {
  if (words) {
    printLine();
    printLine(`2. ${formatNumber(PATCHES)} patches of ${PATCH}×${PATCH} pixels of a photograph`);
  }
  const patches = patchesOf(await photograph(), { width: PATCH, limit: PATCHES, removeMean: true });
  const learned = await learnAloud(patches, {}, signal);
  const residuals = {
    learned: topResiduals(patches, learned.dictionary.atoms, KEPT),
    pca: topResiduals(patches, await pcaAtoms(patches), KEPT),
    dct: topResiduals(patches, dctAtoms(PATCH, PATCH), KEPT),
  };
  if (words) {
    const percent = (values: number[]) => values.map((value) => `${(100 * value).toFixed(2)} %`);
    printLine('   energy missing when every patch keeps only its k largest codes:');
    printTable(
      ['basis', ...KEPT.map((k) => `k = ${k}`)],
      [
        ['learned', ...percent(residuals.learned)],
        ['principal components', ...percent(residuals.pca)],
        ['cosine transform', ...percent(residuals.dct)],
      ],
    );
  }
  return { learned, residuals };
}

async function learnAloud(samples: Matrix, options: LearnOptions, signal: AbortSignal): Promise<LearnResult> {
  const line = progressLine();
  const result = await learn(samples, options, { signal, onProgress: line.update }).finally(line.clear);
  signal.throwIfAborted();
  return result;
}

async function photograph() {
  const { rows, cols, data } = await readMatrix(`${fileURLToPath(new URL('data/photograph.npz', packageRoot))}:pixels`);
  return { width: cols, height: rows, pixels: Uint8Array.from(data) };
}
