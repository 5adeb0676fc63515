// The service worker, which makes the pages installable. It keeps one page that says that the browser is
// offline; everything else goes to the network, because an old price is worse than none. It is served at the
// root, so it imports nothing.

const CACHE = 'overround-offline';
const OFFLINE_PATH = '/offline';
const TITLE = 'You are offline';
const STYLE =
  'body{max-width:60ch;margin:20vh auto;padding:0 24px;font:15px/24px system-ui,sans-serif}h1{font-size:24px}a{display:inline-block;padding:10px 0}';
const TEXT = 'Overround shows no old prices. Open it again when the network is back.';

interface WorkerEvent extends Event {
  readonly request: Request;
  waitUntil(work: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
  /**
   * The response to a request that the browser sent itself while this worker was starting (navigation
   * preload).
   */
  readonly preloadResponse?: Promise<Response | undefined>;
}

/** The worker's own global scope, which the DOM types of pages do not describe. */
const scope = self as unknown as {
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
  skipWaiting(): Promise<void>;
  readonly registration: { readonly navigationPreload?: { enable(): Promise<void> } };
};

scope.addEventListener('install', (event) => {
  event.waitUntil(keepOfflinePage());
});

// Without this, the browser requests a page only after the worker has started.
scope.addEventListener('activate', (event) => {
  event.waitUntil(scope.registration.navigationPreload?.enable() ?? Promise.resolve());
});

scope.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(pageOf(event).catch(offlinePage));
});

async function pageOf({ request, preloadResponse }: WorkerEvent): Promise<Response> {
  return (await preloadResponse) ?? (await fetch(request));
}

async function keepOfflinePage(): Promise<void> {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><style>${STYLE}</style><title>${TITLE}</title><h1>${TITLE}</h1><p>${TEXT}</p><p><a href="">Try again</a></p></html>`;
  const cache = await caches.open(CACHE);
  await cache.put(
    OFFLINE_PATH,
    new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
  );
  await scope.skipWaiting();
}

async function offlinePage(): Promise<Response> {
  return (await caches.match(OFFLINE_PATH)) ?? Response.error();
}
