// Turns what a caller sent into what a handler takes: known fields only, text parsed strictly, defaults filled in, and
// the whole checked by a validator compiled once. Failures never quote the submitted value.

import { Kind, OptionalKind, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { failureOf } from './input-failure.ts';
import { CSV_KIND, type CsvSchema } from './schema.ts';

/** Where the values came from: the first part of `loc`. */
export type InputSource = 'query' | 'path' | 'body';

/** A compiled schema. `parse` answers the typed input. */
export interface InputParser<Schema extends TObject> {
  readonly schema: Schema;
  /**
   * @param value an object of raw values: texts from a query or path, JSON from a body
   * @throws ValidationError (422) on a wrong type, a missing field or a number out of range
   * @throws ServiceError `invalid_request` (400) on a well-typed value outside its closed list
   */
  parse(value: unknown): Static<Schema>;
}

interface FieldPlan {
  readonly name: string;
  readonly schema: TSchema;
  readonly fallback: unknown;
  readonly read: (value: unknown) => unknown;
  /** Many agents send every field they know: null for an optional one without a default means that it was not sent. */
  readonly isNullAbsent: boolean;
}

/** Compiles `schema` for values of `source`. Do this once, at start. */
export function compileInput<Schema extends TObject>(
  schema: Schema,
  source: InputSource,
): InputParser<Schema> {
  const check = TypeCompiler.Compile(schema);
  const pick = pickerOf(schema, source !== 'body');
  return {
    schema,
    parse(value: unknown): Static<Schema> {
      const picked = pick(value);
      if (check.Check(picked)) return picked;
      throw failureOf(check.Errors(picked), source);
    },
  };
}

/** Makes the function that copies an object's known fields, so that unknown ones are ignored at every depth. */
function pickerOf(schema: TObject, isText: boolean): (value: unknown) => unknown {
  const plans = Object.entries(schema.properties).map(([name, property]) => planOf(name, property, isText));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const picked: Record<string, unknown> = {};
    for (const plan of plans) {
      const field = Object.hasOwn(value, plan.name)
        ? (value as Record<string, unknown>)[plan.name]
        : undefined;
      if (field === null && plan.isNullAbsent) continue;
      if (field !== undefined) picked[plan.name] = plan.read(field);
      else if (plan.fallback !== undefined) picked[plan.name] = plan.fallback;
    }
    return picked;
  };
}

function planOf(name: string, schema: TSchema, isText: boolean): FieldPlan {
  const isNullAbsent = isOptionalField(schema) && schema.default === undefined;
  return { name, schema, fallback: schema.default, read: readerOf(schema, isText), isNullAbsent };
}

function readerOf(schema: TSchema, isText: boolean): (value: unknown) => unknown {
  if (schema[Kind] === CSV_KIND) return (value) => splitList(value, schema as unknown as CsvSchema);
  if (schema[Kind] === 'Object') return pickerOf(schema as TObject, isText);
  if (isText && schema[Kind] === 'Integer') return integerOfText;
  return (value) => value;
}

/** A strict integer; anything else stays text and fails the check. */
function integerOfText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^-?\d{1,15}$/.test(value)) return value;
  return Number(value);
}

/** Splits at commas, trims and drops repeats. A value that is not text, or is too long a list, fails the check. */
function splitList(value: unknown, schema: CsvSchema): unknown {
  if (typeof value !== 'string') return null;
  const items = value.split(',', schema.csvItemsMax + 1).map((item) => item.trim());
  return items.length > schema.csvItemsMax ? items : [...new Set(items)];
}

/** Whether a request may leave the field out. */
export function isOptionalField(schema: TSchema): boolean {
  return schema[OptionalKind] === 'Optional';
}
