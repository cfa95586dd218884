/** Figures that judge dictionaries, codes, clusters and pictures: `metrics` of the main entry. */
export { type Agreement, agreement } from './agreement.ts';
export { amariDistance } from './amari.ts';
export { compareLabels, type LabelComparison } from './compare-labels.ts';
export { compareSupports, type SupportComparison } from './compare-supports.ts';
export { atomCoordinates } from './coordinates.ts';
export { matchRows, type RowMatch, type RowPair } from './match-rows.ts';
export { productDistance } from './product-distance.ts';
export { psnr } from './psnr.ts';
export { density, hoyerSparsity, kurtosis } from './sparsity.ts';
export { type SsimShape, ssim } from './ssim.ts';
export { topResidual, topResiduals } from './top-residual.ts';
