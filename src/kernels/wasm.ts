/** The WebAssembly kernels: the {@link Kernels} interface on one instance of the compiled module. */
import type { Kernels } from './kernels.ts';
import { withCheckedOperands } from './operands.ts';
import { codeMoments } from './wasm/code-moments.ts';
import { histogram, project, projectByAtom } from './wasm/codes.ts';
import type { CompiledKernels } from './wasm/compile.ts';
import { correlate, covariance, surveyWithMoments } from './wasm/correlate.ts';
import { measure } from './wasm/measure.ts';
import { createMachine } from './wasm/module.ts';
import { multiply } from './wasm/multiply.ts';
import { rotatePlanes } from './wasm/rotate-planes.ts';
import { lassoOf, pursuitOf, sparseCodes } from './wasm/sparse-codes.ts';
import { WASM_NAMES } from './wasm/supported.ts';
import { survey } from './wasm/survey.ts';
import { reflectCodes, rotate } from './wasm/transform.ts';

/** Creates the kernels; fails if there is no memory for an instance. */
export async function createWasmKernels(compiled: CompiledKernels, sampleBytes?: number): Promise<Kernels> {
  const machine = await createMachine(compiled, sampleBytes);
  return withCheckedOperands({
    name: WASM_NAMES[compiled.variant],
    multiply: (a, b, form, into, factor) => multiply(machine, a, b, form, into, factor),
    covariance: (samples, conditioning, precision) => covariance(machine, samples, conditioning, precision),
    correlate: (request) => correlate(machine, request),
    histogram: (request) => histogram(machine, request),
    measure: (request) => measure(machine, request),
    survey: (samples, conditioning, moments) =>
      moments ? surveyWithMoments(machine, samples, conditioning) : survey(machine, samples, conditioning),
    project: (samples, atoms, conditioning, precision) => project(machine, samples, atoms, conditioning, precision),
    projectByAtom: (request) => projectByAtom(machine, request),
    transform: (samples, map, conditioning, precision) =>
      map.kind === 'reflectors'
        ? reflectCodes(machine, samples, map, conditioning, precision)
        : rotate(machine, samples, map, conditioning, precision),
    pursue: (request) => sparseCodes(machine, request, pursuitOf(request)),
    lasso: (request) => sparseCodes(machine, request, lassoOf(request)),
    codeMoments: (samples, codes, components, conditioning) =>
      codeMoments(machine, samples, codes, components, conditioning),
    rotatePlanes: (request) => rotatePlanes(machine, request),
  });
}
