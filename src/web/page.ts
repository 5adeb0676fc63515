// The HTML around a page: an empty body that its script fills, or a text; one style sheet; no inline script or style.

import { type Bundle, type EntryName, ICON_PATH } from './bundle.ts';

/** What a page's script is told by its HTML, so that it need not ask. It holds no prices. */
export interface PageSettings {
  /** Catalogue order. */
  readonly bookmakers: readonly { readonly key: string; readonly name: string; readonly class: string }[];
  /** From the lowest; `perDay` is null for no daily limit. */
  readonly tiers: readonly {
    readonly key: string;
    readonly perMinute: number;
    readonly perDay: number | null;
  }[];
  /** Whether the feed is the simulator. */
  readonly isSimulated: boolean;
  /** Whether plans can be set without paying. */
  readonly isDevelopment: boolean;
  /** How long ago the feed may have confirmed a match that is not in play before its prices are stale. */
  readonly prematchWindowMs: number;
  readonly version: string;
  /** Base of links to the API, no trailing slash. */
  readonly publicUrl: string;
}

export interface PageParts {
  readonly title: string;
  readonly description: string;
  readonly bundle: Bundle;
}

/** Own files only, nothing inline; data: images are marks that style sheets draw. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** A page that its script draws. */
export function scriptPage(parts: PageParts & { entry: EntryName; settings: PageSettings }): string {
  const { bundle, entry, settings } = parts;
  const script = bundle.entries.get(entry);
  const preloads = (script?.imports ?? []).map((path) => `<link rel="modulepreload" href="${path}">`);
  return `${headOf(parts)}
<meta name="overround" content="${escapeHtml(JSON.stringify(settings))}">
${preloads.join('\n')}
<script type="module" src="${script?.path}"></script>
</head>
<body>
<noscript>This page needs JavaScript. The same prices are at <a href="/v1/odds">/v1/odds</a>.</noscript>
</body>
</html>
`;
}

/** A page that is its text. @param body HTML of what stands under the page's head line */
export function textPage(parts: PageParts & { body: string }): string {
  return `${headOf(parts)}
<script type="module" src="${parts.bundle.entries.get('text')?.path}"></script>
</head>
<body class="text-page">
${TEXT_PAGE_HEADER}
<main>
${parts.body}
</main>
</body>
</html>
`;
}

const TEXT_PAGE_HEADER = `<header class="bar">
<a class="brand" href="/">Overround</a>
<nav class="bar-links" aria-label="Pages">
<a href="/docs/start">Start</a>
<a href="/docs/agents">Agents</a>
<a href="/docs">API</a>
<a href="/docs/errors">Errors</a>
<a href="/console">Console</a>
</nav>
</header>`;

function headOf({ title, description, bundle }: PageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" type="image/svg+xml" href="${ICON_PATH}">
<link rel="stylesheet" href="${bundle.entries.get('style')?.path}">`;
}

/** Text that may stand in an element or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** The page's API viewer: swagger-ui, whose files are at these paths, started by our own script with these settings. */
export function viewerPage(
  parts: PageParts & { readonly styles: string; readonly script: string; readonly viewerSettings: string },
): string {
  return `${headOf(parts)}
<link rel="stylesheet" href="${parts.styles}">
<meta name="viewer" content="${escapeHtml(parts.viewerSettings)}">
<script defer src="${parts.script}"></script>
<script type="module" src="${parts.bundle.entries.get('viewer')?.path}"></script>
</head>
<body class="text-page viewer-page">
${TEXT_PAGE_HEADER}
<p class="viewer-note">The events of <code>/v1/stream</code> and <code>/v1/ws</code> are described in <a href="/asyncapi.json">AsyncAPI 3</a>, the rest here and in <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<div id="swagger-ui"></div>
</body>
</html>
`;
}
