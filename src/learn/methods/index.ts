/** The methods of `learn`, in the order of the documentation. To add one, write its file and list it here. */
import { dct } from './dct.ts';
import { fastica } from './fastica/fastica.ts';
import { givens } from './givens.ts';
import { gtransform } from './gtransform.ts';
import { householder } from './householder.ts';
import { ksvd } from './ksvd/ksvd.ts';
import { msp } from './msp.ts';
import { online } from './online/online.ts';
import { pca } from './pca.ts';
import { pga } from './pga.ts';
import { procrustes } from './procrustes.ts';
import { subgradient } from './subgradient/subgradient.ts';

export const methods = [
  msp,
  pga,
  givens,
  householder,
  procrustes,
  gtransform,
  fastica,
  pca,
  dct,
  subgradient,
  online,
  ksvd,
] as const;
