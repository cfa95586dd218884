/** The first number of a result that is not finite, by its path. */
export function notFinite(value: unknown, path = 'result', seen = new Set<unknown>()): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${path} is ${value}`;
  if (value === null || typeof value !== 'object' || seen.has(value)) return undefined;
  seen.add(value);
  if (ArrayBuffer.isView(value)) {
    const bad = (value as Float64Array).findIndex((x) => !Number.isFinite(x));
    return bad < 0 ? undefined : `${path}[${bad}] is ${(value as Float64Array)[bad]}`;
  }
  for (const [name, inner] of Object.entries(value)) {
    const found = notFinite(inner, `${path}.${name}`, seen);
    if (found) return found;
  }
  return undefined;
}
