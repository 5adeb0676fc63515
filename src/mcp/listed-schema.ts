// A JSON Schema in the SDK's clothes: listed to clients, not checked a second time.

import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { JsonSchema } from '../tools/kit/json-schema.ts';

/** A schema the SDK lists but does not check: `callTool` checks, once, by the same rules as REST. */
export function asListedSchema(schema: JsonSchema): StandardSchemaWithJSON<unknown, unknown> {
  const json = { ...schema };
  return {
    '~standard': {
      version: 1,
      vendor: 'overround',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
