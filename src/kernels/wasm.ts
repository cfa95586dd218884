/** The WebAssembly kernels: the {@link Kernels} interface on one instance of the compiled module. */
import type { Kernels, LassoRequest, PursueRequest } from './kernels.ts';
import { withCheckedOperands } from './operands.ts';
import { openPackedCodes } from './wasm/atoms.ts';
import { codeMoments } from './wasm/code-moments.ts';
import { histogram, measure } from './wasm/code-sizes.ts';
import type { CompiledKernels } from './wasm/compile.ts';
import { correlate, covariance, surveyWithMoments } from './wasm/correlate.ts';
import { createMachine } from './wasm/module.ts';
import { multiply } from './wasm/multiply.ts';
import { project, projectByAtom } from './wasm/project.ts';
import { rotatePlanes } from './wasm/rotate-planes.ts';
import { lassoOf, pursuitOf, sparseCodes } from './wasm/sparse-codes.ts';
import { WASM_NAMES } from './wasm/supported.ts';
import { survey } from './wasm/survey.ts';
import { reflectCodes, rotate } from './wasm/transform.ts';

/** Creates the kernels; fails if there is no memory for an instance. */
export async function createWasmKernels(compiled: CompiledKernels, sampleBytes?: number): Promise<Kernels> {
  const machine = await createMachine(compiled, sampleBytes);
  const gramOf = ({ atoms }: PursueRequest | LassoRequest) => multiply(machine, atoms, atoms, 'nt');
  return withCheckedOperands({
    name: WASM_NAMES[compiled.variant],
    multiply: (a, b, form, into, factor) => multiply(machine, a, b, form, into, factor),
    covariance: (samples, conditioning, precision) => covariance(machine, samples, conditioning, precision),
    correlate: (request) => correlate(machine, request),
    histogram: (request) => histogram(openPackedCodes, machine, request),
    measure: (request) => measure(openPackedCodes, machine, request),
    survey: (samples, conditioning, moments) =>
      moments ? surveyWithMoments(machine, samples, conditioning) : survey(machine, samples, conditioning),
    project: (samples, atoms, conditioning, precision) => project(machine, samples, atoms, conditioning, precision),
    projectByAtom: (request) => projectByAtom(machine, request),
    transform: (samples, map, conditioning, precision) =>
      map.kind === 'reflectors'
        ? reflectCodes(machine, samples, map, conditioning, precision)
        : rotate(machine, samples, map, conditioning, precision),
    pursue: (request) => sparseCodes(openPackedCodes, machine, request, gramOf(request), pursuitOf(request)),
    lasso: (request) => sparseCodes(openPackedCodes, machine, request, gramOf(request), lassoOf(request)),
    codeMoments: (samples, codes, components, conditioning) =>
      codeMoments(machine, samples, codes, components, conditioning),
    rotatePlanes: (request) => rotatePlanes(machine, request),
  });
}
