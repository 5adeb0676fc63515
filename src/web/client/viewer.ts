// Starts the API viewer on /docs, whose own script is loaded before this one.

interface ViewerWindow extends Window {
  SwaggerUIBundle(options: Readonly<Record<string, unknown>>): unknown;
}

(window as unknown as ViewerWindow).SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  validatorUrl: 'none',
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
});

export {};
