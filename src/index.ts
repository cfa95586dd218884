/**
 * orthodict for any JavaScript runtime.
 *
 * @module orthodict
 */
export { type Counts, countsFromMatrix, countsFromTriplets, type Triplet } from './core/counts.ts';
export { InputError, inputError } from './core/errors.ts';
export { type FloatArray, fromRows, type Matrix, type Matrix64, type Precision } from './core/matrix.ts';
export * as option from './core/options.ts';
export { shareMatrix } from './core/share.ts';
export { dctAtoms } from './dictionaries/dct.ts';
export { type DenseParts, denseDictionary } from './dictionaries/dense.ts';
export type { Dictionary } from './dictionaries/dictionary.ts';
export type { Approximation, FactorOptions } from './dictionaries/factoring/factor.ts';
export { factorGivens, type GivensFactors } from './dictionaries/factoring/factor-givens.ts';
export { factorHouseholder, type HouseholderFactors } from './dictionaries/factoring/factor-householder.ts';
export { type GivensProduct, givensDictionary } from './dictionaries/givens.ts';
export { type HouseholderProduct, householderDictionary } from './dictionaries/householder.ts';
export { type OvercompleteParts, overcompleteDictionary } from './dictionaries/overcomplete.ts';
export { pcaAtoms } from './dictionaries/pca.ts';
export type { Budgets } from './engine/budgets.ts';
export type { Checkpoint, CheckpointStore, CurrentLoop, FinishedLoop, Identity } from './engine/checkpoint.ts';
export type { Executor } from './engine/executor.ts';
export { inlineExecutor } from './engine/inline.ts';
export { type IterateOptions, iterate, type Outcome, type Position } from './engine/iterate.ts';
export { type MemorySource, memorySource } from './engine/memory.ts';
export { accumulate, type Chunk, type Pass, type PassExample } from './engine/pass.ts';
export { definePass } from './engine/registry.ts';
export type { RunOptions } from './engine/run.ts';
export {
  type AtomsSolver,
  type AtomsState,
  atomsShape,
  initialState,
  type Solver,
  type SolverState,
  type StepReport,
} from './engine/solver.ts';
export type { Locator, PatchShape, RowRange, Source } from './engine/source.ts';
export type { Field, StateShape } from './engine/state-shape.ts';
export * as field from './engine/state-shape.ts';
export {
  type Ends,
  type Progress,
  type Status,
  type StopRule,
  stopAfterIterations,
  stopAfterSeconds,
  stopWhenChangeBelow,
  stopWhenObjectiveStalls,
  type Verdict,
} from './engine/stop.ts';
export type { Block } from './engine/sum-tree.ts';
export { type Colour, inColour } from './images/colour.ts';
export { atomGallery, type GalleryOptions } from './images/gallery.ts';
export { type LabelledOptions, labelledGallery, type Panel, panels } from './images/labelled.ts';
export type { PatchGrid } from './images/patch-grid.ts';
export { type PatchOptions, type PictureOptions, patchesOf, pictureFrom } from './images/patches.ts';
export type { Picture, Pixels } from './images/picture.ts';
export { encodePng } from './images/png.ts';
export type {
  CodeMoments,
  Conditioning,
  CorrelateRequest,
  Correlation,
  FastTransform,
  HistogramRequest,
  KernelName,
  Kernels,
  LassoRequest,
  LikelihoodResponse,
  LikelihoodSums,
  MeasureRequest,
  Measures,
  PlaneRows,
  PlaneSums,
  ProductForm,
  ProjectByAtomRequest,
  PursueRequest,
  ReflectorTransform,
  Response,
  RotationTransform,
  SampleSizes,
  SampleSurvey,
  SparseCodes,
  SymmetricEigen,
  TurnRequest,
} from './kernels/kernels.ts';
export { type BackendChoice, selectKernels, supportedKernels } from './kernels/select.ts';
export type { WasmMemory } from './kernels/wasm/webassembly.ts';
export { type Certainty, certaintyWords } from './learn/certificate/certainty.ts';
export type { Refusal } from './learn/certificate/certificate.ts';
export type { CommonOptions, CommonSettings } from './learn/common-options.ts';
export type { Coordinates } from './learn/coordinates.ts';
export { type HeldOut, holdOut } from './learn/holdout.ts';
export { type LearnResult, learn, learnSteps } from './learn/learn.ts';
export { METHODS, type MethodName } from './learn/method-list.ts';
export {
  type AnyMethod,
  asSolver,
  defineMethod,
  type Ended,
  type Learned,
  type Method,
  type Scout,
  type Scouting,
  type SearchWish,
  type Shape,
} from './learn/methods/method.ts';
export { procrustesAtoms } from './learn/methods/procrustes.ts';
export { OnlineLearner, type OnlineLearnerOptions } from './learn/online-learner.ts';
export { type LearnOptions, type LearnSettings, learnDefaults, type OptionsFor } from './learn/options.ts';
export { Problem, type ProblemInput } from './learn/problem.ts';
export type { Remark, RemarkCode } from './learn/remarks.ts';
export type { StartReport } from './learn/run-starts.ts';
export type { FollowedDictionary, KnownDictionary } from './learn/stream/dictionary-stream.ts';
export { StreamLearner, type StreamLearnerOptions } from './learn/stream/stream-learner.ts';
export { type UpdatedDictionary, updateDictionary } from './learn/stream/update-dictionary.ts';
export type { UpdateOptions } from './learn/stream/update-options.ts';
export { polar } from './linalg/polar.ts';
export { type Agreement, agreement } from './metrics/agreement.ts';
export { amariDistance } from './metrics/amari.ts';
export { compareLabels, type LabelComparison } from './metrics/compare-labels.ts';
export { compareSupports, type SupportComparison } from './metrics/compare-supports.ts';
export { atomCoordinates } from './metrics/coordinates.ts';
export { type CodeQuality, type EvaluateOptions, type Evaluation, evaluate } from './metrics/evaluate.ts';
export { type AtomMatch, type AtomPair, matchAtoms } from './metrics/match-atoms.ts';
export { matchRows, type RowMatch, type RowPair } from './metrics/match-rows.ts';
export { productDistance } from './metrics/product-distance.ts';
export { psnr } from './metrics/psnr.ts';
export { recoveryError } from './metrics/recovery-error.ts';
export { density, hoyerSparsity, kurtosis } from './metrics/sparsity.ts';
export { type SsimShape, ssim } from './metrics/ssim.ts';
export { topResidual, topResiduals } from './metrics/top-residual.ts';
export {
  type HouseholderResult,
  learnHouseholder,
} from './models/householder/learn-householder.ts';
export { type HouseholderOptions, householderDefaults } from './models/householder/options.ts';
export type { TriedClusters } from './models/mixtures/choose-clusters.ts';
export type { Covariance } from './models/mixtures/families.ts';
export { learnMixture, type MixtureResult } from './models/mixtures/learn-mixture.ts';
export { type Assigned, assignToClusters } from './models/mixtures/membership.ts';
export { type MixtureOptions, mixtureDefaults } from './models/mixtures/options.ts';
export type { TriedStart } from './models/mixtures/starts.ts';
export type { Mixture } from './models/mixtures/statistics.ts';
export type { Components } from './models/sparse-pca/components.ts';
export { learnSparsePca, type SparsePcaResult } from './models/sparse-pca/learn-sparse-pca.ts';
export {
  learnSparsePcaStream,
  type SparsePcaStreamResult,
  type StreamItems,
} from './models/sparse-pca/learn-sparse-pca-stream.ts';
export {
  type SparsePcaMethod,
  type SparsePcaOptions,
  type SparsePcaStreamAlgorithm,
  type SparsePcaStreamOptions,
  sparsePcaDefaults,
  sparsePcaStreamDefaults,
} from './models/sparse-pca/options.ts';
export { scoresOf } from './models/sparse-pca/scores.ts';
export {
  SparsePcaStream,
  type SparsePcaStreamState,
  type StreamComponents,
  type StreamItem,
} from './models/sparse-pca/stream.ts';
export { type TensorCertainty, tensorCertaintyWords } from './models/tensor/certainty.ts';
export { learnMoments, type MomentsResult } from './models/tensor/learn-moments.ts';
export { type Decomposition, learnTensor, type TensorResult } from './models/tensor/learn-tensor.ts';
export { type MomentTerm, momentObjective } from './models/tensor/moment-objective.ts';
export { type MomentsOptions, momentsDefaults, type TensorOptions, tensorDefaults } from './models/tensor/options.ts';
export { type PowerMethodOptions, powerMethod, powerMethodDefaults } from './models/tensor/power-method.ts';
export { fromFactors, type SymmetricTensor, symmetricTensor } from './models/tensor/symmetric-tensor.ts';
export {
  type CountedWords,
  type CountWordsOptions,
  countWords,
  countWordsDefaults,
  ENGLISH_STOP_WORDS,
} from './models/topics/count-words.ts';
export { learnTopics, type TopicsResult, topWords } from './models/topics/learn-topics.ts';
export { type TopicsOptions, topicsDefaults } from './models/topics/options.ts';
export type { Perplexity } from './models/topics/perplexity.ts';
export type { PursuitTransform, Transform } from './passes/encode.ts';
export type { Selection } from './passes/select-codes.ts';
export {
  type CompressedPicture,
  type CompressedPlane,
  type CompressOptions,
  type CompressResult,
  compressPicture,
  restorePicture,
} from './pictures/compress.ts';
export { type DenoiseOptions, type DenoiseResult, denoise } from './pictures/denoise.ts';
export { type Ascent, type AscentOptions, ascend, ascentDefaults } from './rotations/ascend.ts';
export type { GivensOptions, GivensState, RotationObjective } from './rotations/engine.ts';
export { type L4Codes, l4Objective } from './rotations/l4-objective.ts';
export { PAIR_RULES, type PairRule } from './rotations/pairs.ts';
export type { Turn } from './rotations/planes.ts';
export {
  type Generated,
  type GenerateOptions,
  generate,
  generateDefaults,
  generateWithPauses,
} from './synthetic/bernoulli-gaussian.ts';
export {
  type GeneratedHouseholder,
  type GenerateHouseholderOptions,
  generateHouseholder,
  generateHouseholderDefaults,
} from './synthetic/householder.ts';
export {
  type GeneratedMixture,
  type GenerateMixtureOptions,
  generateMixture,
  generateMixtureDefaults,
} from './synthetic/mixture.ts';
export {
  type GeneratedSparseComponents,
  type GenerateSparseComponentsOptions,
  generateSparseComponents,
  generateSparseComponentsDefaults,
  streamSparseComponents,
} from './synthetic/sparse-components.ts';
export {
  type GeneratedTopics,
  type GenerateTopicsOptions,
  generateTopics,
  generateTopicsDefaults,
} from './synthetic/topics.ts';
