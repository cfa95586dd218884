/** Words of the tab "Recover". Rows of matrices are samples and atoms, as in the library. */
import { formula, over, sub, subsup, sup } from './mathml.ts';
import type { Term } from './term.ts';

const stretched = sup(`( ${sup('( Y Aᵀ )', '3')} )`, 'ᵀ');

export const RECOVER = {
  atoms: {
    title: 'Atoms',
    text: 'Atoms are the patterns that all samples are made of, n of them with n numbers each. Here they are drawn at random, at right angles to each other, and kept secret from the solver. A recovered atom has the right direction within 8 degrees; its sign and its place in the list cannot be determined.',
    formula: formula(
      `| ⟨ ${sub('a', 'i')} , ${sub('d', 'j')} ⟩ | > 0.99 ; ‖ ${sub('a', 'i')} ‖ = ‖ ${sub('d', 'j')} ‖ = 1`,
    ),
  },
  codes: {
    title: 'Codes',
    text: 'The codes of a sample say how much of each atom it holds. Most of them are zero: that is what a solver looks for. Samples are codes times atoms, and the solver sees only the samples.',
    formula: formula('Y = X D ; X = Y Dᵀ'),
  },
  theta: {
    title: 'Density θ',
    text: 'Each code is different from zero with probability θ, and then it is a normal random number. Small θ means sparse codes, which are easy to find. Towards 1 the samples look normal in every basis, and nothing can be recovered.',
    formula: formula(`${sub('x', 'j i')} = Bernoulli ( θ ) · Normal ( 0 , 1 )`),
  },
  samples: {
    title: 'Samples p',
    text: 'The number of samples to learn from. About n² of them are needed, and more for dense codes. Maximising alone has an error that shrinks like 1/p; above a certain number of samples the refinement is exact.',
    formula: formula(`Y ∈ ${sup('ℝ', 'p × n')} ; p ≳ ${sup('n', '2')}`),
  },
  noise: {
    title: 'Noise',
    text: 'A normal random number of this standard deviation is added to every number of every sample. Codes that are not zero have a standard deviation of 1. With noise no code is exactly zero, so the refinement has less or nothing to work with, and the noise limits the error.',
    formula: formula(`Y = X D + σ N ; ${sub('N', 'j k')} = Normal ( 0 , 1 )`),
  },
  condition: {
    title: 'Condition',
    text: 'The condition number of the dictionary is its largest singular value divided by its smallest. At 1 the atoms are at right angles; above, they lean towards each other, and every contender whitens the samples first (--whiten zca), which makes the dictionary orthogonal. The matrix then shows the atoms in the coordinates of the true ones, A D⁻¹, since A Dᵀ would show how the true atoms lean.',
    formula: formula(`κ = ${over(sub('σ', 'max'), sub('σ', 'min'))} ; Z = ${sup('Y ( Yᵀ Y / p )', '−½')}`),
  },
  coordinates: {
    title: 'The matrix |A Dᵀ|',
    text: 'Row i holds the cosines between the learned atom i and all true atoms, without their signs. When an atom is recovered, its row has a single 1 and zeros elsewhere. When all are, the matrix is a permutation: the right atoms in some order.',
    formula: formula(`C = A Dᵀ ; ${sub('c', 'i j')} = ⟨ ${sub('a', 'i')} , ${sub('d', 'j')} ⟩`),
  },
  recoveryError: {
    title: 'Recovery error',
    text: 'It is 0 when every learned atom is a true atom up to its sign, and close to 1 for random atoms. It is about the square of the errors of the atoms: 1e-20 means ten correct digits. It is summed without subtracting nearly equal numbers, so it stays right far below 1e-16, where 1 minus the sum would show nothing but rounding.',
    formula: formula(`| 1 − ${over(subsup('‖ A Dᵀ ‖', '4', '4'), 'n')} |`),
  },
  objective: {
    title: 'Objective',
    text: 'The sum of the fourth powers of the codes is largest when few codes are large and the others are zero. It is shown for every contender, whatever it maximises itself, relative to that of the true dictionary, over the first 1,000 samples. With few samples it ends above 1, and with three per atom above 2: the maximum is not the truth, since some wrong atoms fit these samples better. Curves are drawn while a run explores; stages that look for zeros have another goal and may lower the objective, so only their result is drawn.',
    formula: formula(`${subsup('‖ Y Aᵀ ‖', '4', '4')} / ${subsup('‖ Y Dᵀ ‖', '4', '4')}`),
  },
  msp: {
    title: 'MSP: matching, stretching, projection',
    text: 'Match the samples with the atoms to get codes, stretch the codes by their third power so that large ones count more, and project the result to the nearest orthogonal matrix. Each step is one pass over the samples and can only raise the sum of the fourth powers of the codes. It ends near the truth, at a distance that depends on the number of samples.',
    formula: formula(`A ← polar ( ${stretched} Y ) ; polar ( U Σ Vᵀ ) = U Vᵀ`),
  },
  shift: {
    title: 'Shift',
    text: 'Codes that look normal contribute a multiple of A to every step, which only holds it back. Subtracting that multiple keeps the solutions and halves the number of steps, or better. A step that lowers the objective is repeated with less of it.',
    formula: formula(
      `A ← polar ( ${stretched} Y − β A ) ; β = ${over(`3 ${subsup('‖ Y ‖', 'F', '4')}`, `p ${sup('n', '2')}`)}`,
    ),
  },
  refinement: {
    title: 'Refinement',
    text: 'Near the solution one can tell which codes are zero. An atom must be orthogonal to the part of the samples in which its code is zero, and that is true without any sampling error. So a few passes lead from an error of about 1e-2 to rounding; the library does this by default. If the zeros do not certify the atoms, because samples are few, codes dense or numbers noisy, it searches by maximum likelihood.',
    formula: formula(`⟨ ${sub('y', 'j')} , ${sub('a', 'i')} ⟩ = 0 ; where ; ${sub('x', 'j i')} = 0`),
  },
  l3: {
    title: 'ℓ3 norm',
    text: 'The third powers of the codes without their signs, instead of the fourth powers. Large codes count less, so it often needs fewer samples, and outliers do less harm. It is refined in the same way.',
    formula: formula(`A ← polar ( ${sup('( | X | ∘ X )', 'ᵀ')} Y ) ; X = Y Aᵀ`),
  },
  ica: {
    title: 'ICA: independent components',
    text: 'The classical way to separate independent sources: it whitens the samples, then looks for codes that are as far from normal as possible, with a density that is fitted to the codes of every atom. It uses that codes are independent, not that they are zero, so without refinement it ends near the truth like MSP.',
    formula: formula(`A ← polar ( diag ( E ψ′ ) A − E [ ψ ( x ) ${sup('z', 'ᵀ')} ] ) ; x = A z`),
  },
  phaseTransition: {
    title: 'Phase transition',
    text: 'Where samples are many and codes are sparse, the dictionary is always recovered; where samples are few or codes are dense, never. The border between is sharp, and sharper for larger n. A cell counts as recovered if the recovery error is at most 0.1, as in the figures of the ℓ4 papers.',
    formula: formula(`| 1 − ${over(subsup('‖ A Dᵀ ‖', '4', '4'), 'n')} | ≤ 0.1`),
  },
} as const satisfies Record<string, Term>;
