// API descriptions for programs: the OpenAPI and AsyncAPI documents and llms.txt. Each is made when it is
// first requested. Making them when the server starts would take a quarter of the time that the query thread
// needs to start.

import type { Tool } from '../../tools/kit/tool.ts';
import { asyncApiDocument } from '../docs/asyncapi.ts';
import { llmsFullText, llmsText } from '../docs/llms.ts';
import { openApiDocument } from '../docs/openapi.ts';
import { servedDocument } from '../docs/swagger.ts';
import { Reply } from '../kit/reply.ts';
import { definePage, type Route } from '../kit/route.ts';

export interface DocsOptions {
  /** Every route of the API. */
  readonly routes: readonly Route[];
  readonly publicUrl: string;
  readonly tools: readonly Tool[];
}

export function docsRoutes({ routes, publicUrl, tools }: DocsOptions): Route[] {
  const openApi = once(async () => document(await servedDocument(openApiDocument(routes, publicUrl))));
  const asyncApi = once(() => document(JSON.stringify(asyncApiDocument({ publicUrl }))));
  const short = once(() => plainText(llmsText({ routes, tools, publicUrl })));
  const full = once(() => plainText(llmsFullText({ routes, tools, publicUrl })));
  return [
    definePage({ path: '/openapi.json', handle: openApi }),
    definePage({ path: '/asyncapi.json', handle: asyncApi }),
    definePage({ path: '/llms.txt', handle: short }),
    definePage({ path: '/llms-full.txt', handle: full }),
  ];
}

/** Calls `make` once, at the first call; every call returns what it made. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function document(json: string): Reply {
  return new Reply(new Blob([json]), { etag: tagOf(json), cacheControl: 'public, no-cache' });
}

function plainText(text: string): Reply {
  return new Reply(new Blob([text]), {
    contentType: 'text/plain; charset=utf-8',
    etag: tagOf(text),
    cacheControl: 'public, no-cache',
  });
}

function tagOf(text: string): string {
  return `"${Bun.hash(text).toString(36)}"`;
}
