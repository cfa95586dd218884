/**
 * orthodict for those who write a method, a pass, a source or an executor: everything that these are made of. Unlike the main
 * entry, it may change from version to version.
 *
 * @module orthodict/extend
 */
// Matrices, numbers, options
export { selectDocuments, weightedSum } from './core/counts.ts';
export { inputError } from './core/errors.ts';
export {
  addScaled,
  asFloat64,
  copy,
  dot,
  type FloatArray,
  firstRows,
  identity,
  inner,
  type Matrix,
  type Matrix64,
  maxDifference,
  norm,
  type Precision,
  range,
  rootMeanSquareDifference,
  row,
  rowRange,
  scaleRows,
  selectRows,
  stackRows,
  toFloat32,
  toFloat64,
  trace,
  transpose,
  unitRows,
  zeros,
} from './core/matrix.ts';
export * as option from './core/options.ts';
export { createRandom, normalMatrix, type Random, resumeRandom, shuffle } from './core/random.ts';
export { shareMatrix } from './core/shared-memory.ts';
// Bases to compare with, pictures of atoms, words for results
export { dctAtoms } from './dictionaries/dct.ts';
export {
  type CodingRun,
  type DecodeOptions,
  decodeChunks,
  type EncodeOptions,
  encodeChunks,
} from './dictionaries/encode.ts';
export { pcaAtoms } from './dictionaries/pca.ts';
// The engine: passes, sources, executors, solvers
export type { Budgets, Checkpoint, CheckpointStore, CurrentLoop, FinishedLoop, Identity } from './engine/checkpoint.ts';
export type { Executor } from './engine/executor.ts';
export { inlineExecutor } from './engine/executor.ts';
export { Forecast, type Goals, type Step } from './engine/forecast.ts';
export { type IterateOptions, iterate, type Outcome, type Position } from './engine/iterate.ts';
export { accumulate, type Chunk, definePass, type Pass, type PassExample } from './engine/pass.ts';
export { type LoopOptions, Run, type RunOptions } from './engine/run.ts';
export {
  type AtomsSolver,
  type AtomsState,
  atomsShape,
  initialState,
  type Solver,
  type SolverState,
  type StepReport,
} from './engine/solver.ts';
export { type MemorySource, memorySource } from './engine/source/memory.ts';
export {
  type AddressLocator,
  type BlobLocator,
  chunkRanges,
  type FileLocator,
  type FilesLocator,
  type Locator,
  type MemoryLocator,
  type PatchShape,
  type PlatformLocator,
  type RowRange,
  type SliceLocator,
  type Source,
  type SplitLocator,
  type SubsampleLocator,
  type ViewLocator,
} from './engine/source/source.ts';
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
// Kernels and linear algebra
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
  RotateRequest,
  RotationTransform,
  SampleSizes,
  SampleSurvey,
  SparseCodes,
  SymmetricEigen,
} from './kernels/kernels.ts';
export { rotateRows } from './kernels/planes.ts';
export { referenceKernels } from './kernels/reference.ts';
export { type BackendChoice, selectKernels, supportedKernels } from './kernels/select.ts';
export type { WasmMemory } from './kernels/wasm/webassembly.ts';
// Methods of learn
export { certaintyWords } from './learn/certificate/certainty.ts';
export { type CommonSettings, commonBut, exploringPrecision, toleranceOf } from './learn/common-options.ts';
export { type SweepOptions, sweepAtoms, unitVector, unusedAtoms } from './learn/methods/atom-sweep.ts';
export { changeUpToSigns } from './learn/methods/ica/ica.ts';
export {
  type AnyMethod,
  asSolver,
  defineMethod,
  type Ended,
  type Learned,
  type LearnSettings,
  type Method,
  type Scout,
  type Scouting,
  type SearchLimits,
  type SettingsOfMethod,
  type Shape,
} from './learn/methods/method.ts';
export { procrustesAtoms } from './learn/methods/procrustes.ts';
export { learnDefaults, type Settled, settleOptions } from './learn/options.ts';
export { Problem, type ProblemInput } from './learn/problem.ts';
export { type UnequalSpread, unequalSpread } from './learn/remarks.ts';
export { randomStart } from './learn/start.ts';
export type { Coordinates } from './learn/whitening.ts';
export { eigenvalues, eigh } from './linalg/eigh.ts';
export { determinantSign, solve } from './linalg/lu.ts';
export { polar } from './linalg/polar.ts';
export { orthonormalComplement, type QR, qr, randomOrthogonal } from './linalg/qr.ts';
export { reflect, reflectBack, reflectForward, reflectorTransform } from './linalg/reflectors.ts';
export { type TopEigen, topEigen } from './linalg/top-eigen.ts';
export { MATCHED_COSINE } from './metrics/match-atoms.ts';
// Parts of the models, to compare them one by one
export { reflectorFromMean } from './models/householder/moments.ts';
export { PairSearch, type PairTurn } from './models/sparse-pca/best-angle.ts';
export { largest as largestOfRows } from './models/sparse-pca/choose-gamma.ts';
export { describeLoadings } from './models/sparse-pca/components.ts';
export type { Fit, FitRun, Fitter } from './models/sparse-pca/fit.ts';
export { rotateFrom } from './models/sparse-pca/givens.ts';
export { fitByGPower, powerAscent } from './models/sparse-pca/gpower.ts';
export { type Moments, sampleMoments } from './models/sparse-pca/moments.ts';
export { sparsePcaDefaults } from './models/sparse-pca/options.ts';
export { shrunkEnergy } from './models/sparse-pca/shrinkage.ts';
export { tensorCertaintyWords } from './models/tensor/certainty.ts';
export { denseMoment, type MomentTerm } from './models/tensor/dense-moment.ts';
export { denseTensorObjective } from './models/tensor/dense-objective.ts';
export { momentObjective } from './models/tensor/moment-objective.ts';
export { tensorDefaults } from './models/tensor/options.ts';
export {
  geometricWeights,
  type OrthogonalTensor,
  orthogonalTensor,
  uniformWeights,
  withNoise,
} from './models/tensor/planted-tensor.ts';
export { addCube, transformTensor } from './models/tensor/symmetric-tensor.ts';
export { type Perplexity, perplexity } from './models/topics/perplexity.ts';
export type { TopicModel } from './models/topics/refine-topics.ts';
// Passes of the package
export { conditioned } from './passes/conditioned.ts';
export { type CorrelateParams, correlatePass } from './passes/correlate.ts';
export { type DecodeParams, decodePass, type Synthesis } from './passes/decode.ts';
export { type EncodeParams, encodePass, type PursuitTransform, type Transform } from './passes/encode.ts';
export { cumulatedEnergies } from './passes/kept-energies.ts';
export { type SecondMoments, secondMomentsPass } from './passes/second-moments.ts';
export { select } from './passes/select-codes.ts';
export { type Survey, surveyPass } from './passes/survey.ts';
export { inColour } from './pictures/colour.ts';
export { type LabelledOptions, labelledGallery, type Panel, panels } from './pictures/labelled-gallery.ts';
// Plane rotations
export { type Ascent, type AscentOptions, ascend, ascentDefaults } from './rotations/ascend.ts';
export type { GivensOptions, GivensState, RotationObjective } from './rotations/coordinate-ascent.ts';
export { type L4Codes, l4Objective } from './rotations/l4-objective.ts';
export { isExhaustive, PAIR_RULES, type Pair, type PairOrder, type PairRule, sweepOf } from './rotations/pairs.ts';
export { isTaken, type PlaneRotation, type Planes, rotatePlane } from './rotations/plane-rotation.ts';
// Data with a known answer
export { generateWithPauses } from './synthetic/bernoulli-gaussian.ts';
export { randomDictionary } from './synthetic/random-dictionary.ts';
export { randomOrder } from './synthetic/random-order.ts';
export { streamSparseComponents } from './synthetic/sparse-components.ts';
