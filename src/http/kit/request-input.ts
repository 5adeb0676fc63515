// Readers of a route's path and query parameters, made once from its schemas.

import type { TObject } from '@sinclair/typebox';
import { compileInput } from '../../contract/input.ts';
import { rawQueryOf, readQuery } from './query-string.ts';

/** The value of a part that has no schema. */
export const NO_INPUT = Object.freeze({});

/** Query strings remembered per route: pollers repeat theirs. Full: all are forgotten. */
const REMEMBERED_MAX = 256;
const REMEMBERED_CHARS_MAX = 256;

/** Reads what the router cut out of the path. */
export function paramsReaderOf(schema: TObject | null): (params: unknown) => unknown {
  if (schema === null) return () => NO_INPUT;
  const parser = compileInput(schema, 'path');
  return (params) => parser.parse(params);
}

/** Reads the query of a URL. The same text reads as the same frozen object. */
export function queryReaderOf(schema: TObject | null): (url: string) => unknown {
  if (schema === null) return () => NO_INPUT;
  const parser = compileInput(schema, 'query');
  const names = new Set(Object.keys(schema.properties));
  const remembered = new Map<string, unknown>();
  return (url) => {
    const raw = rawQueryOf(url);
    const known = remembered.get(raw);
    if (known !== undefined) return known;
    const query = frozen(parser.parse(readQuery(raw, names)));
    if (raw.length <= REMEMBERED_CHARS_MAX) {
      if (remembered.size >= REMEMBERED_MAX) remembered.clear();
      remembered.set(raw, query);
    }
    return query;
  };
}

/** Freezes a parsed query and its lists: handlers share it. */
function frozen(query: Record<string, unknown>): unknown {
  for (const value of Object.values(query)) if (Array.isArray(value)) Object.freeze(value);
  return Object.freeze(query);
}
