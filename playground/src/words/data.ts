/** Words of the tab "Your data". */
import { formula, over, sub, sup } from './mathml.ts';
import type { Term } from './term.ts';

export const DATA = {
  sample: {
    title: 'Sample',
    text: 'A sample is one row of your table: one hour of measurements, one picture, one customer. Learning uses all of them, in any order. Every sample has the same features.',
    formula: formula(`y ∈ ${sup('ℝ', 'n')}`),
  },
  feature: {
    title: 'Feature',
    text: 'A feature is one column that is used: a number that every sample has. Features in very different units hide each other, because the one with the largest numbers holds most of the energy. Scale such columns first, or whiten.',
  },
  code: {
    title: 'Code',
    text: 'The code of a sample says how much of each atom it contains, one number per atom. A dictionary is good if most of these numbers are close to zero. From all its codes a sample is rebuilt exactly; from the few largest, almost.',
    formula: formula('x = D ( y − m )'),
  },
  energy: {
    title: 'Energy',
    text: 'The energy of a table is the sum of the squares of its numbers, after the mean is subtracted if you centre. Keep only the k largest codes of every row, rebuild the table, and some energy is missing. The lower the curve, the better few numbers describe your rows.',
    formula: formula(`missing = ${over(`∑ ${sup('‖ y − ŷ ‖', '2')}`, `∑ ${sup('‖ y − m ‖', '2')}`)}`),
  },
  pca: {
    title: 'Principal components',
    text: 'Principal components (PCA) are the directions in which the table varies most, at right angles to each other. They are the best choice if every row must use the same few directions. A learned dictionary lets every row pick its own few atoms, which pays off if different rows have different causes.',
    formula: formula(`${sup('Y', 'T')} Y = ${sup('V', 'T')} Λ V`),
  },
  cosine: {
    title: 'Cosine transform',
    text: 'The cosine transform (DCT) writes a row as a sum of waves; it is fixed and learns nothing. It suits signals and pictures, whose neighbouring features are alike. For columns in no particular order it says little.',
  },
  whitening: {
    title: 'Whitening',
    text: 'Whitening turns and stretches the table until all directions vary equally, so that no column outweighs another. The atoms then need not be at right angles, as when several sources are mixed in unknown amounts. Without it, the dictionary is orthogonal in the units of your table.',
    formula: formula(`${sub('y', 'white')} = ${sup('C', '− 1 / 2')} ( y − m )`),
  },
  centring: {
    title: 'Centring',
    text: 'Centring subtracts the mean row, so that codes describe how a row differs from the usual one. The model stores the mean and adds it again when rows are rebuilt. Leave it off if zero means "nothing" in your table, as for counts.',
  },
  holdout: {
    title: 'Rows held out',
    text: 'Learning does not see these rows; they judge the result. A dictionary that describes rows it has never seen has found structure in your table, rather than memorised it. Principal components are fitted to the same rows as the dictionary, so the comparison is fair.',
  },
  start: {
    title: 'Start',
    text: 'Learning begins with random atoms and climbs until no step gains any more. Another start may climb another hill. Several starts are run from successive seeds, and the best is kept.',
  },
  agreement: {
    title: 'Agreement',
    text: 'Two starts agree on an atom if both find it, up to its sign, with a cosine above 0.99. What all starts find is a property of your table. What only one finds depends on chance: do not interpret it.',
    formula: formula(`| ⟨ ${sub('a', 'i')} , ${sub('b', 'j')} ⟩ | > 0.99`),
  },
} as const satisfies Record<string, Term>;
