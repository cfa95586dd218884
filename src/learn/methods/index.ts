/** The methods of `learn`. To add one, write its file and add a line here. */
export { dct } from './dct.ts';
export { givens } from './givens.ts';
export { gtransform } from './gtransform.ts';
export { householder } from './householder.ts';
export { ica } from './ica/ica.ts';
export { ksvd } from './ksvd/ksvd.ts';
export { ml } from './ml.ts';
export { msp } from './msp.ts';
export { pca } from './pca.ts';
export { pga } from './pga.ts';
export { procrustes } from './procrustes.ts';
