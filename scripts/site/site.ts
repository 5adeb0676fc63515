// Writes the documents and the API reference as static pages with search, which can be opened from a folder
// without a server. They are made from the same Markdown, styles and API viewer that the server uses.

import { cpSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { VIEWER_FILES, viewerFile } from '../../src/http/docs/viewer-files.ts';
import { compilePages } from '../../src/web/compile-pages.ts';
import { escapeHtml } from '../../src/web/page.ts';
import type { Json } from '../contract/changes.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const SOURCES = ['{README,CHANGELOG,CONTRIBUTING}.md', '{docs,clients,examples}/**/*.md'];
const GROUPS = ['', 'docs/guide', 'docs/reference', 'docs/internals', 'clients', 'examples'];
const API_PAGE = 'api.html';
const ASSETS = 'assets';

interface Page {
  /** The page's Markdown file, from the root of the repository. */
  readonly source: string;
  readonly path: string;
  readonly title: string;
  readonly html: string;
}

/** A part of a page that search can find. */
interface Found {
  readonly path: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

/** Writes the site. @param openApi the document of the API reference @returns the paths of its pages */
export async function writeSite(folder: string, openApi: Json): Promise<readonly string[]> {
  const pages = await Promise.all(sources().map(pageOf));
  const files = new Set<string>();
  const put = (path: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const page of pages) put(page.path, documentOf(page, pages, linked(page, files)));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(ROOT + file, join(folder, file));
  }
  put(API_PAGE, apiPage(pages));
  await putAssets(put, pages, openApi);
  return [...pages.map(({ path }) => path), API_PAGE];
}

function sources(): readonly string[] {
  const all = SOURCES.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(ROOT)]);
  return all.filter((path) => !path.includes('node_modules')).sort();
}

async function pageOf(source: string): Promise<Page> {
  const markdown = (await Bun.file(ROOT + source).text()).replaceAll(/^<!--.*-->\n/gm, '');
  const html = Bun.markdown.html(markdown, { headings: { ids: true } });
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? source;
  return { source, path: pathOf(source), title: title.replaceAll(/[`*]/g, ''), html };
}

function pathOf(source: string): string {
  return source === 'README.md' ? 'index.html' : source.replace(/\.md$/, '.html');
}

/**
 * The page's HTML with links to pages of the site. @param files collects the files that the page needs
 * besides pages
 */
function linked({ source, html }: Page, files: Set<string>): string {
  const known = new Set(sources());
  return html.replaceAll(
    / (href|src)="([^"#]+)(#[^"]*)?"/g,
    (whole, attribute, target: string, anchor = '') => {
      if (/^[a-z]+:/.test(target)) return whole;
      const path = normalize(join(dirname(source), target));
      if (known.has(path)) return ` ${attribute}="${from(source, pathOf(path))}${anchor}"`;
      if (!existsSync(ROOT + path)) throw new Error(`Cannot write the site: ${source} links to ${target}`);
      if (statSync(ROOT + path).isDirectory()) return '';
      files.add(path);
      return whole;
    },
  );
}

/** The relative address of `target`, which works for pages on a server and for files in a folder. */
function from(source: string, target: string): string {
  return relative(dirname(pathOf(source)), target);
}

function documentOf(page: Page, pages: readonly Page[], html: string): string {
  return shell(page, pages, `<main>\n${html}\n</main>`);
}

function shell(
  { source, title }: Pick<Page, 'source' | 'title'>,
  pages: readonly Page[],
  body: string,
): string {
  const base = from(source, '.') || '.';
  return `<!doctype html>
<html lang="en" data-base="${base}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Overround</title>
<link rel="stylesheet" href="${from(source, `${ASSETS}/style.css`)}">
</head>
<body class="text-page">
<header class="bar"><a class="brand" href="${from(source, 'index.html')}">Overround</a>
<input type="search" id="search" placeholder="Search" aria-label="Search the documents"></header>
<nav class="site-results" id="results" aria-label="Search results"></nav>
<details class="site-pages"><summary>All pages</summary>${listOf(source, pages)}</details>
${body}
<script src="${from(source, `${ASSETS}/index.js`)}"></script>
<script src="${from(source, `${ASSETS}/search.js`)}"></script>
</body>
</html>
`;
}

function listOf(source: string, pages: readonly Page[]): string {
  const groups = GROUPS.map((group) => {
    const own = pages.filter((page) => groupOf(page.source) === group);
    const links = own.map((page) => `<a href="${from(source, page.path)}">${escapeHtml(page.title)}</a>`);
    if (group === '') links.push(`<a href="${from(source, API_PAGE)}">API</a>`);
    return `<p>${links.join(' · ')}</p>`;
  });
  return groups.join('\n');
}

function groupOf(source: string): string {
  const group = GROUPS.findLast((one) => source.startsWith(one));
  return group ?? '';
}

function apiPage(pages: readonly Page[]): string {
  const body = `<link rel="stylesheet" href="${ASSETS}/swagger-ui.css">
<div id="swagger-ui"></div>
<script src="${ASSETS}/swagger-ui-bundle.js"></script>
<script src="${ASSETS}/openapi.js"></script>`;
  return shell({ source: 'api.md', title: 'API' }, pages, body);
}

async function putAssets(
  put: (path: string, text: string | Uint8Array) => void,
  pages: readonly Page[],
  openApi: Json,
): Promise<void> {
  const style = (await compilePages(['style.css'])).find(({ name }) => name.startsWith('style-'));
  if (style === undefined) throw new Error('Cannot write the site: the bundle has no style sheet');
  const own = await Bun.file(join(import.meta.dir, 'site.css')).text();
  put(`${ASSETS}/style.css`, `${style.text}\n${own}`);
  put(`${ASSETS}/search.js`, await Bun.file(join(import.meta.dir, 'search.js')).text());
  // A script instead of JSON, because a page that is opened from a folder may not fetch files.
  put(`${ASSETS}/index.js`, `globalThis.siteIndex = ${JSON.stringify(pages.flatMap(partsOf))};\n`);
  for (const { name } of VIEWER_FILES) put(`${ASSETS}/${name}`, await viewerFile(name).bytes());
  const settings = `{ spec: ${JSON.stringify(openApi)}, dom_id: '#swagger-ui', supportedSubmitMethods: [] }`;
  put(`${ASSETS}/openapi.js`, `SwaggerUIBundle(${settings});\n`);
}

/** The parts of a page, one for each heading. */
function partsOf({ path, title, html }: Page): Found[] {
  const [first = '', ...rest] = html.split(/(?=<h[1-6] )/);
  return [first, ...rest].map((part) => {
    const [, id = '', heading = ''] = /^<h[1-6] id="([^"]*)">(.*?)<\/h/.exec(part) ?? [];
    const text = textOf(part.replace(/^<h.*?<\/h[1-6]>/, ''));
    return { path: id === '' ? path : `${path}#${id}`, title, heading: textOf(heading), text };
  });
}

function textOf(html: string): string {
  const plain = html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
  return plain.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll(/\s+/g, ' ').trim();
}
