// Converts TypeBox schemas to the JSON Schema of an OpenAPI 3.1 document: named schemas become components,
// null becomes part of the type list, and closed lists become enums.

import { Kind, type TSchema } from '@sinclair/typebox';
import { acceptingNull, CSV_KIND, type CsvSchema, isOptionalField } from '../../contract/schema.ts';
import { assert } from '../../errors.ts';

export type JsonObject = { [key: string]: unknown };

const COMPONENT_NAME = /^[A-Z][A-Za-z0-9]*$/;
/** Keywords of JSON Schema whose value is one schema. Those of HOLDS_LIST hold a list of schemas. */
const HOLDS_ONE = new Set(['items', 'additionalProperties', 'not']);
const HOLDS_LIST = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems']);
/** Our own keywords, which are not part of JSON Schema. */
const PRIVATE_KEYWORDS = new Set(['csvValues', 'csvItemsMax']);

/** Collects the named schemas of one document. */
export class ComponentSchemas {
  readonly #schemas = new Map<string, JsonObject>();

  /** Every component, sorted by name. */
  toJson(): JsonObject {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The schema as it appears in the document: a reference if it has a name. */
  convert(schema: TSchema): JsonObject {
    const { title } = schema;
    if (title === undefined || !COMPONENT_NAME.test(title)) return this.#inline(schema);
    const converted = this.#inline(schema);
    const known = this.#schemas.get(title);
    assert(known === undefined || Bun.deepEquals(known, converted), `schema name ${title} means one schema`);
    this.#schemas.set(title, converted);
    return { $ref: `#/components/schemas/${title}` };
  }

  #inline(schema: TSchema): JsonObject {
    if (schema[Kind] === CSV_KIND) return csvText(schema);
    const json: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'properties') json[keyword] = this.#convertMap(value as Record<string, TSchema>);
      else if (HOLDS_LIST.has(keyword))
        json[keyword] = (value as TSchema[]).map((item) => this.convert(item));
      else if (HOLDS_ONE.has(keyword) && typeof value === 'object')
        json[keyword] = this.convert(value as TSchema);
      else if (!PRIVATE_KEYWORDS.has(keyword)) json[keyword] = value;
    }
    return tightened(json);
  }

  #convertMap(schemas: Record<string, TSchema>): JsonObject {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => {
        const converted = this.convert(schema);
        return [name, isOptionalField(schema) ? acceptingNull(converted) : converted];
      }),
    );
  }
}

/** The schema of a comma-separated list in a body, where the list is one string. */
function csvText(schema: TSchema): JsonObject {
  const { csvValues, csvItemsMax } = schema as unknown as CsvSchema;
  const word = `(${csvValues.join('|')})`;
  const { description, examples } = schema;
  return {
    type: 'string',
    pattern: `^${word}(,${word}){0,${csvItemsMax - 1}}$`,
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
  };
}

/** Simplifies `anyOf`: one typed schema and null become a type list, and several words become an enum. */
function tightened(json: JsonObject): JsonObject {
  const { anyOf, ...rest } = json;
  if (!Array.isArray(anyOf)) return json;
  const branches = anyOf as JsonObject[];
  if (branches.every((branch) => typeof branch.const === 'string')) {
    return { ...rest, type: 'string', enum: branches.map((branch) => branch.const) };
  }
  const [first, second] = branches;
  const isNullable = branches.length === 2 && second?.type === 'null' && typeof first?.type === 'string';
  if (!isNullable || first === undefined || first.enum !== undefined) return json;
  return { ...first, ...rest, type: [first.type, 'null'] };
}
