// Checks values against the contract's schemas, for answers that encoders write as bytes: the server does not
// check those itself.

import type { TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** The first place at which a value does not fit a schema, with the reason; null if it fits. */
export function misfitOf(schema: TSchema, value: unknown): string | null {
  const check = checks.get(schema) ?? TypeCompiler.Compile(schema);
  checks.set(schema, check);
  if (check.Check(value)) return null;
  const error = check.Errors(value).First();
  return `${error?.path || '/'}: ${error?.message}: ${JSON.stringify(error?.value)}`;
}
