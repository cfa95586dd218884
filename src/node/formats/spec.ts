/** `file.npz:name` selects one array of an archive; any other colon belongs to the path. */
import { InputError } from '../../core/errors.ts';

export interface Spec {
  readonly path: string;
  readonly array?: string;
}

export function parseSpec(spec: string): Spec {
  const [, path, array] = /^(.*?\.npz):(.*)$/is.exec(spec) ?? [];
  if (path === undefined || /\.npz$/i.test(spec)) return { path: spec };
  if (array === '') throw new InputError(`${spec}: must name an array after the colon.`);
  return { path, array };
}
