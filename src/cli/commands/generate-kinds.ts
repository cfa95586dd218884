/**
 * The kinds of data that `orthodict generate` makes: the options of each, taken from the library's function, and the
 * arrays in its file.
 */
import type { Counts } from '../../core/counts.ts';
import { InputError } from '../../core/errors.ts';
import { requireOwnOptions } from '../../core/option-owners.ts';
import { type OptionSpec, type OptionTable, toggle } from '../../core/options.ts';
import { householderDictionary } from '../../dictionaries/householder.ts';
import { type ArrayInput, vectorOf } from '../../io/arrays.ts';
import { generate, generateOptions } from '../../synthetic/bernoulli-gaussian.ts';
import { generateHouseholder, generateHouseholderOptions } from '../../synthetic/householder.ts';
import { generateMixture, generateMixtureOptions } from '../../synthetic/mixture.ts';
import type {
  GenerateHouseholderOptions,
  GenerateMixtureOptions,
  GenerateOptions,
  GenerateSparseComponentsOptions,
  GenerateTopicsOptions,
} from '../../synthetic/option-types.ts';
import { generateSparseComponents, generateSparseComponentsOptions } from '../../synthetic/sparse-components.ts';
import { generateTopics, generateTopicsOptions } from '../../synthetic/topics.ts';
import { flagOf } from '../terminal/option-flags.ts';

/** Options that all kinds share. */
export const COMMON = {
  samples: generateOptions.table.samples,
  features: generateOptions.table.features,
  seed: generateOptions.table.seed,
};

/** The sizes of the data, by the names that all kinds share. */
type Sizes = Pick<GenerateOptions, 'samples' | 'features'>;

interface Kind {
  /** One phrase for --help. */
  readonly about: string;
  readonly table: OptionTable;
  /** Generates the arrays of the file: the data first, then the truth. */
  make(values: object): Readonly<Record<string, ArrayInput>>;
}

const { documents, words, ...ofTopics } = generateTopicsOptions.table;

export const KINDS: Readonly<Record<string, Kind>> = {
  'bernoulli-gaussian': {
    about: 'normal codes, any dictionary',
    table: generateOptions.table,
    make: (values: GenerateOptions) => ({ ...generate(values) }),
  },
  householder: {
    about: 'codes from 1 to 2, a product of reflectors',
    table: { ...generateHouseholderOptions.table, atoms: toggle({ help: 'write the NxN atoms too' }) },
    make({ atoms, ...values }: GenerateHouseholderOptions & { readonly atoms?: boolean }) {
      const data = generateHouseholder(values);
      return { ...data, ...(atoms && { atoms: householderDictionary(data).atoms }) };
    },
  },
  'sparse-components': {
    about: 'few sparse principal components and noise, for sparse-pca',
    table: generateSparseComponentsOptions.table,
    make(values: GenerateSparseComponentsOptions) {
      const { samples, loadings } = generateSparseComponents(values);
      return { samples, loadings };
    },
  },
  topics: {
    about: 'counts of words (features) in documents (samples), for topics',
    table: ofTopics,
    make({ samples, features, ...values }: Omit<GenerateTopicsOptions, 'documents' | 'words'> & Sizes) {
      const { counts, topics } = generateTopics({ documents: samples, words: features, ...values });
      return { ...sparseArrays(counts), topics };
    },
  },
  mixture: {
    about: 'clusters of spherical Gaussians, for mixture',
    table: generateMixtureOptions.table,
    make(values: GenerateMixtureOptions) {
      const { samples, means, labels } = generateMixture(values);
      return { samples, means, labels: vectorOf(labels) };
    },
  },
};

export const KIND_NAMES = Object.keys(KINDS);

const isOwn = (name: string): boolean => !Object.hasOwn(COMMON, name);

/** The required options of a kind, besides those that all kinds share. */
export const neededBy = (kind: string): string[] =>
  Object.entries(KINDS[kind].table).flatMap(([name, { required }]) => (required && isOwn(name) ? [name] : []));

const kindsWith = (option: string): string[] => KIND_NAMES.filter((name) => Object.hasOwn(KINDS[name].table, option));

/** The options that only some kinds have, each once. The help names the kinds and their defaults. */
export function ownOptions(): [name: string, spec: OptionSpec][] {
  const names = KIND_NAMES.flatMap((kind) => Object.keys(KINDS[kind].table)).filter(isOwn);
  return [...new Set(names)].map((name) => {
    const kinds = kindsWith(name);
    const spec = KINDS[kinds[0]].table[name];
    const help = `${spec.help} (${kinds.map((kind) => `${kind}: ${standard(KINDS[kind].table[name])}`).join('; ')})`;
    return [name, { ...spec, help, default: undefined, required: false }];
  });
}

function standard({ required, default: preset }: OptionSpec): string {
  return required ? 'required' : `default ${preset === false ? 'off' : preset}`;
}

/** Refuses options of other kinds, and missing ones; `given` are the names on the command line. */
export function requireOptionsOf(kind: string, given: readonly string[]): void {
  const tables = Object.fromEntries(KIND_NAMES.map((name) => [name, KINDS[name].table]));
  const own = { ...COMMON, ...tables[kind] };
  const options = given.filter((name) => isOwn(name) && kindsWith(name).length > 0);
  requireOwnOptions('generate', own, options, { word: '--kind', chosen: kind, tables, shown: flagOf });
  const missing = neededBy(kind).find((name) => !given.includes(name));
  if (missing) throw new InputError(`generate: --kind ${kind} must come with ${flagOf(missing)}; got none.`);
}

/** The arrays that `scipy.sparse.save_npz` writes. */
function sparseArrays({ rows, cols, data, indices, indptr }: Counts): Record<string, ArrayInput> {
  return {
    data: vectorOf(data),
    indices: vectorOf(indices),
    indptr: vectorOf(indptr),
    shape: vectorOf(BigInt64Array.of(BigInt(rows), BigInt(cols))),
    format: 'csr',
  };
}
