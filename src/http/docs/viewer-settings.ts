// The settings of the API viewer on /docs, as @elysiajs/swagger makes them for swagger-ui. That plugin's page
// is not used: it would load the viewer from another host and start it with an inline script, which our
// content security policy forbids.

import { swagger } from '@elysiajs/swagger';
import { Elysia } from 'elysia';
import { version as VIEWER_VERSION } from 'swagger-ui-dist/package.json';
import { assert } from '../../errors.ts';

const OPTIONS = {
  validatorUrl: 'none',
  // With deep links, the viewer puts a link inside each button, which screen readers cannot use.
  deepLinking: false,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
} as const;

/** The argument for SwaggerUIBundle, as JSON. */
export async function viewerSettings(): Promise<string> {
  const renderer = new Elysia().use(
    swagger({
      provider: 'swagger-ui',
      path: '/docs',
      specPath: '/openapi.json',
      version: VIEWER_VERSION,
      swaggerOptions: OPTIONS,
    }),
  );
  const page = await (await renderer.handle(new Request('http://localhost/docs'))).text();
  const settings = /SwaggerUIBundle\((\{.*?\})\);/s.exec(page)?.[1];
  assert(settings !== undefined, 'the page of @elysiajs/swagger starts the viewer with its settings');
  return JSON.stringify({ ...JSON.parse(settings), url: '/openapi.json' });
}
