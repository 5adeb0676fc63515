// The page behind every `documentation_url`: one section per error code, built from the error registry when
// the page is first requested.

import { ERRORS, type ErrorCode, type ErrorKind, envelopeOf } from '../errors.ts';
import type { Bundle } from './bundle.ts';
import { escapeHtml, textPage } from './page.ts';

const SCHEMA_NOTE =
  'Every failure has the same body. Switch on <code>error.code</code>; when <code>error.fix</code> is not null, apply it instead of retrying. Only 422 has a different body.';

/** The whole page. @param publicUrl base of links, no trailing slash */
export function errorsPage(publicUrl: string, bundle: Bundle): string {
  const kinds = Object.entries(ERRORS) as [ErrorCode, ErrorKind][];
  const rows = kinds.map(([code, kind]) => rowOf(code, kind)).join('\n');
  const sections = kinds.map(([code, kind]) => sectionOf(code, kind, publicUrl)).join('\n');
  const body = `<h1>Errors</h1>
<p>${SCHEMA_NOTE}</p>
<table>
<thead><tr><th scope="col">HTTP</th><th scope="col">Code</th><th scope="col">Meaning</th><th scope="col">Retry</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
${sections}`;
  return textPage({
    title: 'Errors · Overround',
    description: 'Every error code, and what to do about it',
    bundle,
    body,
  });
}

function rowOf(code: ErrorCode, kind: ErrorKind): string {
  return `<tr><td>${kind.status}</td><td><a href="#${code}"><code>${code}</code></a></td><td>${escapeHtml(kind.title)}</td><td>${kind.retriable ? 'yes' : 'no'}</td></tr>`;
}

function sectionOf(code: ErrorCode, kind: ErrorKind, publicUrl: string): string {
  const retry = kind.retriable
    ? 'Retry after <code>retry_after_seconds</code>.'
    : 'Change the request before you retry.';
  return `<section id="${code}">
<h2>${code}</h2>
<p class="meta">HTTP ${kind.status} · ${escapeHtml(kind.title)} · ${retry}</p>
<p>${withCode(kind.help)}</p>
<pre tabindex="0"><code>${escapeHtml(JSON.stringify(exampleOf(code, kind, publicUrl), null, 2))}</code></pre>
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

/** A text of the registry as HTML, with its `code` spans marked up. */
function withCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
