/** Loads packages that users install only for what needs them: charts, pictures, clusters. */
import { InputError } from '../core/errors.ts';

type Loaders = Readonly<Record<string, () => unknown>>;
type Loaded<L extends Loaders> = { readonly [N in keyof L]: Awaited<ReturnType<L[N]>> };

/**
 * Loads packages by their names, or throws an InputError that says which of them to install. `use`: what they are needed for.
 * The reason is added where a package is there but cannot be loaded, as on a platform for which it has no binary.
 */
export async function loadPackages<L extends Loaders>(who: string, use: string, loaders: L): Promise<Loaded<L>> {
  const tried = await Promise.all(
    Object.entries(loaders).map(async ([name, load]) => {
      try {
        return { name, loaded: await load() };
      } catch (error) {
        return { name, error };
      }
    }),
  );
  const failed = tried.filter((attempt) => 'error' in attempt);
  if (failed.length > 0) throw new InputError(`${who}: ${whatToInstall(use, failed)}.`);
  return Object.fromEntries(tried.map(({ name, loaded }) => [name, loaded])) as Loaded<L>;
}

function whatToInstall(use: string, failed: readonly { readonly name: string; readonly error?: unknown }[]): string {
  const names = failed.map(({ name }) => name);
  const [packages, are, them] = names.length > 1 ? ['packages', 'are', 'them'] : ['package', 'is', 'it'];
  const reasons = failed.filter(({ error }) => !isMissing(error)).map(({ error }) => firstLine(error));
  const why = reasons.length > 0 ? ` (${reasons.join('; ')})` : '';
  return `the ${packages} ${listed(names)} ${are} needed for ${use}; install ${them} with npm install ${names.join(' ')}${why}`;
}

const listed = (names: readonly string[]): string =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names[0];

const firstLine = (error: unknown): string =>
  String((error as Error | undefined)?.message ?? error)
    .split('\n')[0]
    .trim();

const isMissing = (error: unknown): boolean =>
  ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'].includes((error as { code?: string } | undefined)?.code ?? '');
