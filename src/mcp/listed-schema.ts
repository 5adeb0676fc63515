// Schemas of arguments as tools/list shows them. A client puts every tool's whole listing before the model, so what the
// listing costs is paid in each conversation: the full schemas of all tools take some 30,000 tokens, most of them for
// answers. So the schemas of answers are not listed (the protocol leaves it open), and those of arguments are listed
// without what only a validator needs. What is left out makes a listed schema allow more than the full one, never less.
// The full ones are in GET /v1/mcp/tools and hold for MCP calls too.

import { isObject, type JsonSchema } from '../tools/kit/tool.ts';

/** What a model does not need to write good arguments; a call that breaks such a bound is refused with a fix. */
const UNLISTED_KEYWORDS: ReadonlySet<string> = new Set([
  'examples',
  'title',
  'minLength',
  'maxLength',
  'maxItems',
  'pattern',
  'multipleOf',
]);

/** Arguments whose words or elements say all that their descriptions do. */
const SELF_EXPLAINED: ReadonlySet<string> = new Set([
  'sport',
  'status',
  'format',
  'market_type',
  'markets',
  'bookmakers',
  'limit',
]);

/** Arguments: their types, words, bounds, defaults and descriptions. That null means "left out" is not listed. */
export function listedInput(schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  const listed = isObject(properties)
    ? Object.fromEntries(
        Object.entries(properties).map(([name, field]) => {
          const listedAs = listedField(field);
          return [name, SELF_EXPLAINED.has(name) ? withoutDescription(listedAs) : listedAs];
        }),
      )
    : {};
  return { ...schema, properties: listed };
}

function listedField(field: unknown): unknown {
  if (!isObject(field)) return field;
  const { anyOf, items, ...rest } = field;
  const kept = Object.fromEntries(
    Object.entries(rest).filter(([keyword]) => !UNLISTED_KEYWORDS.has(keyword)),
  );
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
