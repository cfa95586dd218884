/** orthodict for any JavaScript runtime. */
export type { Checkpoint, CheckpointStore } from './checkpoint.ts';
export { dctAtoms } from './dictionaries/dct.ts';
export { denseDictionary } from './dictionaries/dense.ts';
export type { Dictionary } from './dictionaries/dictionary.ts';
export type { Approximation, FactorOptions } from './dictionaries/factor.ts';
export { factorGivens, type GivensFactors } from './dictionaries/factor-givens.ts';
export { factorHouseholder, type HouseholderFactors } from './dictionaries/factor-householder.ts';
export { type GivensProduct, givensDictionary } from './dictionaries/givens.ts';
export { type HouseholderProduct, householderDictionary } from './dictionaries/householder.ts';
export { type OvercompleteParts, overcompleteDictionary } from './dictionaries/overcomplete.ts';
export { pcaAtoms } from './dictionaries/pca.ts';
export { InputError } from './errors.ts';
export type { Executor } from './executors/executor.ts';
export { inlineExecutor } from './executors/inline.ts';
export { type AscentOptions, ascend, type GivensOptions, type RotationObjective } from './givens/engine.ts';
export { l4Objective } from './givens/l4-objective.ts';
export { PAIR_RULES, type PairRule } from './givens/pairs.ts';
export type { Turn } from './givens/planes.ts';
export { type HouseholderResult, type HouseholderRun, learnHouseholder } from './householder.ts';
export { type HouseholderOptions, householderDefaults } from './householder-options.ts';
export { atomGallery, type GalleryOptions } from './images/gallery.ts';
export { imagePatches, type PatchOptions } from './images/patches.ts';
export type { Picture } from './images/picture.ts';
export { encodePng } from './images/png.ts';
export type { KernelName, Kernels } from './kernels/kernels.ts';
export { type BackendChoice, selectKernels, supportedKernels } from './kernels/select.ts';
export { type LearnResult, learn, learnSteps, type RunOptions } from './learn.ts';
export { type FloatArray, fromRows, type Matrix, type Matrix64, type Precision } from './matrix.ts';
export { amariDistance } from './metrics/amari.ts';
export { compareLabels, type LabelComparison } from './metrics/compare-labels.ts';
export { compareSupports, type SupportComparison } from './metrics/compare-supports.ts';
export { type AtomMatch, type AtomPair, matchAtoms } from './metrics/match-atoms.ts';
export { matchRows, type RowMatch, type RowPair } from './metrics/match-rows.ts';
export { productDistance } from './metrics/product-distance.ts';
export { psnr } from './metrics/psnr.ts';
export { recoveryError } from './metrics/recovery-error.ts';
export { density, hoyerSparsity, kurtosis } from './metrics/sparsity.ts';
export { topResidual, topResiduals } from './metrics/top-residual.ts';
export { type Assigned, assignToClusters, type Mixture } from './mixtures/membership.ts';
export { learnMixture, type MixtureOptions, type MixtureResult, mixtureDefaults } from './mixtures/spherical.ts';
export { OnlineLearner, type OnlineLearnerOptions } from './online-learner.ts';
export { type LearnOptions, learnDefaults, METHODS } from './options.ts';
export type { Selection } from './passes/select-codes.ts';
export { procrustes } from './solvers/procrustes.ts';
export type { Progress, Status } from './solvers/stop.ts';
export { type MemorySource, memorySource } from './sources/memory.ts';
export type { Source } from './sources/source.ts';
export type { Components } from './sparse-pca/components.ts';
export { type SparsePcaMethod, type SparsePcaOptions, sparsePcaDefaults } from './sparse-pca/options.ts';
export { scoresOf } from './sparse-pca/scores.ts';
export { type SparsePcaResult, type SparsePcaRun, sparsePca } from './sparse-pca/sparse-pca.ts';
export {
  SparsePcaStream,
  type StreamItem,
  type StreamOptions,
  type StreamResult,
  type StreamRun,
  type StreamState,
  sparsePcaOfStream,
} from './sparse-pca/stream.ts';
export {
  type GeneratedData,
  type GenerateOptions,
  generate,
  generateDefaults,
} from './synthetic/bernoulli-gaussian.ts';
export {
  type GeneratedHouseholderData,
  type GenerateHouseholderOptions,
  generateHouseholder,
  generateHouseholderDefaults,
} from './synthetic/householder.ts';
export {
  type GeneratedTopics,
  type GenerateTopicsOptions,
  generateTopics,
  generateTopicsDefaults,
} from './synthetic/lda.ts';
export {
  type GeneratedMixture,
  type GenerateMixtureOptions,
  generateMixture,
  generateMixtureDefaults,
} from './synthetic/mixture.ts';
export {
  generateSparseComponents,
  type SparseComponentsData,
  type SparseComponentsOptions,
  sparseComponentsDefaults,
  streamSparseComponents,
} from './synthetic/sparse-components.ts';
export {
  type DecomposeOptions,
  decomposeDefaults,
  decomposeTensor,
  type TensorDecomposition,
} from './tensor/decompose.ts';
export { decomposeMoments, type MomentDecomposition, type MomentOptions } from './tensor/decompose-moments.ts';
export { type MomentTerm, momentObjective } from './tensor/moment-objective.ts';
export { type PowerMethodOptions, powerMethod } from './tensor/power-method.ts';
export { fromFactors, type SymmetricTensor, symmetricTensor } from './tensor/symmetric-tensor.ts';
export { type CountedWords, type CountWordsOptions, countWords, ENGLISH_STOP_WORDS } from './topics/count-words.ts';
export { type Counts, countsFromMatrix, countsFromTriplets } from './topics/counts.ts';
export { learnTopics, type TopicsOptions, type TopicsResult, topicsDefaults, topWords } from './topics/learn-topics.ts';
export type { Perplexity } from './topics/perplexity.ts';
