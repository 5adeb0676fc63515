// Turns what a caller sent into what a handler takes: known fields only, text parsed strictly, defaults filled in, and
// the whole checked by a validator compiled once. A failed check is a 400 for a word outside a closed list, and a 422 with
// one item per field for everything else; types and messages follow what clients of this API family already parse.
// Failures never quote the submitted value.

import { Kind, OptionalKind, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { ServiceError, type ValidationDetail, ValidationError } from '../errors.ts';
import { CSV_KIND, type CsvSchema, DATE_KIND, ENUM_KIND } from './schema.ts';

/** Where the values came from: the first part of `loc`. */
type InputSource = 'query' | 'path' | 'body';

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
  /** Whether null counts as not sent: for optional fields without a default, since many agents send every field. */
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

/** Problems listed in one answer. More: left out, for they tell the caller nothing new. */
const DETAILS_MAX = 20;

type Problem = readonly [type: string, msg: string];

/** The error for a failed check. @param source first part of `loc` */
export function failureOf(errors: Iterable<ValueError>, source: string): ServiceError | ValidationError {
  const details: ValidationDetail[] = [];
  const seen = new Set<string>();
  let meaningless: ServiceError | null = null;
  for (const error of errors) {
    if (seen.has(error.path)) continue;
    seen.add(error.path);
    const path = error.path.split('/').slice(1).map(partOf);
    const refusal = meaninglessOf(error, path);
    if (refusal !== null) meaningless ??= refusal;
    else details.push(detailOf(problemOf(error), [source, ...path]));
    if (details.length === DETAILS_MAX) break;
  }
  if (details.length > 0 || meaningless === null) return new ValidationError(details);
  return meaningless;
}

/** One item of a 422 body; the submitted value is never sent back. */
export function detailOf([type, msg]: Problem, loc: readonly (string | number)[]): ValidationDetail {
  return { type, loc, msg, input: null };
}

/** The 400 for a well-typed value outside its closed list, or null when the problem is another. */
function meaninglessOf(error: ValueError, path: readonly (string | number)[]): ServiceError | null {
  const kind: unknown = error.schema[Kind];
  const name = path.join('.');
  if (kind === ENUM_KIND && typeof error.value === 'string') {
    return notAllowed(name, `Set ${name} to one of: ${wordsOf(error.schema)}`);
  }
  if (kind === DATE_KIND && typeof error.value === 'string') {
    return new ServiceError('invalid_request', `Cannot use ${name}: not a calendar date`, {
      fix: `Send ${name} as YYYY-MM-DD, such as 2026-03-01`,
    });
  }
  const csv = error.schema as unknown as CsvSchema;
  if (kind === CSV_KIND && Array.isArray(error.value) && error.value.length <= csv.csvItemsMax) {
    return notAllowed(name, `Send ${name} as a comma-separated list of: ${csv.csvValues.join(', ')}`);
  }
  return null;
}

function notAllowed(name: string, fix: string): ServiceError {
  return new ServiceError('invalid_request', `Cannot use ${name}: not an allowed value`, { fix });
}

function wordsOf(schema: TSchema): string {
  return (schema.enum as readonly string[]).join(', ');
}

function partOf(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text.replaceAll('~1', '/').replaceAll('~0', '~');
}

function problemOf({ type, schema }: ValueError): Problem {
  switch (type) {
    case ValueErrorType.ObjectRequiredProperty:
      return ['missing', 'Field required'];
    case ValueErrorType.Object:
      return ['object_type', 'Input should be an object'];
    case ValueErrorType.Array:
      return ['list_type', 'Input should be a list'];
    case ValueErrorType.ArrayMaxItems:
      return ['too_long', `List should have at most ${schema.maxItems} items`];
    case ValueErrorType.ArrayMinItems:
      return ['too_short', `List should have at least ${schema.minItems} items`];
    case ValueErrorType.StringMaxLength:
      return ['string_too_long', `String should have at most ${schema.maxLength} characters`];
    case ValueErrorType.StringMinLength:
      return ['string_too_short', `String should have at least ${schema.minLength} characters`];
    case ValueErrorType.StringPattern:
      return ['string_pattern_mismatch', 'String should match the pattern'];
    case ValueErrorType.Integer:
      return ['int_type', 'Input should be a valid integer'];
    case ValueErrorType.Number:
      return ['float_type', 'Input should be a valid number'];
    case ValueErrorType.Boolean:
      return ['bool_type', 'Input should be a valid boolean'];
    case ValueErrorType.Kind:
      return kindProblemOf(schema);
    default:
      return boundProblemOf(schema, type);
  }
}

function kindProblemOf(schema: TSchema): Problem {
  if (schema[Kind] !== CSV_KIND) return ['string_type', 'Input should be a valid string'];
  const csv = schema as unknown as CsvSchema;
  return ['list_of_words', `Input should be a comma-separated string of at most ${csv.csvItemsMax} entries`];
}

function boundProblemOf(schema: TSchema, type: ValueErrorType): Problem {
  switch (type) {
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return ['greater_than_equal', `Input should be greater than or equal to ${schema.minimum}`];
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return ['less_than_equal', `Input should be less than or equal to ${schema.maximum}`];
    case ValueErrorType.IntegerExclusiveMinimum:
    case ValueErrorType.NumberExclusiveMinimum:
      return ['greater_than', `Input should be greater than ${schema.exclusiveMinimum}`];
    case ValueErrorType.IntegerExclusiveMaximum:
    case ValueErrorType.NumberExclusiveMaximum:
      return ['less_than', `Input should be less than ${schema.exclusiveMaximum}`];
    case ValueErrorType.IntegerMultipleOf:
    case ValueErrorType.NumberMultipleOf:
      return ['multiple_of', `Input should be a multiple of ${schema.multipleOf}`];
    case ValueErrorType.String:
      return ['string_type', 'Input should be a valid string'];
    default:
      return ['value_error', 'Input is not valid'];
  }
}
