// A service worker for hosts that send no headers: it adds those that isolate the page from other origins, so that the
// page may share memory with its workers. Only the page and the scripts of its workers need them; it leaves all else alone.
const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
};

const folder = self.registration.scope;
const PAGES = [folder, `${folder}index.html`];

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('fetch', (event) => {
  const { url, destination } = event.request;
  const isPage = destination === 'document' && PAGES.includes(url.replace(/[?#].*/, ''));
  if (isPage || destination === 'worker') event.respondWith(isolated(event.request));
});

async function isolated(request) {
  const response = await fetch(request);
  if (response.status === 0) return response; // a redirection, which the browser follows itself
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
