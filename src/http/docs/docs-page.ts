// The /docs page: @elysiajs/swagger renders it once, and what it would load from a CDN is replaced by files of the
// installed swagger-ui-dist, so that the page works with no internet.

import { swagger } from '@elysiajs/swagger';
import { Elysia } from 'elysia';
import { version as VIEWER_VERSION } from 'swagger-ui-dist/package.json';
import { assert } from '../../errors.ts';

/** The version is part of the path, so that the files are immutable. */
export const VIEWER_PATH = `/docs/assets/${VIEWER_VERSION}`;

/** The viewer's files, by the last part of their path. */
export const VIEWER_FILES = [
  { name: 'swagger-ui-bundle.js', contentType: 'text/javascript; charset=utf-8' },
  { name: 'swagger-ui.css', contentType: 'text/css; charset=utf-8' },
  { name: 'favicon-32x32.png', contentType: 'image/png' },
] as const;

export interface DocsPage {
  readonly html: string;
  readonly contentPolicy: string;
}

/** A file of the installed viewer. @throws when it is not installed */
export function viewerFile(name: string): Blob {
  return Bun.file(Bun.resolveSync(`swagger-ui-dist/${name}`, import.meta.dir));
}

/** Renders the page. @param publicUrl where "Try it out" sends requests, besides this server */
export async function renderDocsPage(publicUrl: string): Promise<DocsPage> {
  const renderer = new Elysia().use(
    swagger({
      provider: 'swagger-ui',
      path: '/docs',
      specPath: '/openapi.json',
      version: VIEWER_VERSION,
      theme: `${VIEWER_PATH}/swagger-ui.css`,
      autoDarkMode: false,
      documentation: { info: { title: 'Overround API', version: '', description: 'Read-only sports odds' } },
      swaggerOptions: {
        validatorUrl: 'none',
        deepLinking: true,
        displayRequestDuration: true,
        defaultModelsExpandDepth: 0,
        tryItOutEnabled: true,
      },
    }),
  );
  const rendered = await (await renderer.handle(new Request('http://localhost/docs'))).text();
  const html = rendered
    .replace(/<script src="https:[^"]+" crossorigin>/, `<script src="${VIEWER_PATH}/swagger-ui-bundle.js">`)
    .replace('"url":"openapi.json"', '"url":"/openapi.json"')
    .replace(
      '</head>',
      `<link rel="icon" type="image/png" href="${VIEWER_PATH}/favicon-32x32.png" /></head>`,
    );
  const inline = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1];
  assert(inline !== undefined, 'the viewer page starts the viewer in one inline script');
  assert(!/(?:src|href)="https?:/.test(html), 'the viewer page loads nothing from elsewhere');
  return { html, contentPolicy: contentPolicyOf(inline, publicUrl) };
}

/** Own files, the one inline script by its hash, inline styles (the viewer sets them), images of its own. */
function contentPolicyOf(inlineScript: string, publicUrl: string): string {
  const hash = new Bun.CryptoHasher('sha256').update(inlineScript).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(publicUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
