// What people and machines read about the API: the first page, the OpenAPI document, its viewer, and the page of error codes.

import { BOOKMAKER_COUNT_TEXT } from '../../domain/catalogue.ts';
import type { Tool } from '../../tools/kit/tool.ts';
import { VERSION } from '../../version.ts';
import { errorsPage, PAGE_STYLE } from '../../web/errors-page.ts';
import { homePage, serviceMap } from '../../web/home-page.ts';
import { renderDocsPage, VIEWER_FILES, VIEWER_PATH, viewerFile } from '../docs/docs-page.ts';
import { llmsFullText, llmsText } from '../docs/llms.ts';
import { openApiDocument } from '../docs/openapi.ts';
import { Reply } from '../kit/reply.ts';
import { definePage, type Route, type RouteGroup } from '../kit/route.ts';

export interface DocsOptions {
  /** Every route of the API. */
  readonly routes: readonly Route[];
  readonly publicUrl: string;
  readonly tools: readonly Tool[];
}

const HTML = 'text/html; charset=utf-8';
const VARY = { vary: 'Accept' };
const FOR_EVER = 'public, max-age=31536000, immutable';

const TAGS = [
  { name: 'Metadata', description: 'Sports, bookmakers, leagues and teams.' },
  { name: 'Events and odds', description: 'Fixtures, their state, their quotes, openings and results.' },
  { name: 'Resolve', description: 'Names to ids.' },
  { name: 'Convert', description: 'Pure conversions of odds formats and handicap lines. No key needed.' },
  { name: 'Agent tools', description: 'Tools for agents, many of which take a fixture in natural language.' },
  { name: 'Account', description: 'Sign-up, sessions, plan and API keys.' },
  { name: 'Operations', description: 'Health, readiness and usage.' },
];

export function docsRoutes({ routes, publicUrl, tools }: DocsOptions): RouteGroup {
  const json = JSON.stringify(openApiDocument(routes, { publicUrl, tags: TAGS }));
  const openApi = new Reply(new Blob([json]), { etag: tagOf(json), cacheControl: 'public, no-cache' });
  const page = renderDocsPage(publicUrl).then(({ html, contentPolicy }) => textPage(html, contentPolicy));
  const errors = textPage(errorsPage(publicUrl), pagePolicy());
  const map = serviceMap(publicUrl, VERSION);
  const home = textPage(homePage(map, publicUrl, BOOKMAKER_COUNT_TEXT), pagePolicy(), VARY);
  const homeJson = Reply.json(map, { cacheControl: 'public, no-cache', headers: VARY });
  const short = plainText(llmsText({ routes, tools, publicUrl }));
  const full = plainText(llmsFullText({ routes, tools, publicUrl }));
  return {
    name: 'docs',
    routes: [
      definePage({
        path: '/',
        handle: (context) => (wantsPage(context.header('accept')) ? home : homeJson),
      }),
      definePage({ path: '/openapi.json', handle: () => openApi }),
      definePage({ path: '/llms.txt', handle: () => short }),
      definePage({ path: '/llms-full.txt', handle: () => full }),
      definePage({ path: '/docs', handle: () => page }),
      definePage({ path: '/docs/errors', handle: () => errors }),
      ...VIEWER_FILES.map(({ name, contentType }) => {
        const file = new Reply(viewerFile(name), { contentType, cacheControl: FOR_EVER });
        return definePage({ path: `${VIEWER_PATH}/${name}`, handle: () => file });
      }),
    ],
  };
}

/** Whether the client is a browser: those name HTML, other clients say anything or JSON. */
function wantsPage(accept: string | null): boolean {
  return accept?.includes('text/html') ?? false;
}

function textPage(
  html: string,
  contentPolicy: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return new Reply(new Blob([html]), {
    contentType: HTML,
    etag: tagOf(html),
    cacheControl: 'public, no-cache',
    headers: { 'content-security-policy': contentPolicy, ...headers },
  });
}

function plainText(text: string): Reply {
  return new Reply(new Blob([text]), {
    contentType: 'text/plain; charset=utf-8',
    etag: tagOf(text),
    cacheControl: 'public, no-cache',
  });
}

function pagePolicy(): string {
  const hash = new Bun.CryptoHasher('sha256').update(PAGE_STYLE).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

function tagOf(text: string): string {
  return `"${Bun.hash(text).toString(36)}"`;
}
