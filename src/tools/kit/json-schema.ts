// A tool's TypeBox schemas as the plain JSON Schema that callers and models read: the manifest, MCP and documents show
// the same.

import type { TSchema } from '@sinclair/typebox';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema as plain data: an object at its root, TypeBox's symbols dropped. */
export function toJsonSchema(schema: TSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema)) as JsonSchema;
}

/** Whether a value is an object, not null and no array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
