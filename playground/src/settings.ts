/**
 * A tab's settings in the page's address, as in `#recover?n=50&theta=0.3`: a link restores them. Defaults
 * are left out. Invalid values in a link are replaced by the default.
 */
export type TabName = 'recover' | 'picture' | 'data' | 'home';

export type Setting = string | number | boolean;

/** Checks of values from a link, by name. */
export type Rules<S> = { readonly [K in keyof S]: (value: S[K]) => boolean };

/** Checks for a number within a range. */
export const within =
  (least: number, most: number) =>
  (value: number): boolean =>
    value >= least && value <= most;

/** Checks for a whole number within a range. */
export const whole =
  (least: number, most: number) =>
  (value: number): boolean =>
    Number.isInteger(value) && within(least, most)(value);

/** Checks for one of these values. */
export const oneOf =
  <T>(...values: readonly T[]) =>
  (value: T): boolean =>
    values.includes(value);

export const tabInAddress = (hash: string): string => hash.replace(/^#/, '').split('?')[0];

/** The settings of a tab in the address, defaults where it has none. */
export function readSettings<S extends Record<string, Setting>>(hash: string, defaults: S, rules: Rules<S>): S {
  const given = new URLSearchParams(hash.split('?')[1] ?? '');
  const read = Object.entries(defaults).map(([name, fallback]) => {
    const text = given.get(name);
    if (text === null) return [name, fallback];
    const value = parse(text, fallback);
    return [name, rules[name as keyof S](value as never) ? value : fallback];
  });
  return Object.fromEntries(read) as S;
}

function parse(text: string, like: Setting): Setting {
  if (typeof like === 'number') return text.trim() === '' ? Number.NaN : Number(text);
  return typeof like === 'boolean' ? text === 'true' : text;
}

/** The address part for these settings. */
export function hashFor<S extends Record<string, Setting>>(tab: TabName, settings: S, defaults: S): string {
  const changed = Object.entries(settings).filter(([name, value]) => value !== defaults[name]);
  const query = new URLSearchParams(changed.map(([name, value]) => [name, String(value)])).toString();
  return `#${tab}${query && `?${query}`}`;
}

/** Writes the address part into the address bar, without a new entry in the history. */
export const writeHash = (hash: string): void => history.replaceState(null, '', hash);
