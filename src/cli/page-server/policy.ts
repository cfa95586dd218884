/**
 * What a browser may do with the page: load from its own origin only, run WebAssembly, share memory with its workers.
 * `orthodict serve` sends it as headers; the build of the page writes the policy into index.html, for other hosts.
 */

/** Content-Security-Policy: what is not listed is forbidden. The page also makes pictures itself (blob:, data:). */
const SOURCES: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'worker-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' blob: data:",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'form-action': "'none'",
  'base-uri': "'none'",
};

/** The policy in the form that a page can declare in its own HTML. */
export const PAGE_POLICY = textOf(SOURCES);

/** Headers that let the page share memory with its workers. */
export const ISOLATION_HEADERS: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
};

/** Headers of every answer. Only a header, not the page, can forbid frames. */
export const SAFETY_HEADERS: Readonly<Record<string, string>> = {
  ...ISOLATION_HEADERS,
  'content-security-policy': textOf({ ...SOURCES, 'frame-ancestors': "'none'" }),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

function textOf(sources: Readonly<Record<string, string>>): string {
  return Object.entries(sources)
    .map(([name, allowed]) => `${name} ${allowed}`)
    .join('; ');
}
