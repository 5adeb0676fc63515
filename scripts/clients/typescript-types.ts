// Generates the TypeScript client's types with openapi-typescript. That package needs the compiler API of
// TypeScript 5, which version 7 no longer has, so it is given version 5 here.

import { plugin } from 'bun';
import type { Document } from './document.ts';

plugin({
  name: 'the compiler that openapi-typescript needs',
  setup(build) {
    build.module('typescript', async () => ({
      exports: await import('typescript-5'),
      loader: 'object',
    }));
  },
});

/** The text of clients/typescript/src/schema.ts. */
export async function typescriptTypes(document: Document): Promise<string> {
  const { default: openapiTs, astToString } = await import('openapi-typescript');
  const nodes = await openapiTs(document as never, { defaultNonNullable: false });
  return `// Types of requests and answers, written by \`bun run docs clients\` from the server's OpenAPI document.\n\n${astToString(nodes)}`;
}
