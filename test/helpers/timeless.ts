interface Timed {
  readonly seconds?: number;
  readonly path?: readonly Timed[];
}

/** Returns a result without its times, to compare it with another one. */
export function timeless(result: object): object {
  const { seconds: _, path, ...rest }: Timed = result;
  return { ...rest, ...(path && { path: path.map(timeless) }) };
}
