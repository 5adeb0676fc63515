// What @elysiajs/swagger serves: the OpenAPI document, with our description of the routes as its
// documentation. The viewer's page is our own, because the plugin's page loads the viewer from another host
// and starts it with an inline script, which our content security policy forbids.

import { type ElysiaSwaggerConfig, swagger } from '@elysiajs/swagger';
import { Elysia } from 'elysia';

const DOCUMENT_PATH = '/openapi.json';

/** The argument for SwaggerUIBundle. */
export const VIEWER_SETTINGS = {
  url: DOCUMENT_PATH,
  dom_id: '#swagger-ui',
  validatorUrl: 'none',
  // With deep links, the viewer puts a link inside each button, which screen readers cannot use.
  deepLinking: false,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
} as const satisfies ElysiaSwaggerConfig['swaggerOptions'] & {
  readonly dom_id: string;
  readonly url: string;
};

/** The OpenAPI document as JSON text. */
export async function servedDocument(documentation: object): Promise<string> {
  // The plugin's types describe OpenAPI 3.0, but it also serves a document of another version.
  const typed = documentation as NonNullable<ElysiaSwaggerConfig['documentation']>;
  const app = new Elysia().use(
    swagger({ provider: 'swagger-ui', specPath: DOCUMENT_PATH, documentation: typed }),
  );
  return (await app.handle(new Request(`http://localhost${DOCUMENT_PATH}`))).text();
}
