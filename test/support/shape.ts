// Checks values against the contract's schemas. The server does not check answers that encoders write as
// bytes, so tests do.

import type { TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** The first place at which a value does not fit a schema, with the reason; null if the value fits. */
export function misfitOf(schema: TSchema, value: unknown): string | null {
  const check = checks.get(schema) ?? TypeCompiler.Compile(schema);
  checks.set(schema, check);
  if (check.Check(value)) return null;
  const error = check.Errors(value).First();
  return `${error?.path || '/'}: ${error?.message}: ${JSON.stringify(error?.value)}`;
}
