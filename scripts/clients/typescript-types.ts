// Types of the TypeScript client, made by openapi-typescript. That builds its text with the compiler of TypeScript 5, whose
// interface version 7 no longer has, so version 5 stands in for it here.

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
  return `// Types of requests and answers, written by \`bun run clients\` from the server's OpenAPI document.\n\n${astToString(nodes)}`;
}
