/** What `orthodict generate` can make: for every kind the options it needs and may have, and the arrays of its file. */
import type { Counts } from '../../core/counts.ts';
import { InputError } from '../../core/errors.ts';
import { householderDictionary } from '../../dictionaries/householder.ts';
import type { ArrayInput } from '../../node/formats/arrays.ts';
import { type GenerateOptions, generate } from '../../synthetic/bernoulli-gaussian.ts';
import { type GenerateHouseholderOptions, generateHouseholder } from '../../synthetic/householder.ts';
import { type GenerateTopicsOptions, generateTopics } from '../../synthetic/lda.ts';
import { type GenerateMixtureOptions, generateMixture } from '../../synthetic/mixture.ts';
import { generateSparseComponents, type SparseComponentsOptions } from '../../synthetic/sparse-components.ts';

/** Every option of every kind beside --samples, --features and --seed, which all kinds have. */
type KindOptions = Partial<
  Omit<GenerateOptions, 'seed'> &
    Omit<GenerateHouseholderOptions, 'seed'> & { atoms: boolean } & Omit<SparseComponentsOptions, 'seed'> &
    Omit<GenerateTopicsOptions, 'seed' | 'documents' | 'words'> &
    Omit<GenerateMixtureOptions, 'seed'>
>;
type Name = Exclude<keyof KindOptions, 'samples' | 'features'>;
export type Options = KindOptions & { readonly samples: number; readonly features: number; readonly seed: number };

interface Kind {
  /** For the help. */
  readonly about: string;
  readonly needs: readonly Name[];
  readonly takes: readonly Name[];
  /** The data first, then the truth. */
  make(options: Options): Readonly<Record<string, ArrayInput>>;
}

export const KINDS = {
  'bernoulli-gaussian': {
    about: 'normal codes, any dictionary',
    needs: ['theta'],
    takes: ['noise', 'outliers', 'corruption', 'condition', 'precision'],
    make: (options) => ({ ...generate(options as GenerateOptions) }),
  },
  householder: {
    about: 'codes from 1 to 2, a product of reflectors',
    needs: ['theta'],
    takes: ['noise', 'precision', 'reflectors', 'entries', 'atoms'],
    make({ atoms, ...options }) {
      const data = generateHouseholder({ reflectors: 1, ...options } as GenerateHouseholderOptions);
      return { ...data, ...(atoms && { atoms: householderDictionary(data).atoms }) };
    },
  },
  'sparse-components': {
    about: 'few sparse principal components and noise, for sparse-pca',
    needs: ['components', 'nonzeros'],
    takes: ['noise', 'deviations'],
    make(options) {
      const { samples, loadings } = generateSparseComponents(options as SparseComponentsOptions);
      return { samples, loadings };
    },
  },
  topics: {
    about: 'counts of words (features) in documents (samples), for topics',
    needs: ['topics', 'length'],
    takes: ['alpha0', 'concentration'],
    make({ samples: documents, features: words, ...options }) {
      const { counts, topics } = generateTopics({ documents, words, ...options } as GenerateTopicsOptions);
      return { ...sparseArrays(counts), topics };
    },
  },
  mixture: {
    about: 'clusters of spherical Gaussians, for mixture',
    needs: ['clusters'],
    takes: ['spread', 'deviation'],
    make(options) {
      const { samples, means, labels } = generateMixture(options as GenerateMixtureOptions);
      return { samples, means, labels: { shape: [labels.length], data: labels } };
    },
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as KindName[];

const kinds: ReadonlyArray<readonly [KindName, Kind]> = KIND_NAMES.map((name) => [name, KINDS[name]]);

/** The kinds that have an option. */
const kindsOf = (option: Name): KindName[] =>
  kinds.filter(([, { needs, takes }]) => [...needs, ...takes].includes(option)).map(([name]) => name);

/** `set`: names of the options that were given, with their flags. */
export function requireOptionsOf(kind: KindName, set: ReadonlyMap<string, string>): void {
  const { needs }: Kind = KINDS[kind];
  for (const [name, flag] of set) {
    const owners = kindsOf(name as Name);
    if (owners.length > 0 && !owners.includes(kind)) {
      throw new InputError(`generate: ${flag} must come with --kind ${owners.join(' or ')}; got --kind ${kind}.`);
    }
  }
  const missing = needs.find((name) => !set.has(name));
  if (missing) throw new InputError(`generate: --kind ${kind} must come with --${missing}; got none.`);
}

/** As `scipy.sparse.save_npz` writes them. */
function sparseArrays({ rows, cols, data, indices, indptr }: Counts): Record<string, ArrayInput> {
  const vector = (values: Float64Array | Int32Array) => ({ shape: [values.length], data: values });
  return {
    data: vector(data),
    indices: vector(indices),
    indptr: vector(indptr),
    shape: { shape: [2], data: BigInt64Array.of(BigInt(rows), BigInt(cols)) },
    format: 'csr',
  };
}
