/** Words of the tab "Your picture". */
import { formula, over, sub, subsup, sup } from './mathml.ts';
import type { Term } from './term.ts';

export const PICTURE = {
  patch: {
    title: 'Patch',
    text: 'A patch is a small square that is cut out of the picture, 8×8 pixels for example. Its pixels, row by row, are one sample of n numbers, or 3n in colour. Patches overlap when the dictionary is learned; they lie side by side when the picture is rebuilt.',
    formula: formula(`y ∈ ${sup('ℝ', 'n')} ; n = side · side · channels`),
  },
  patchAtom: {
    title: 'Atom',
    text: 'An atom is a pattern of the size of a patch; grey means zero, white and black are its largest values. Every patch is a sum of all atoms, each multiplied by a number, its code. Atoms of photographs are edges, bars and waves, because few of these describe most patches.',
    formula: formula(`y = ${sub('x', '1')} ${sub('d', '1')} + … + ${sub('x', 'n')} ${sub('d', 'n')}`),
  },
  patchCode: {
    title: 'Code',
    text: 'The codes of a patch say how much of each atom it holds. Atoms are at right angles and of length one, so a code is one inner product. A patch of n pixels has n codes, most of them small if the dictionary is good.',
    formula: formula(`${sub('x', 'i')} = ⟨ y , ${sub('d', 'i')} ⟩ ; ‖ ${sub('d', 'i')} ‖ = 1`),
  },
  keptPatchCodes: {
    title: 'k, the codes kept',
    text: 'Every patch keeps its k codes of largest magnitude, and all others become zero. One of them is nearly always the brightness of the patch, in all three bases. The better the basis, the smaller the k that still gives a good picture.',
    formula: formula(`ŷ = ${sub('∑', 'i ∈ K')} ${sub('x', 'i')} ${sub('d', 'i')} ; K = largest k`),
  },
  patchSparsity: {
    title: 'Sparsity',
    text: 'Learning rotates the atoms until the sum of |code|³ (or code⁴) over all patches is as large as it can be. Rotation does not change the energy, so this sum is large only if few codes are large and the rest are small. Here it is computed for 1,000 patches without their brightness, and divided by that of the DCT.',
    formula: formula(`${sub('max', 'D Dᵀ = I')} ∑ ${sup(`| ${sub('x', 'i')} |`, 'q')}`),
  },
  patchNorm: {
    title: 'Norm',
    text: 'The power q of the codes that learning makes large. With 4 it looks for codes with very few, very large values; 3 is milder, needs fewer patches and is better for most photographs. Both give atoms at right angles.',
    formula: formula(`${subsup('‖ x ‖', 'q', 'q')} = ∑ ${sup(`| ${sub('x', 'i')} |`, 'q')} ; q = 3 , 4`),
  },
  pcaOfPatches: {
    title: 'PCA',
    text: 'Principal components are the basis that holds the most energy in its first few atoms, the same few for all patches. They are computed from the same patches as the learned dictionary. Different patches need different atoms; a sparse dictionary lets each patch choose its own.',
    formula: formula(
      `Yᵀ Y ${sub('d', 'i')} = ${sub('λ', 'i')} ${sub('d', 'i')} ; ${sub('λ', '1')} ≥ ${sub('λ', '2')} ≥ …`,
    ),
  },
  dctOfPatches: {
    title: 'DCT',
    text: 'The discrete cosine transform is the fixed basis of JPEG: waves of all frequencies along both sides of a patch. It knows nothing of your picture, and is hard to beat on photographs. In colour it is applied to brightness and two colour differences.',
    formula: formula(
      `${sub('d', 'uv')} ( x , y ) ∝ cos ${over('π ( 2 x + 1 ) u', '2 s')} cos ${over('π ( 2 y + 1 ) v', '2 s')}`,
    ),
  },
  psnr: {
    title: 'PSNR',
    text: 'The peak signal-to-noise ratio says how close two pictures are, in decibels; more is closer. From 40 dB on you hardly see a difference, at 25 dB you clearly do. Halving every error adds 6 dB.',
    formula: formula(`PSNR = 10 ${sub('log', '10')} ${over(sup('255', '2'), 'mean squared error')}`),
  },
  ssim: {
    title: 'SSIM',
    text: 'Structural similarity compares brightness, contrast and pattern in small windows, as eyes do. It is 1 for equal pictures. It notices smeared texture that PSNR forgives.',
    formula: formula(
      over(
        `( 2 ${sub('μ', 'x')} ${sub('μ', 'y')} + ${sub('c', '1')} ) ( 2 ${sub('σ', 'xy')} + ${sub('c', '2')} )`,
        `( ${subsup('μ', 'x', '2')} + ${subsup('μ', 'y', '2')} + ${sub('c', '1')} ) ( ${subsup('σ', 'x', '2')} + ${subsup('σ', 'y', '2')} + ${sub('c', '2')} )`,
      ),
    ),
  },
  energyOfPatches: {
    title: 'Energy',
    text: 'The energy of a patch is the sum of its squared pixels, and the sum of its squared codes is the same. The share of an atom is what its codes hold of the energy of all patches. The first atom is mostly the brightness, and holds nearly all of it; details are in the rest.',
    formula: formula(`${sup('‖ y ‖', '2')} = ${subsup('x', '1', '2')} + … + ${subsup('x', 'n', '2')}`),
  },
  denoising: {
    title: 'Denoising',
    text: 'Noise spreads over all codes alike, while the picture is in a few large ones, so small codes are noise. The codes of overlapping patches at every place are shrunk, first by a threshold, then by their size in the first result, and all patches that cover a pixel are averaged. The strength of the noise is estimated from the smoothest patches.',
    formula: formula(
      `${sub('x', 'i')} ↦ ${over(subsup('b', 'i', '2'), `${subsup('b', 'i', '2')} + ${sup('σ', '2')}`)} ${sub('x', 'i')}`,
    ),
  },
} as const satisfies Record<string, Term>;
