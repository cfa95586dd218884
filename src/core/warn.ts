/** Warnings: what a user should know although the computation goes on. One line each, on standard error in Node. */

const given = new Set<string>();

/** Says it once, however often it happens. */
export function warnOnce(text: string): void {
  if (given.has(text)) return;
  given.add(text);
  console.warn(`orthodict: ${text}`);
}

/** The message of anything that was thrown, in one line. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, ' ').replace(/\.$/, '');
}
