// Building blocks of every schema: exact objects, nullable values, closed enums, dates and comma-separated lists. A
// schema whose title is one PascalCase word is a named component of the OpenAPI document.

import {
  FormatRegistry,
  Kind,
  OptionalKind,
  type SchemaOptions,
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnion,
  type TUnsafe,
  Type,
  TypeRegistry,
} from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { instantMs, isCalendarDate } from '../clock.ts';

/** Kinds whose failure is 400 `invalid_request` (well-typed, means nothing) rather than 422. */
export const ENUM_KIND = 'StringEnum';
export const DATE_KIND = 'DateText';
export const DAY_KIND = 'DayText';
export const CSV_KIND = 'CsvList';
/** An object with any fields, whose values have one schema. */
const MAP_KIND = 'MapOf';

interface EnumSchema {
  readonly enum: readonly string[];
}

/** A comma-separated list as the parser and the OpenAPI generator see it. */
export interface CsvSchema {
  readonly csvValues: readonly string[];
  readonly csvItemsMax: number;
}

TypeRegistry.Set<EnumSchema>(
  ENUM_KIND,
  (schema, value) => typeof value === 'string' && schema.enum.includes(value),
);
TypeRegistry.Set<{ readonly additionalProperties: TSchema }>(
  MAP_KIND,
  (schema, value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((item) => Value.Check(schema.additionalProperties, item)),
);
TypeRegistry.Set(
  DAY_KIND,
  (_schema, value) => typeof value === 'string' && (isCalendarDate(value) || DAY_WORD.test(value)),
);
TypeRegistry.Set(DATE_KIND, (_schema, value) => typeof value === 'string' && isCalendarDate(value));
TypeRegistry.Set<CsvSchema>(
  CSV_KIND,
  (schema, value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= schema.csvItemsMax &&
    value.every((item) => typeof item === 'string' && schema.csvValues.includes(item)),
);
if (!FormatRegistry.Has('date')) FormatRegistry.Set('date', isCalendarDate);
if (!FormatRegistry.Has('date-time'))
  FormatRegistry.Set('date-time', (text) => !Number.isNaN(instantMs(text)));
if (!FormatRegistry.Has('uri')) FormatRegistry.Set('uri', (text) => URL.canParse(text));

/** An object with exactly these fields. */
export function exact<Properties extends TProperties>(
  properties: Properties,
  options: SchemaOptions = {},
): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** A value that is always sent and may be null. */
export function nullable<Schema extends TSchema>(
  schema: Schema,
  options: SchemaOptions = {},
): TUnion<[Schema, ReturnType<typeof Type.Null>]> {
  return Type.Union([schema, Type.Null()], options);
}

/** One word of a closed list. */
export function oneOf<const Values extends readonly string[]>(
  values: Values,
  options: SchemaOptions = {},
): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ [Kind]: ENUM_KIND, type: 'string', enum: [...values], ...options });
}

/**
 * A comma-separated list in a query or a body field. The kit splits, trims and deduplicates it, so that handlers get
 * an array; more than `itemsMax` entries are 422, an unknown one is 400.
 */
export function csvOf<const Values extends readonly string[]>(
  values: Values,
  itemsMax: number,
  options: SchemaOptions = {},
): TUnsafe<readonly Values[number][]> {
  return Type.Unsafe<readonly Values[number][]>({
    [Kind]: CSV_KIND,
    type: 'string',
    csvValues: values,
    csvItemsMax: itemsMax,
    ...options,
  });
}

/** A calendar date, YYYY-MM-DD. */
export function dateText(options: SchemaOptions = {}): TUnsafe<string> {
  return Type.Unsafe<string>({ [Kind]: DATE_KIND, type: 'string', format: 'date', ...options });
}

/** Days that agents, which seldom know the date, may name by a word. */
export const DAY_WORDS = 'today, tonight, tomorrow, yesterday or a weekday';
const DAY_WORD =
  /^(?:today|tonight|tomorrow|yesterday|(?:(?:last|next|this)\s)?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday))$/i;

/** A calendar date or a word for one; `query/named-days.ts` says which day it is. */
export function dayText(options: SchemaOptions = {}): TUnsafe<string> {
  return Type.Unsafe<string>({ [Kind]: DAY_KIND, type: 'string', ...options });
}

/** An instant in ISO-8601 UTC. */
export function instant(options: SchemaOptions = {}): ReturnType<typeof Type.String> {
  return Type.String({ format: 'date-time', examples: ['2026-03-01T18:45:00.000Z'], ...options });
}

/** An input with a default: absent in the request, always there for the handler. Not for answers. */
export function withDefault<Schema extends TSchema>(schema: Schema, value: Static<Schema>): Schema {
  return Type.Optional({ ...schema, default: value }) as TSchema as Schema;
}

/** An input that may be left out. */
export function optional<Schema extends TSchema>(schema: Schema): TOptional<Schema> {
  return Type.Optional(schema) as TOptional<Schema>;
}

/** Whether a request may leave the field out. */
export function isOptionalField(schema: TSchema): boolean {
  return schema[OptionalKind] === 'Optional';
}

/**
 * The JSON Schema of a field that a request may leave out, as documents show it: null is the same as leaving it out.
 * @param json the field's schema without null
 */
export function acceptingNull(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const outside = ['description', 'default', 'examples'].filter((keyword) => keyword in json);
  const inside = Object.entries(json).filter(([keyword]) => !outside.includes(keyword));
  // Not `type: ["string", "null"]`: clients that know one type a schema would drop the constraint.
  return {
    anyOf: [Object.fromEntries(inside), { type: 'null' }],
    ...Object.fromEntries(outside.map((keyword) => [keyword, json[keyword]])),
  };
}

/** An object whose fields are named by the data, each with a value of one schema. For answers. */
export function mapOf<Value extends TSchema>(
  value: Value,
  options: SchemaOptions = {},
): TUnsafe<Record<string, Static<Value>>> {
  return Type.Unsafe<Record<string, Static<Value>>>({
    [Kind]: MAP_KIND,
    type: 'object',
    additionalProperties: value,
    ...options,
  });
}
