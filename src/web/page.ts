// The HTML of a page: either an empty body that its script fills, or text. One style sheet, no inline script
// or style.

import { type Bundle, type EntryName, ICON_PATH } from './bundle.ts';

/**
 * Settings that the HTML passes to the page's script, so that the script needs no request for them. No
 * prices.
 */
export interface PageSettings {
  /** In catalogue order. */
  readonly bookmakers: readonly {
    readonly key: string;
    readonly name: string;
    readonly class: string;
    /** Bookmakers of one owner have the same text. */
    readonly owner: string;
    readonly isExchange: boolean;
  }[];
  /** Lowest tier first; `perDay` is null without a daily limit. */
  readonly tiers: readonly {
    readonly key: string;
    readonly perMinute: number;
    readonly perDay: number | null;
  }[];
  /** Whether the feed is the simulator. */
  readonly isSimulated: boolean;
  /** Whether plans can be changed without paying. */
  readonly isDevelopment: boolean;
  /** Age of the last confirmation from which prices of a match that is not in play are stale. */
  readonly prematchWindowMs: number;
  /** Age of the last confirmation from which prices of a match in play are stale. */
  readonly liveWindowMs: number;
  /** Whether the server keeps the price history. */
  readonly hasHistory: boolean;
  readonly version: string;
  /** Base of links to the API, no trailing slash. */
  readonly publicUrl: string;
}

export interface PageParts {
  readonly title: string;
  readonly description: string;
  readonly bundle: Bundle;
}

/** Only files of this server, nothing inline. `data:` images are icons in the style sheets. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** A page that its script draws. */
export function scriptPage(parts: PageParts & { entry: EntryName; settings: PageSettings }): string {
  const { bundle, entry, settings } = parts;
  const script = bundle.entries.get(entry);
  const preloads = (script?.imports ?? []).map((path) => `<link rel="modulepreload" href="${path}">`);
  // The script is not a module, so that it runs as soon as the browser has read this line.
  const first = entry === 'board' ? `<script src="${bundle.entries.get('first')?.path}"></script>` : '';
  return `${headOf(parts, first)}
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

/** A page made of text. @param body HTML below the page's top bar */
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

/** @param first a script that runs before the styles have loaded */
function headOf({ title, description, bundle }: PageParts, first = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">${first}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="manifest" href="/manifest.webmanifest">
<link rel="icon" type="image/svg+xml" href="${ICON_PATH}">
<link rel="stylesheet" href="${bundle.entries.get('style')?.path}">`;
}

/** Escapes text for use in an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/**
 * The API viewer page: the swagger-ui files at the given paths, started by our own script with these
 * settings.
 */
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
<p class="viewer-note">The events of <code>/v1/stream</code> and <code>/v1/ws</code> are described in <a href="/asyncapi.json">AsyncAPI 3</a>, everything else here and in <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<div id="swagger-ui"></div>
</body>
</html>
`;
}
