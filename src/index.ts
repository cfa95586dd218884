/**
 * orthodict for any JavaScript runtime.
 *
 * @module orthodict
 */
export { type Counts, countsFromMatrix, countsFromTriplets, type Triplet } from './core/counts.ts';
export { InputError } from './core/errors.ts';
export { type FloatArray, fromRows, type Matrix, type Matrix64, type Precision } from './core/matrix.ts';
export { type DenseParts, denseDictionary } from './dictionaries/dense.ts';
export type { Dictionary } from './dictionaries/dictionary.ts';
export {
  type CodingRun,
  type DecodeOptions,
  decode,
  type EncodeOptions,
  encode,
} from './dictionaries/encode.ts';
export type { Approximation, FactorOptions } from './dictionaries/factoring/factor.ts';
export { factorGivens, type GivensFactors } from './dictionaries/factoring/factor-givens.ts';
export { factorHouseholder, type HouseholderFactors } from './dictionaries/factoring/factor-householder.ts';
export { type GivensProduct, givensDictionary } from './dictionaries/givens.ts';
export { type HouseholderProduct, householderDictionary } from './dictionaries/householder.ts';
export type { Model, ModelMeta } from './dictionaries/model.ts';
export { type OvercompleteParts, overcompleteDictionary } from './dictionaries/overcomplete.ts';
export type { Checkpoint, CheckpointStore } from './engine/checkpoint.ts';
export type { Executor } from './engine/executor.ts';
export type { RunOptions } from './engine/run.ts';
export type { Locator, PatchShape, RowRange, Source } from './engine/source/source.ts';
export type { Progress, Status } from './engine/stop.ts';
export type { Certainty } from './learn/certificate/certainty.ts';
export type { Refusal } from './learn/certificate/certificate.ts';
export { type HeldOut, holdOut } from './learn/holdout.ts';
export { type LearnResult, learn, learnSteps } from './learn/learn.ts';
export type * from './learn/option-types.ts';
export { METHODS, type OptionsWith } from './learn/options.ts';
export type { PathStep } from './learn/pipeline.ts';
export type { Remark, RemarkCode } from './learn/remarks.ts';
export type { StartReport } from './learn/run-starts.ts';
export type { FollowedDictionary, KnownDictionary } from './learn/stream/dictionary-stream.ts';
export { StreamLearner } from './learn/stream/stream-learner.ts';
export { type UpdatedDictionary, updateDictionary } from './learn/stream/update-dictionary.ts';
export { type CodeQuality, type Evaluation, evaluate } from './metrics/evaluate.ts';
export * as metrics from './metrics/index.ts';
export { type AtomMatch, type AtomPair, matchAtoms } from './metrics/match-atoms.ts';
export type { EvaluateOptions } from './metrics/option-types.ts';
export { recoveryError } from './metrics/recovery-error.ts';
export { type HouseholderResult, learnHouseholder } from './models/householder/learn-householder.ts';
export type { HouseholderOptions } from './models/householder/option-types.ts';
export type { TriedClusters } from './models/mixtures/choose-clusters.ts';
export type { Covariance } from './models/mixtures/families.ts';
export { learnMixture, type MixtureResult } from './models/mixtures/learn-mixture.ts';
export { type Assigned, assignToClusters } from './models/mixtures/membership.ts';
export type { MixtureOptions } from './models/mixtures/option-types.ts';
export type { TriedStart } from './models/mixtures/starts.ts';
export type { Mixture } from './models/mixtures/statistics.ts';
export type { Components } from './models/sparse-pca/components.ts';
export { learnSparsePca, type SparsePcaResult } from './models/sparse-pca/learn-sparse-pca.ts';
export {
  learnSparsePcaStream,
  type SparsePcaStreamResult,
  type StreamItems,
} from './models/sparse-pca/learn-sparse-pca-stream.ts';
export type { SparsePcaOptions, SparsePcaStreamOptions } from './models/sparse-pca/option-types.ts';
export type { SparsePcaMethod } from './models/sparse-pca/options.ts';
export { scoresOf } from './models/sparse-pca/scores.ts';
export {
  SparsePcaStream,
  type SparsePcaStreamState,
  type StreamComponents,
  type StreamItem,
} from './models/sparse-pca/stream.ts';
export type { TensorCertainty } from './models/tensor/certainty.ts';
export { learnMoments, type MomentsResult } from './models/tensor/learn-moments.ts';
export { type Decomposition, learnTensor, type TensorResult } from './models/tensor/learn-tensor.ts';
export type { MomentsOptions, TensorOptions } from './models/tensor/option-types.ts';
export { fromFactors, type SymmetricTensor, symmetricTensor } from './models/tensor/symmetric-tensor.ts';
export { type CountedWords, countWords, ENGLISH_STOP_WORDS } from './models/topics/count-words.ts';
export { learnTopics, type TopicsResult, topWords } from './models/topics/learn-topics.ts';
export type { CountWordsOptions, TopicsOptions } from './models/topics/option-types.ts';
export type { Perplexity } from './models/topics/perplexity.ts';
export type { Selection } from './passes/select-codes.ts';
export type { Colour } from './pictures/colour.ts';
export {
  type CompressedPicture,
  type CompressedPlane,
  type CompressResult,
  compressPicture,
  restorePicture,
} from './pictures/compress.ts';
export { type DenoiseResult, denoise } from './pictures/denoise.ts';
export { atomGallery, type GalleryOptions } from './pictures/gallery.ts';
export type { CompressOptions, DenoiseOptions } from './pictures/option-types.ts';
export type { PatchGrid } from './pictures/patch-grid.ts';
export { type PatchOptions, type PictureOptions, patchesOf, pictureFrom } from './pictures/patches.ts';
export type { Picture, Pixels } from './pictures/picture.ts';
export { encodePng } from './pictures/png.ts';
export { type Generated, generate } from './synthetic/bernoulli-gaussian.ts';
export { type GeneratedHouseholder, generateHouseholder } from './synthetic/householder.ts';
export { type GeneratedMixture, generateMixture } from './synthetic/mixture.ts';
export type {
  GenerateHouseholderOptions,
  GenerateMixtureOptions,
  GenerateOptions,
  GenerateSparseComponentsOptions,
  GenerateTopicsOptions,
} from './synthetic/option-types.ts';
export { type GeneratedSparseComponents, generateSparseComponents } from './synthetic/sparse-components.ts';
export { type GeneratedTopics, generateTopics } from './synthetic/topics.ts';
