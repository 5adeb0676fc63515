// Building blocks of every schema: exact objects, nullable values, closed enums, dates and comma-separated
// lists. A schema whose title is one PascalCase word becomes a named component of the OpenAPI document.

import {
  FormatRegistry,
  Kind,
  OptionalKind,
  type SchemaOptions,
  type Static,
  type StringOptions,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
  type TUnion,
  type TUnsafe,
  Type,
  TypeRegistry,
} from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { instantMs, isCalendarDate } from '../clock.ts';
import { readDay } from '../domain/days/day-text.ts';

/** The checked values of a schema's fields. A field that may be left out may also be undefined. */
export type WordsOf<Schema extends TObject, Words = Static<Schema>> = {
  readonly [Name in keyof Words]: object extends Pick<Words, Name> ? Words[Name] | undefined : Words[Name];
};

/** Kinds whose failure is 400 `invalid_request` (well-typed but meaningless) instead of 422. */
export const ENUM_KIND = 'StringEnum';
export const DATE_KIND = 'DateText';
export const DAY_KIND = 'DayText';
export const CSV_KIND = 'CsvList';
/** Symbols, so that they never appear in published schemas. */
const TOKEN_FIX = Symbol('token fix');
const ALSO_CALLED = Symbol('also called');
/** An object with arbitrary field names, whose values all have one schema. */
const MAP_KIND = 'MapOf';

/**
 * Names that callers use for an argument by mistake, and what the argument takes; for the error of an unknown
 * argument.
 */
interface AlsoCalled {
  readonly names: readonly string[];
  readonly takes: string;
}

export function alsoCalled<Schema extends TSchema>(schema: Schema, also: AlsoCalled): Schema {
  return { ...schema, [ALSO_CALLED]: also };
}

export function alsoCalledOf(schema: TSchema): AlsoCalled | undefined {
  return (schema as { readonly [ALSO_CALLED]?: AlsoCalled })[ALSO_CALLED];
}

/**
 * Text that is decoded or looked up: an id, a cursor, a time zone. A text of an impossible length is a 400,
 * like any other wrong id, and not a 422.
 * @param fix advice in that error
 */
export function tokenText(options: StringOptions, fix: string): TString {
  return { ...Type.String(options), [TOKEN_FIX]: fix };
}

/** The advice of a `tokenText` schema; undefined for other schemas. */
export function tokenFixOf(schema: TSchema): string | undefined {
  return (schema as { readonly [TOKEN_FIX]?: string })[TOKEN_FIX];
}

interface EnumSchema {
  readonly enum: readonly string[];
}

/** A comma-separated list, for the parser and the OpenAPI generator. */
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
  (_schema, value) =>
    typeof value === 'string' && value.length <= DAY_CHARS_MAX && readDay(value, { nowMs: 0 }) !== null,
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

/** The answer to a successful deletion. */
export function deletedAnswer(title: string, description: string) {
  return exact({ deleted: Type.Literal(true, { description }) }, { title });
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
 * A comma-separated list in a query or body field. The parser splits it, trims it and removes duplicates, so
 * handlers get an array. More than `itemsMax` entries are a 422; an unknown entry is a 400.
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

/** A longer text is not a day. */
const DAY_CHARS_MAX = 40;

/** A calendar date or words for days, because agents often do not know the date (domain/days/day-text.ts). */
export function dayText(options: SchemaOptions = {}): TUnsafe<string> {
  return Type.Unsafe<string>({ [Kind]: DAY_KIND, type: 'string', ...options });
}

/** An instant in ISO-8601 UTC. */
export function instant(options: SchemaOptions = {}): ReturnType<typeof Type.String> {
  return Type.String({ format: 'date-time', examples: ['2026-03-01T18:45:00.000Z'], ...options });
}

/** An input with a default: optional in the request, always set for the handler. Not for answers. */
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
 * The published JSON Schema of a field that a request may leave out: null means the same as leaving it out.
 * @param json the field's schema without null
 */
export function acceptingNull(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const outside = ['description', 'default', 'examples'].filter((keyword) => keyword in json);
  const inside = Object.entries(json).filter(([keyword]) => !outside.includes(keyword));
  // Not `type: ["string", "null"]`: clients that support only one type per schema would drop the constraint.
  return {
    anyOf: [Object.fromEntries(inside), { type: 'null' }],
    ...Object.fromEntries(outside.map((keyword) => [keyword, json[keyword]])),
  };
}

/** An object whose field names come from the data, with one schema for all values. For answers. */
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
