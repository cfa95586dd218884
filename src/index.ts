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
  decodeChunks,
  type EncodeOptions,
  encode,
  encodeChunks,
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
export type { CommonOptions } from './learn/common-options.ts';
export { type HeldOut, holdOut } from './learn/holdout.ts';
export { type LearnResult, learn, learnSteps } from './learn/learn.ts';
export { METHODS, type MethodName } from './learn/method-list.ts';
export { OnlineLearner, type OnlineLearnerOptions } from './learn/online-learner.ts';
export type { LearnOptions } from './learn/options.ts';
export type { Remark, RemarkCode } from './learn/remarks.ts';
export type { StartReport } from './learn/run-starts.ts';
export type { FollowedDictionary, KnownDictionary } from './learn/stream/dictionary-stream.ts';
export { StreamLearner, type StreamLearnerOptions } from './learn/stream/stream-learner.ts';
export { type UpdatedDictionary, updateDictionary } from './learn/stream/update-dictionary.ts';
export type { UpdateOptions } from './learn/stream/update-options.ts';
export { type CodeQuality, type EvaluateOptions, type Evaluation, evaluate } from './metrics/evaluate.ts';
export * as metrics from './metrics/index.ts';
export { type AtomMatch, type AtomPair, matchAtoms } from './metrics/match-atoms.ts';
export { psnr } from './metrics/psnr.ts';
export { recoveryError } from './metrics/recovery-error.ts';
export { type HouseholderResult, learnHouseholder } from './models/householder/learn-householder.ts';
export type { HouseholderOptions } from './models/householder/options.ts';
export type { TriedClusters } from './models/mixtures/choose-clusters.ts';
export type { Covariance } from './models/mixtures/families.ts';
export { learnMixture, type MixtureResult } from './models/mixtures/learn-mixture.ts';
export { type Assigned, assignToClusters } from './models/mixtures/membership.ts';
export type { MixtureOptions } from './models/mixtures/options.ts';
export type { TriedStart } from './models/mixtures/starts.ts';
export type { Mixture } from './models/mixtures/statistics.ts';
export type { Components } from './models/sparse-pca/components.ts';
export { learnSparsePca, type SparsePcaResult } from './models/sparse-pca/learn-sparse-pca.ts';
export {
  learnSparsePcaStream,
  type SparsePcaStreamResult,
  type StreamItems,
} from './models/sparse-pca/learn-sparse-pca-stream.ts';
export type {
  SparsePcaMethod,
  SparsePcaOptions,
  SparsePcaStreamAlgorithm,
  SparsePcaStreamOptions,
} from './models/sparse-pca/options.ts';
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
export type { MomentsOptions, TensorOptions } from './models/tensor/options.ts';
export { fromFactors, type SymmetricTensor, symmetricTensor } from './models/tensor/symmetric-tensor.ts';
export {
  type CountedWords,
  type CountWordsOptions,
  countWords,
  ENGLISH_STOP_WORDS,
} from './models/topics/count-words.ts';
export { learnTopics, type TopicsResult, topWords } from './models/topics/learn-topics.ts';
export type { TopicsOptions } from './models/topics/options.ts';
export type { Perplexity } from './models/topics/perplexity.ts';
export type { Selection } from './passes/select-codes.ts';
export type { Colour } from './pictures/colour.ts';
export {
  type CompressedPicture,
  type CompressedPlane,
  type CompressOptions,
  type CompressResult,
  compressPicture,
  restorePicture,
} from './pictures/compress.ts';
export { type DenoiseOptions, type DenoiseResult, denoise } from './pictures/denoise.ts';
export { atomGallery, type GalleryOptions } from './pictures/gallery.ts';
export type { PatchGrid } from './pictures/patch-grid.ts';
export { type PatchOptions, type PictureOptions, patchesOf, pictureFrom } from './pictures/patches.ts';
export type { Picture, Pixels } from './pictures/picture.ts';
export { encodePng } from './pictures/png.ts';
export { type Generated, type GenerateOptions, generate } from './synthetic/bernoulli-gaussian.ts';
export {
  type GeneratedHouseholder,
  type GenerateHouseholderOptions,
  generateHouseholder,
} from './synthetic/householder.ts';
export { type GeneratedMixture, type GenerateMixtureOptions, generateMixture } from './synthetic/mixture.ts';
export {
  type GeneratedSparseComponents,
  type GenerateSparseComponentsOptions,
  generateSparseComponents,
} from './synthetic/sparse-components.ts';
export { type GeneratedTopics, type GenerateTopicsOptions, generateTopics } from './synthetic/topics.ts';
