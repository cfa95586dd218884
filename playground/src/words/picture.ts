/** Words of the tab "picture". */
import type { Term } from './term.ts';

export const PICTURE = {
  patch: {
    title: 'Patch',
    text: 'A patch is a small square that is cut out of the picture, 8×8 pixels for example. Its pixels, row by row, are one sample of n numbers, or 3n in colour. Patches overlap when the dictionary is learned; they lie side by side when the picture is rebuilt.',
    formula:
      '<mi>y</mi><mo>∈</mo><msup><mi>ℝ</mi><mi>n</mi></msup><mo>,</mo><mspace width="1em"/><mi>n</mi><mo>=</mo><mi>side</mi><mo>×</mo><mi>side</mi><mo>×</mo><mi>channels</mi>',
  },
  patchAtom: {
    title: 'Atom',
    text: 'An atom is a pattern of the size of a patch; grey means zero, white and black are its largest values. Every patch is a sum of all atoms, each multiplied by a number, its code. Atoms of photographs are edges, bars and waves, because few of these describe most patches.',
    formula:
      '<mi>y</mi><mo>=</mo><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub><msub><mi>d</mi><mi>i</mi></msub>',
  },
  patchCode: {
    title: 'Code',
    text: 'The codes of a patch say how much of each atom it holds. Atoms are at right angles and of length one, so a code is one inner product. A patch of n pixels has n codes, most of them small if the dictionary is good.',
    formula: '<msub><mi>x</mi><mi>i</mi></msub><mo>=</mo><msubsup><mi>d</mi><mi>i</mi><mi>T</mi></msubsup><mi>y</mi>',
  },
  keptPatchCodes: {
    title: 'k, the codes kept',
    text: 'Every patch keeps its k codes of largest magnitude, and all others become zero. One of them nearly always goes to the brightness of the patch, in all three bases alike. The better the basis, the smaller the k that still gives a good picture.',
    formula:
      '<mover><mi>y</mi><mo>^</mo></mover><mo>=</mo><munder><mo>∑</mo><mrow><mi>k</mi><mspace width="0.3em"/><mtext>largest</mtext><mspace width="0.3em"/><mo>|</mo><msub><mi>x</mi><mi>i</mi></msub><mo>|</mo></mrow></munder><msub><mi>x</mi><mi>i</mi></msub><msub><mi>d</mi><mi>i</mi></msub>',
  },
  patchSparsity: {
    title: 'Sparsity',
    text: 'Learning turns the atoms until the sum of |code|³ (or code⁴) over all patches is as large as it can be. Turning changes no energy, so this sum is large only where few codes are large and the rest are small. Here it is taken over 1,000 patches without their brightness, and divided by that of the DCT.',
    formula:
      '<munder><mi>max</mi><mrow><mi>D</mi><msup><mi>D</mi><mi>T</mi></msup><mo>=</mo><mi>I</mi></mrow></munder><mo>∑</mo><msup><mrow><mo>|</mo><msub><mi>x</mi><mi>i</mi></msub><mo>|</mo></mrow><mi>q</mi></msup>',
  },
  patchNorm: {
    title: 'Norm',
    text: 'The power q of the codes that learning makes large. With 4 it looks for codes of which very few are very large; 3 is milder, needs fewer patches and is the better one for most photographs. Both give atoms at right angles.',
    formula:
      '<msubsup><mrow><mo>‖</mo><mi>x</mi><mo>‖</mo></mrow><mi>q</mi><mi>q</mi></msubsup><mo>=</mo><mo>∑</mo><msup><mrow><mo>|</mo><msub><mi>x</mi><mi>i</mi></msub><mo>|</mo></mrow><mi>q</mi></msup>',
  },
  pcaOfPatches: {
    title: 'PCA',
    text: 'Principal components are the basis that holds the most energy in its first few atoms, the same few for all patches. They are computed from the same patches as the learned dictionary. Patches that differ need different atoms, and that is what a sparse dictionary is for.',
    formula:
      '<msup><mi>Y</mi><mi>T</mi></msup><mi>Y</mi><msub><mi>d</mi><mi>i</mi></msub><mo>=</mo><msub><mi>λ</mi><mi>i</mi></msub><msub><mi>d</mi><mi>i</mi></msub>',
  },
  dctOfPatches: {
    title: 'DCT',
    text: 'The discrete cosine transform is the fixed basis of JPEG: waves of all frequencies along both sides of a patch. It knows nothing of your picture, and is hard to beat on photographs. In colour it is taken of brightness and two differences of colours.',
    formula:
      '<msub><mi>c</mi><mi>u</mi></msub><mo stretchy="false">(</mo><mi>x</mi><mo stretchy="false">)</mo><mo>∝</mo><mi>cos</mi><mfrac><mrow><mi>π</mi><mo stretchy="false">(</mo><mn>2</mn><mi>x</mi><mo>+</mo><mn>1</mn><mo stretchy="false">)</mo><mi>u</mi></mrow><mrow><mn>2</mn><mi>n</mi></mrow></mfrac>',
  },
  psnr: {
    title: 'PSNR',
    text: 'The peak signal-to-noise ratio says how close two pictures are, in decibels; more is closer. From 40 dB on you hardly see a difference, at 25 dB you clearly do. Halving every error adds 6 dB.',
    formula:
      '<mi>PSNR</mi><mo>=</mo><mn>10</mn><msub><mi>log</mi><mn>10</mn></msub><mfrac><msup><mn>255</mn><mn>2</mn></msup><mtext>mean squared error</mtext></mfrac>',
  },
  ssim: {
    title: 'SSIM',
    text: 'Structural similarity compares brightness, contrast and pattern in small windows, as eyes do. It is 1 for equal pictures. It notices smeared texture that PSNR forgives.',
    formula:
      '<mfrac><mrow><mo stretchy="false">(</mo><mn>2</mn><msub><mi>μ</mi><mi>x</mi></msub><msub><mi>μ</mi><mi>y</mi></msub><mo>+</mo><msub><mi>c</mi><mn>1</mn></msub><mo stretchy="false">)</mo><mo stretchy="false">(</mo><mn>2</mn><msub><mi>σ</mi><mrow><mi>x</mi><mi>y</mi></mrow></msub><mo>+</mo><msub><mi>c</mi><mn>2</mn></msub><mo stretchy="false">)</mo></mrow><mrow><mo stretchy="false">(</mo><msubsup><mi>μ</mi><mi>x</mi><mn>2</mn></msubsup><mo>+</mo><msubsup><mi>μ</mi><mi>y</mi><mn>2</mn></msubsup><mo>+</mo><msub><mi>c</mi><mn>1</mn></msub><mo stretchy="false">)</mo><mo stretchy="false">(</mo><msubsup><mi>σ</mi><mi>x</mi><mn>2</mn></msubsup><mo>+</mo><msubsup><mi>σ</mi><mi>y</mi><mn>2</mn></msubsup><mo>+</mo><msub><mi>c</mi><mn>2</mn></msub><mo stretchy="false">)</mo></mrow></mfrac>',
  },
  energyOfPatches: {
    title: 'Energy',
    text: 'The energy of a patch is the sum of its squared pixels, and the sum of its squared codes is the same. The share of an atom is what its codes hold of the energy of all patches. The first atom is mostly the brightness, and holds nearly all of it; details are in the rest.',
    formula:
      '<msup><mrow><mo>‖</mo><mi>y</mi><mo>‖</mo></mrow><mn>2</mn></msup><mo>=</mo><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup><mo>+</mo><mo>…</mo><mo>+</mo><msubsup><mi>x</mi><mi>n</mi><mn>2</mn></msubsup>',
  },
  denoising: {
    title: 'Denoising',
    text: 'Noise spreads over all codes alike, while the picture sits in few large ones: small codes are noise. The codes of overlapping patches at every place are shrunk, first by a threshold, then by what the first result says of their size, and all patches that cover a pixel are averaged. The strength of the noise is estimated from the smoothest patches.',
    formula:
      '<msub><mi>x</mi><mi>i</mi></msub><mo>↦</mo><mfrac><msubsup><mi>b</mi><mi>i</mi><mn>2</mn></msubsup><mrow><msubsup><mi>b</mi><mi>i</mi><mn>2</mn></msubsup><mo>+</mo><msup><mi>σ</mi><mn>2</mn></msup></mrow></mfrac><msub><mi>x</mi><mi>i</mi></msub>',
  },
} as const satisfies Record<string, Term>;
