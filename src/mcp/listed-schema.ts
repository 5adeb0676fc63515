// Input schemas as tools/list shows them. A client puts the whole listing into the model's context, so every
// conversation pays for it: the full schemas of all tools are about 30,000 tokens, mostly for answers. So
// answer schemas are not listed (the protocol allows that), and input schemas are listed without parts that
// only a validator needs. A listed schema can therefore allow more than the full one, never less. GET
// /v1/mcp/tools has the full schemas, and MCP calls are checked against them.

import { isObject } from '../parse-json.ts';
import type { JsonSchema } from '../tools/kit/tool.ts';

/**
 * Keywords that a model does not need to write good arguments. A call that breaks such a bound is refused
 * with a fix.
 */
const UNLISTED_KEYWORDS: ReadonlySet<string> = new Set([
  'examples',
  'title',
  'minLength',
  'maxLength',
  'maxItems',
  'pattern',
  'multipleOf',
]);

/** Arguments whose enum values or elements already say what their description would. */
const SELF_EXPLAINED: ReadonlySet<string> = new Set([
  'sport',
  'status',
  'format',
  'market_type',
  'markets',
  'bookmakers',
  'limit',
]);

/**
 * An input schema as it is listed: arguments with types, enum values, bounds, defaults and descriptions. That
 * null means "left out" is not listed.
 */
export function listedInput(schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  return { ...schema, properties: isObject(properties) ? listedFields(properties) : {} };
}

function listedFields(properties: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const listedAs = listedField(field);
      return [name, SELF_EXPLAINED.has(name) ? withoutDescription(listedAs) : listedAs];
    }),
  );
}

function listedField(field: unknown): unknown {
  if (!isObject(field)) return field;
  const { anyOf, items, properties, ...rest } = field;
  const kept: JsonSchema = {
    ...Object.fromEntries(Object.entries(rest).filter(([keyword]) => !UNLISTED_KEYWORDS.has(keyword))),
    ...(isObject(properties) ? { properties: listedFields(properties) } : {}),
  };
  const variants = Array.isArray(anyOf) ? anyOf.filter((variant) => !isNull(variant)) : [];
  if (variants.length === 1) return { ...(listedField(variants[0]) as JsonSchema), ...kept };
  if (variants.length > 1) return { ...kept, anyOf: variants.map(listedField) };
  return items === undefined ? kept : { ...kept, items: withoutDescription(listedField(items)) };
}

function withoutDescription(field: unknown): unknown {
  if (!isObject(field)) return field;
  return Object.fromEntries(Object.entries(field).filter(([keyword]) => keyword !== 'description'));
}

function isNull(variant: unknown): boolean {
  return isObject(variant) && variant.type === 'null';
}
