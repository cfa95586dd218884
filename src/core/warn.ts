/** Warnings, which do not stop the computation: one line each, on standard error in Node. */

const given = new Set<string>();

/** Prints a warning once, however often it occurs. */
export function warnOnce(text: string): void {
  if (given.has(text)) return;
  given.add(text);
  console.warn(`orthodict: ${text}`);
}

/** The message of any thrown value, in one line. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, ' ').replace(/\.$/, '');
}
