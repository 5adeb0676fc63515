// What the schemas of upstream messages share: fields that may be missing or null, and a type guard made from
// a schema.

import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';

/** A field that upstreams leave out or send as null. */
export function optional<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}

/** Compiles the schema once and returns its type guard. */
export function check<Schema extends TSchema>(schema: Schema): (value: unknown) => value is Static<Schema> {
  const compiled = TypeCompiler.Compile(schema);
  return (value): value is Static<Schema> => compiled.Check(value);
}
