// The page behind every `documentation_url`: one section per error code, made once at start from the error registry.

import { ERRORS, type ErrorCode, type ErrorKind, envelopeOf } from '../errors.ts';

/** The style of the text pages, inline so that a page is one answer. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d8dee4; --panel: #f6f8fa; --accent: #0a7a4b; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #9aa4af; --line: #30363d; --panel: #161b22; --accent: #3fb27f; }
  body { background: #0d1117; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.25rem 5rem; max-width: 52rem; color: var(--ink); line-height: 1.6;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { margin: 0 0 .25rem; font-size: 1.9rem; }
h2 { margin: 0; font-size: 1.15rem; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
p { margin: .5rem 0; }
a { color: var(--accent); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875em; }
code { background: var(--panel); border-radius: 4px; padding: .1em .3em; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .9rem 1rem; overflow-x: auto; line-height: 1.45; }
pre code { background: none; padding: 0; }
table { width: 100%; border-collapse: collapse; margin: 1.5rem 0 2rem; font-size: .95rem; }
th, td { text-align: left; padding: .45rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
section { border-top: 1px solid var(--line); padding: 1.5rem 0 .75rem; scroll-margin-top: 1rem; }
section:target { background: linear-gradient(90deg, color-mix(in srgb, var(--accent) 10%, transparent), transparent); }
.meta { color: var(--soft); font-size: .9rem; }
`;

const SCHEMA_NOTE =
  'Every failure has the same body. Switch on <code>error.code</code>; when <code>error.fix</code> is not null, apply it instead of retrying. Only 422 has a body of its own.';

/** The whole page. @param publicUrl base of links, no trailing slash */
export function errorsPage(publicUrl: string): string {
  const kinds = Object.entries(ERRORS) as [ErrorCode, ErrorKind][];
  const rows = kinds.map(([code, kind]) => rowOf(code, kind)).join('\n');
  const sections = kinds.map(([code, kind]) => sectionOf(code, kind, publicUrl)).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors · Overround</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<h1>Errors</h1>
<p class="meta"><a href="/docs">Overround API reference</a></p>
<p>${SCHEMA_NOTE}</p>
<table>
<thead><tr><th>HTTP</th><th>Code</th><th>Meaning</th><th>Retry</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
${sections}
</body>
</html>
`;
}

function rowOf(code: ErrorCode, kind: ErrorKind): string {
  return `<tr><td>${kind.status}</td><td><a href="#${code}"><code>${code}</code></a></td><td>${escapeHtml(kind.title)}</td><td>${kind.retriable ? 'yes' : 'no'}</td></tr>`;
}

function sectionOf(code: ErrorCode, kind: ErrorKind, publicUrl: string): string {
  const retry = kind.retriable
    ? 'Retriable, after <code>retry_after_seconds</code>.'
    : 'Not retriable as it is.';
  return `<section id="${code}">
<h2>${code}</h2>
<p class="meta">HTTP ${kind.status} · ${escapeHtml(kind.title)} · ${retry}</p>
<p>${withCode(kind.help)}</p>
<pre><code>${escapeHtml(JSON.stringify(exampleOf(code, kind, publicUrl), null, 2))}</code></pre>
</section>`;
}

function exampleOf(code: ErrorCode, kind: ErrorKind, publicUrl: string): unknown {
  if (code === 'validation_error') {
    const msg = 'Input should be less than or equal to 200';
    return { detail: [{ type: 'less_than_equal', loc: ['query', 'limit'], msg, input: null }] };
  }
  const retryAfterSeconds = kind.retriable ? 1 : null;
  return envelopeOf(code, publicUrl, { message: kind.title, fix: null, retryAfterSeconds });
}

/** Text of the registry as HTML, its \`code\` spans marked up. */
function withCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
