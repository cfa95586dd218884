/**
 * Isolates the page from other origins if the host does not send the headers, so that its workers share memory:
 * the service worker isolate.js adds them from the next load on, and the page loads itself again, once. Where that is
 * not possible the page works all the same, with messages instead of shared memory.
 */

/** Key in the session storage, so that the page never reloads itself twice in a row. */
const TRIED = 'orthodict: isolation was tried';
/** Milliseconds to wait. Later, people have begun to use the page; then the next visit will be isolated. */
const PATIENCE = 3000;

/** Resolves when the page can start; never resolves if the page is about to reload. */
export async function isolate(): Promise<void> {
  try {
    if (crossOriginIsolated) sessionStorage.removeItem(TRIED);
    else if (canIsolate() && (await hasWorker())) await loadAgain();
  } catch {
    // storage or service workers are forbidden
  }
}

/** Whether the page can isolate itself; in a frame, the page around it decides. */
const canIsolate = (): boolean =>
  isSecureContext && 'serviceWorker' in navigator && window.top === window && sessionStorage.getItem(TRIED) === null;

/** Whether the service worker is ready in time. */
async function hasWorker(): Promise<boolean> {
  await navigator.serviceWorker.register(new URL('isolate.js', document.baseURI));
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, PATIENCE, false));
  return Promise.race([navigator.serviceWorker.ready.then(() => true), late]);
}

function loadAgain(): Promise<never> {
  sessionStorage.setItem(TRIED, 'yes');
  location.reload();
  return new Promise(() => {});
}
