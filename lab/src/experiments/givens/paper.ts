/** The paper behind the experiments of this folder. */
export const GROUP = 'givens';
export const PAPER = 'Shalit & Chechik, Coordinate-descent for learning orthogonal matrices through Givens rotations';
