// The pages for people, the files that they load, and the answer at `/` for programs. A page's HTML is the
// same for every visitor; its content comes from the public API.

import { BOOKMAKER_COUNT_TEXT, BOOKMAKERS } from '../../domain/catalogue.ts';
import { TIERS } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import type { Tool } from '../../tools/kit/tool.ts';
import { VERSION } from '../../version.ts';
import { ASSETS_PATH, type Bundle, type EntryName, MANIFEST, pageBundle } from '../../web/bundle.ts';
import { errorsPage } from '../../web/errors-page.ts';
import { PAGE_POLICY, type PageSettings, scriptPage, viewerPage } from '../../web/page.ts';
import { serviceMap } from '../../web/service-map.ts';
import { agentsPage, startPage } from '../../web/start-pages.ts';
import { VIEWER_SETTINGS } from '../docs/swagger.ts';
import { VIEWER_FILES, VIEWER_PATH, viewerFile } from '../docs/viewer-files.ts';
import { pathOf } from '../kit/matched-route.ts';
import { Reply } from '../kit/reply.ts';
import { definePage, type Route } from '../kit/route.ts';

export interface PagesOptions {
  readonly publicUrl: string;
  /** Whether /metrics is served on the same port. */
  readonly hasMetrics: boolean;
  /**
   * Whether the simulator makes up the prices, which pages must say. Called for each page, because a serving
   * node learns it only when it has a slate.
   */
  readonly isSimulated: () => boolean;
  readonly isDevelopment: boolean;
  readonly prematchWindowMs: number;
  readonly liveWindowMs: number;
  readonly hasHistory: boolean;
  readonly tools: readonly Tool[];
}

const HTML = 'text/html; charset=utf-8';
const VARY = { vary: 'Accept' };
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Pages whose content a script renders. */
const SCRIPT_PAGES: readonly {
  readonly path: string;
  readonly entry: EntryName;
  readonly title: string;
  readonly description: string;
}[] = [
  { path: '/', entry: 'board', title: 'Overround', description: 'Live prices, bookmaker beside bookmaker' },
  {
    path: '/events/:event_id',
    entry: 'match',
    title: 'Match · Overround',
    description: 'All prices of one match',
  },
  {
    path: '/record',
    entry: 'record',
    title: 'Record · Overround',
    description: 'What became of the signals found so far',
  },
  {
    path: '/console',
    entry: 'console',
    title: 'Console · Overround',
    description: 'API keys, usage and account',
  },
  {
    path: '/console/operator',
    entry: 'operator',
    title: 'Operator · Overround',
    description: 'Health of the feed and of the service',
  },
];

export function pageRoutes(options: PagesOptions): Route[] {
  const { publicUrl } = options;
  const settingsOf = (isSimulated: boolean): PageSettings => ({
    bookmakers: BOOKMAKERS.map(({ key, name, class: bookmakerClass, group, exchange }) => ({
      key,
      name,
      class: bookmakerClass,
      owner: group ?? key,
      isExchange: exchange === true,
    })),
    tiers: TIERS.map(({ key, perMinute, perDay }) => ({ key, perMinute, perDay })),
    isSimulated,
    isDevelopment: options.isDevelopment,
    prematchWindowMs: options.prematchWindowMs,
    liveWindowMs: options.liveWindowMs,
    hasHistory: options.hasHistory,
    version: VERSION,
    publicUrl,
  });
  const map = Reply.json(serviceMap(publicUrl, VERSION, options.hasMetrics), {
    cacheControl: 'public, no-cache',
    headers: VARY,
  });
  return [
    ...SCRIPT_PAGES.map(({ path, ...page }) => {
      const headers = path === '/' ? VARY : {};
      const pageOf = (isSimulated: boolean) =>
        keptPage((bundle) => scriptPage({ ...page, bundle, settings: settingsOf(isSimulated) }), headers);
      const [ofSimulated, ofReal] = [pageOf(true), pageOf(false)];
      const html = () => (options.isSimulated() ? ofSimulated() : ofReal());
      const isMap = (accept: string | null): boolean => path === '/' && !wantsPage(accept);
      return definePage({ path, handle: (context) => (isMap(context.header('accept')) ? map : html()) });
    }),
    ...textRoutes(options),
    definePage({
      path: `${ASSETS_PATH}/:file`,
      handle: async ({ request }) => assetReply(await pageBundle(), pathOf(request.url)),
    }),
    definePage({ path: '/manifest.webmanifest', handle: () => MANIFEST_REPLY }),
    // The worker's path is at the root, because a service worker controls only pages below its own path.
    definePage({ path: '/worker.js', handle: async () => workerReply(await pageBundle()) }),
    ...VIEWER_FILES.map(({ name, contentType }) => {
      const file = new Reply(viewerFile(name), { contentType, cacheControl: FOR_EVER });
      return definePage({ path: `${VIEWER_PATH}/${name}`, handle: () => file });
    }),
  ];
}

/** The pages that need no script: the API viewer, first steps and errors. */
function textRoutes({ publicUrl, tools }: PagesOptions): Route[] {
  return [
    textRoute('/docs', (bundle) =>
      viewerPage({
        title: 'API reference · Overround',
        description: 'The API, to read and to try',
        bundle,
        styles: `${VIEWER_PATH}/swagger-ui.css`,
        script: `${VIEWER_PATH}/swagger-ui-bundle.js`,
        viewerSettings: JSON.stringify(VIEWER_SETTINGS),
      }),
    ),
    textRoute('/docs/start', (bundle) => startPage(publicUrl, BOOKMAKER_COUNT_TEXT, bundle)),
    textRoute('/docs/agents', (bundle) =>
      agentsPage(
        publicUrl,
        tools.map(({ name, title }) => ({ name, title })),
        bundle,
      ),
    ),
    textRoute('/docs/errors', (bundle) => errorsPage(publicUrl, bundle)),
  ];
}

function textRoute(path: string, htmlOf: (bundle: Bundle) => string): Route {
  const html = keptPage(htmlOf, {});
  return definePage({ path, handle: () => html() });
}

/** A page whose HTML is made when it is first requested, and kept. */
function keptPage(
  htmlOf: (bundle: Bundle) => string,
  headers: Readonly<Record<string, string>>,
): () => Promise<Reply> {
  let reply: Promise<Reply> | null = null;
  return () => {
    reply ??= pageBundle().then((bundle) => {
      const html = htmlOf(bundle);
      return new Reply(new Blob([html]), {
        contentType: HTML,
        etag: `"${Bun.hash(html).toString(36)}"`,
        cacheControl: 'public, no-cache',
        headers: { 'content-security-policy': PAGE_POLICY, ...headers },
      });
    });
    return reply;
  };
}

/** @throws ServiceError not_found for a file of another version; its page must be loaded again */
function assetReply({ files }: Bundle, path: string): Reply {
  const asset = files.get(path.slice(ASSETS_PATH.length + 1));
  if (asset === undefined) {
    throw new ServiceError('not_found', 'Cannot find the file: no such file in this version', {
      fix: 'Load the page again',
    });
  }
  return new Reply(asset.body, { contentType: asset.contentType, cacheControl: FOR_EVER });
}

const MANIFEST_REPLY = new Reply(MANIFEST, {
  contentType: 'application/manifest+json',
  cacheControl: 'public, no-cache',
});

function workerReply({ files, entries }: Bundle): Reply {
  const path = entries.get('worker')!.path;
  const { body, contentType } = files.get(path.slice(ASSETS_PATH.length + 1))!;
  // The content security policy of this answer applies to the service worker itself, which must be allowed to
  // fetch pages.
  const headers = { 'content-security-policy': PAGE_POLICY };
  return new Reply(body, { contentType, cacheControl: 'public, no-cache', headers });
}

/** Whether the client is a browser. Browsers ask for HTML by name; other clients accept anything or JSON. */
function wantsPage(accept: string | null): boolean {
  return accept?.includes('text/html') ?? false;
}
