// Converts what a caller sent to what a handler takes: known fields only, texts parsed strictly, defaults
// filled in, and the result checked by a validator that is compiled once. A word outside a closed list is a
// 400; every other problem is a 422 with one item per field. Types and messages match what clients of this
// API family already parse. Errors never quote the submitted value.

import { Kind, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { type ValueError, type ValueErrorIterator, ValueErrorType } from '@sinclair/typebox/errors';
import { DAY_WORDS } from '../domain/days/day-text.ts';
import { ServiceError, type ValidationDetail, ValidationError } from '../errors.ts';
import { nearestWord } from '../nearest-word.ts';
import {
  alsoCalledOf,
  CSV_KIND,
  type CsvSchema,
  DATE_KIND,
  DAY_KIND,
  ENUM_KIND,
  isOptionalField,
  tokenFixOf,
} from './schema.ts';

/** Where the values came from; the first part of `loc`. */
type InputSource = 'query' | 'path' | 'body';

/** A compiled schema. `parse` returns the typed input. */
export interface InputParser<Schema extends TObject> {
  readonly schema: Schema;
  /**
   * @param value an object of raw values: texts from a query or path, JSON from a body
   * @throws ValidationError (422) on a wrong type, a missing field or a number out of range
   * @throws ServiceError `invalid_request` (400) on a well-typed value outside its closed list, and on an
   * unknown field if the schema is closed (`additionalProperties: false`)
   */
  parse(value: unknown): Static<Schema>;
}

interface FieldPlan {
  readonly name: string;
  readonly fallback: unknown;
  readonly read: (value: unknown) => unknown;
  /**
   * Whether the field may be left out. Null then means the same, because many agents send every field they
   * know.
   */
  readonly isOptional: boolean;
}

/** Prepares `schema` for values of `source`. Do this once; the first value compiles its check. */
export function compileInput<Schema extends TObject>(
  schema: Schema,
  source: InputSource,
): InputParser<Schema> {
  const checkOf = compiledAtFirst(schema);
  const pick = pickerOf(schema, source !== 'body');
  const isClosed = schema.additionalProperties === false;
  return {
    schema,
    parse(value: unknown): Static<Schema> {
      if (isClosed) requireKnown(value, schema);
      const picked = pick(value);
      const check = checkOf();
      if (!check.Check(picked)) throw failureOf(check.Errors(picked), source);
      // Check the schema first, because it bounds the depth of the value that is searched here.
      if (source === 'body') requireWellFormed(picked, [source]);
      return picked;
    },
  };
}

/**
 * The check of a schema, compiled when it is first used, which takes a millisecond. Compiling all checks at
 * the start would take a tenth of the start's processor time.
 */
export function compiledAtFirst<Schema extends TSchema>(schema: Schema): () => TypeCheck<Schema> {
  let check: TypeCheck<Schema> | null = null;
  return () => {
    check ??= TypeCompiler.Compile(schema);
    return check;
  };
}

/**
 * Refuses half a surrogate pair. JSON can escape one, but UTF-8 cannot store it, so it would be read back as
 * another text.
 * @throws ValidationError
 */
function requireWellFormed(value: unknown, loc: readonly (string | number)[]): void {
  if (typeof value === 'string') {
    if (value.isWellFormed()) return;
    throw new ValidationError([detailOf(['string_unicode', 'Input should be valid Unicode text'], loc)]);
  }
  if (typeof value !== 'object' || value === null) return;
  const entries: Iterable<readonly [string | number, unknown]> = Array.isArray(value)
    ? value.entries()
    : Object.entries(value);
  for (const [name, field] of entries) requireWellFormed(field, [...loc, name]);
}

/**
 * Refuses unknown fields: ignoring one would silently change the meaning of the request. Null fields are
 * accepted.
 * @throws ServiceError `invalid_request`
 */
function requireKnown(value: unknown, { properties }: TObject): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const names = Object.keys(properties);
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined || field === null) continue;
    if (names.includes(name)) {
      const inner = properties[name]!;
      if (inner.additionalProperties === false) requireKnown(field, inner as TObject);
      continue;
    }
    const shown = JSON.stringify(name.slice(0, NAME_CHARS_SHOWN));
    const meant = meantBy(name.slice(0, NAME_CHARS_SHOWN), properties);
    throw new ServiceError('invalid_request', `Cannot use ${shown}: there is no such argument`, {
      fix:
        names.length === 0
          ? 'Send an empty object'
          : `${meant === null ? '' : `Did you mean ${meant} `}The arguments are: ${names.join(', ')}`,
    });
  }
}

/**
 * The question that the error asks about an unknown name: "query? It takes ..." if callers are known to use
 * the name for that argument, otherwise the argument with the nearest name. Null if there is neither.
 */
function meantBy(name: string, properties: TObject['properties']): string | null {
  for (const [known, field] of Object.entries(properties)) {
    const also = alsoCalledOf(field);
    if (also?.names.includes(name) === true) return `${known}? It takes ${also.takes}.`;
  }
  const slip = slipOf(name, Object.keys(properties));
  return slip === null ? null : `${slip}?`;
}

/** The nearest name, if at most half of the longer word differs; otherwise null. */
function slipOf(name: string, names: readonly string[]): string | null {
  const nearest = nearestWord(name, names);
  if (nearest === null) return null;
  return nearest.edits * 2 <= Math.max(name.length, nearest.word.length) ? nearest.word : null;
}

/** Characters of an unknown name that an error repeats. */
const NAME_CHARS_SHOWN = 40;

/** Returns a function that copies an object's known fields and ignores unknown ones at every depth. */
function pickerOf(schema: TObject, isText: boolean): (value: unknown) => unknown {
  const plans = Object.entries(schema.properties).map(([name, property]) => planOf(name, property, isText));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const picked: Record<string, unknown> = {};
    for (const plan of plans) {
      const sent = Object.hasOwn(value, plan.name)
        ? (value as Record<string, unknown>)[plan.name]
        : undefined;
      const field = sent === null && plan.isOptional ? undefined : sent;
      if (field !== undefined) picked[plan.name] = plan.read(field);
      else if (plan.fallback !== undefined) picked[plan.name] = plan.fallback;
    }
    return picked;
  };
}

function planOf(name: string, schema: TSchema, isText: boolean): FieldPlan {
  return {
    name,
    fallback: schema.default,
    read: readerOf(schema, isText),
    isOptional: isOptionalField(schema),
  };
}

function readerOf(schema: TSchema, isText: boolean): (value: unknown) => unknown {
  if (schema[Kind] === CSV_KIND) return (value) => splitList(value, schema as unknown as CsvSchema);
  if (schema[Kind] === 'Object') return pickerOf(schema as TObject, isText);
  if (isText && schema[Kind] === 'Integer') return numberOfText(/^-?\d{1,15}$/);
  if (isText && schema[Kind] === 'Number') return numberOfText(/^-?\d{1,15}(?:\.\d{1,15})?$/);
  return (value) => value;
}

/** Parses the text of a number in the given form; other text stays text and fails the check. */
function numberOfText(form: RegExp): (value: unknown) => unknown {
  return (value) => (typeof value === 'string' && form.test(value) ? Number(value) : value);
}

/**
 * Splits at commas, trims and removes duplicates. A value that is not text, or too long a list, fails the
 * check.
 */
function splitList(value: unknown, schema: CsvSchema): unknown {
  if (typeof value !== 'string') return null;
  const items = value.split(',', schema.csvItemsMax + 1).map((item) => item.trim());
  // A list that will be refused keeps its duplicates, so that the error can name the position of the wrong
  // entry.
  const isGood = items.length <= schema.csvItemsMax && items.every((item) => schema.csvValues.includes(item));
  return isGood ? [...new Set(items)] : items;
}

/** The error for an answer of ours that does not fit its schema. @param name the tool or operation */
export function misfitOf(name: string, errors: ValueErrorIterator): Error {
  const { path, message } = errors.First() ?? { path: '', message: 'unknown' };
  return new Error(`Cannot answer ${name}: its answer does not fit its schema at ${path || '/'}: ${message}`);
}

/** Maximum number of problems in one answer; the rest are left out. */
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

/** One item of a 422 body; it never contains the submitted value. */
export function detailOf([type, msg]: Problem, loc: readonly (string | number)[]): ValidationDetail {
  return { type, loc, msg, input: null };
}

/** The 400 for a well-typed value outside its closed list, or null for any other problem. */
function meaninglessOf(error: ValueError, path: readonly (string | number)[]): ServiceError | null {
  const { schema, value } = error;
  const kind: unknown = schema[Kind];
  const entry = path.at(-1);
  const isEntry = typeof entry === 'number';
  const name = (isEntry ? path.slice(0, -1) : path).join('.');
  if (kind === ENUM_KIND && typeof value === 'string') {
    const words = (schema.enum as readonly string[]).join(', ');
    if (isEntry) return wrongEntry(name, { entry, value, fix: `Send ${name} as a list of: ${words}` });
    const problem = value === '' ? 'it is empty' : 'it is not an allowed value';
    return new ServiceError('invalid_request', `Cannot use ${name}: ${problem}`, {
      fix: `Set ${name} to one of: ${words}`,
    });
  }
  if (kind === DATE_KIND && typeof value === 'string') {
    return new ServiceError('invalid_request', `Cannot use ${name}: it is not a calendar date`, {
      fix: `Send ${name} as YYYY-MM-DD, such as 2026-03-01`,
    });
  }
  if (kind === DAY_KIND && typeof value === 'string') {
    return new ServiceError('invalid_request', `Cannot use ${name}: it is not a day`, {
      fix: `Send ${name} as YYYY-MM-DD, ${DAY_WORDS}`,
    });
  }
  const fix = tokenFixOf(schema);
  if (fix !== undefined && typeof value === 'string') {
    const problem = value === '' ? 'it is empty' : `it has more than ${schema.maxLength} characters`;
    return new ServiceError('invalid_request', `Cannot use ${name}: ${problem}`, { fix });
  }
  const csv = schema as unknown as CsvSchema;
  if (kind === CSV_KIND && Array.isArray(value) && value.length <= csv.csvItemsMax) {
    const wrong = value.findIndex((item) => !csv.csvValues.includes(item));
    const fix = `Send ${name} as a comma-separated list of: ${csv.csvValues.join(', ')}`;
    return wrongEntry(name, { entry: wrong, value: value[wrong], fix });
  }
  return null;
}

/** @param entry position in the list, from 0 */
function wrongEntry(
  name: string,
  { entry, value, fix }: { readonly entry: number; readonly value: unknown; readonly fix: string },
): ServiceError {
  const problem = value === '' ? 'is empty' : 'is not an allowed value';
  return new ServiceError('invalid_request', `Cannot use ${name}: entry ${entry + 1} of ${name} ${problem}`, {
    fix,
  });
}

/** For example "1 item", "20 items". */
function counted(count: unknown, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
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
      return ['too_long', `List should have at most ${counted(schema.maxItems, 'item')}`];
    case ValueErrorType.ArrayMinItems:
      return ['too_short', `List should have at least ${counted(schema.minItems, 'item')}`];
    case ValueErrorType.StringMaxLength:
      return ['string_too_long', `String should have at most ${counted(schema.maxLength, 'character')}`];
    case ValueErrorType.StringMinLength:
      return ['string_too_short', `String should have at least ${counted(schema.minLength, 'character')}`];
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
