/**
 * Follows redirects one by one if the platform allows it: a few, to http(s) addresses, never from https to http, and never
 * from a public host into this machine or its network. A redirect to another host is reported. A browser follows redirects by its own
 * rules, which include these.
 */
import { InputError } from '../../core/errors.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST = 5;

/** A response, and the address that sent it. */
export interface HttpAnswer {
  readonly response: Response;
  readonly url: string;
}

/** Fetches an address and follows redirects. A login is only sent to the host it was given for. */
export async function fetchFollowing(
  name: string,
  address: string,
  { headers, signal }: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<HttpAnswer> {
  for (let [url, hops] = [address, 0]; ; hops++) {
    const { authorization, ...others } = headers;
    const sent = new URL(url).origin === new URL(address).origin ? headers : others;
    const response = await fetch(url, { headers: sent, signal, redirect: 'manual' });
    if (response.type === 'opaqueredirect') {
      const followed = await fetch(url, { headers: sent, signal });
      return { response: followed, url: followed.url };
    }
    if (!REDIRECTS.has(response.status)) return { response, url };
    await response.body?.cancel();
    if (hops === MOST) throw new InputError(`${name}: cannot be read (more than ${MOST} redirects).`);
    url = redirected(name, url, response.headers.get('location'));
  }
}

/** Returns the address that a redirect leads to; throws if it must not be followed. */
export function redirected(name: string, from: string, location: string | null): string {
  if (location === null || !URL.canParse(location, from)) {
    throw new InputError(`${name}: cannot be read (a redirect without an address).`);
  }
  const [before, after] = [new URL(from), new URL(location, from)];
  const refuse = (why: string) =>
    new InputError(
      `${name}: cannot be read (a redirect to ${after.protocol}//${after.host}${after.pathname}, ${why}).`,
    );
  if (!/^https?:$/.test(after.protocol)) throw refuse('which is no http(s) address');
  if (before.protocol === 'https:' && after.protocol === 'http:') throw refuse('which is not encrypted');
  if (isPrivate(after.hostname) && !isPrivate(before.hostname)) throw refuse('which is not public');
  after.username = '';
  after.password = '';
  return after.href;
}

/** IPv4 addresses of a machine itself and of networks that are not public; URLs have them in the form a.b.c.d. */
const PRIVATE = /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
/** IPv6 addresses: this machine, no address, unique local, link-local, and IPv4 inside. */
const PRIVATE_6 = /^\[(::1?\]|f[cd]|fe[89ab]|::ffff:)/;

/** Whether a host is this machine or in its network, as far as its name shows. */
const isPrivate = (host: string): boolean =>
  /^(.*\.)?localhost\.?$/.test(host) || PRIVATE.test(host) || PRIVATE_6.test(host);
