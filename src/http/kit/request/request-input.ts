// Reads a request's input: the path and query parameters, by readers that are made once from a route's
// schemas, and the JSON body. Query strings are parsed strictly: no repeated parameters, no malformed
// percent-encoding, no nesting.

import type { TObject } from '@sinclair/typebox';
import { holdsKey } from '../../../accounts/credentials/secrets.ts';
import { compileInput, detailOf } from '../../../contract/input.ts';
import { ServiceError, ValidationError } from '../../../errors.ts';
import { freeBytes } from '../../../memory/free-bytes.ts';
import { JSON_DEPTH_MAX, JSON_FIELDS_MAX, parseJson } from '../../../parse-json.ts';
import { pathOf } from '../matched-route.ts';

/** The value of an input part without a schema. */
export const NO_INPUT = Object.freeze({});

/**
 * Maximum number of parsed query strings that are remembered for each route, because pollers repeat theirs.
 * When it is reached, all are forgotten.
 */
const REMEMBERED_MAX = 256;
/** Maximum length of a remembered query string in characters. A longer one is parsed at every request. */
const REMEMBERED_CHARS_MAX = 256;

/** A reader of path parameters, which the router has already split from the path. */
export function paramsReaderOf(schema: TObject | null): (params: unknown) => unknown {
  if (schema === null) return () => NO_INPUT;
  const parser = compileInput(schema, 'path');
  return (params) => parser.parse(params);
}

/** A reader of a URL's query. The same text returns the same frozen object. */
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

/** Freezes a parsed query and its lists, because several requests share it. */
function frozen(query: Record<string, unknown>): unknown {
  for (const value of Object.values(query)) if (Array.isArray(value)) Object.freeze(value);
  return Object.freeze(query);
}

/**
 * The texts of the named parameters in a raw query string; other names are ignored.
 * @param raw the part after `?`, or empty
 * @throws ValidationError on a repeated parameter or malformed percent-encoding
 */
function readQuery(raw: string, names: ReadonlySet<string>): Record<string, string> {
  const values: Record<string, string> = {};
  let start = 0;
  while (start < raw.length) {
    let end = raw.indexOf('&', start);
    if (end === -1) end = raw.length;
    const equals = raw.indexOf('=', start);
    const nameEnd = equals === -1 || equals > end ? end : equals;
    const name = decode(raw.slice(start, nameEnd), null);
    if (names.has(name)) {
      if (values[name] !== undefined)
        throw queryRefused('repeated_parameter', 'Parameter should be given once', name);
      values[name] = decode(raw.slice(nameEnd + 1, Math.max(end, nameEnd + 1)), name);
    }
    start = end + 1;
  }
  return values;
}

/** The raw text of the `ticket` parameter; null without one. */
export function ticketOf(url: string): string | null {
  return /[?&]ticket=([^&#]*)/.exec(url)?.[1] ?? null;
}

/**
 * Refuses a key in the query string on every route: URLs are stored in histories, logs and the caches of
 * proxies.
 * @throws ServiceError `invalid_request`, without the key
 */
export function refuseKeyInQuery(url: string): void {
  const raw = rawQueryOf(url);
  if (raw === '' || !holdsKey(raw.replaceAll(/%([0-7][0-9a-f])/gi, asciiOf))) return;
  throw new ServiceError('invalid_request', 'Cannot take a key in a query: URLs are written into logs', {
    fix: 'Revoke this key. Send the next one as the header Authorization: Bearer <key>, or open a stream with a ticket of POST /v1/tickets',
  });
}

/**
 * Refuses a path that a proxy may read as a different one: with an empty segment, or an escaped slash,
 * backslash or dot. Bun has already resolved plain backslashes and dot segments, so the proxy files in ops/
 * refuse those.
 * @throws ServiceError `invalid_request`
 */
export function refuseOddPath(url: string): void {
  const path = pathOf(url);
  if (!path.includes('%') && !path.includes('//')) return;
  if (!/\/\/|%2f|%5c|%2e/i.test(path)) return;
  throw new ServiceError('invalid_request', 'Cannot take this path: a proxy may read it as another one', {
    fix: 'Send a path without empty segments, and without escaped slashes, backslashes or dots',
  });
}

function asciiOf(_escape: string, hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}

/** The part of a URL between `?` and `#`. */
function rawQueryOf(url: string): string {
  const start = url.indexOf('?');
  if (start === -1) return '';
  const end = url.indexOf('#', start);
  return end === -1 ? url.slice(start + 1) : url.slice(start + 1, end);
}

function decode(text: string, name: string | null): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw queryRefused('percent_encoding', 'Input should be valid percent-encoded UTF-8', name);
  }
}

function queryRefused(type: string, msg: string, name: string | null): ValidationError {
  return new ValidationError([detailOf([type, msg], name === null ? ['query'] : ['query', name])]);
}

/**
 * Parses a JSON body that has arrived in full (edge/bodies/body-intake.ts). A request without a body and
 * without a media type counts as an empty object.
 * @throws ServiceError 415 when it is not application/json or is compressed, 413 when it is larger than
 * `bytesMax`
 * @throws ValidationError when it is not UTF-8 or not JSON, is nested too deeply, or has too many fields
 */
export async function readJsonBody(request: Request, bytesMax: number): Promise<unknown> {
  const { headers } = request;
  const contentType = headers.get('content-type');
  if (contentType === null && (request.body === null || headers.get('content-length') === '0')) return {};
  requireJson(headers);
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.byteLength > bytesMax) throw tooLarge(bytesMax);
  try {
    return parseJson(textOf(bytes));
  } catch {
    const coding = headers.get('content-encoding') ?? 'identity';
    if (coding.toLowerCase() !== 'identity') throw compressed();
    const wanted = `Body should be valid JSON in UTF-8, nested at most ${JSON_DEPTH_MAX} levels deep, with at most ${JSON_FIELDS_MAX} fields`;
    throw new ValidationError([detailOf(['json_invalid', wanted], ['body'])]);
  }
}

/** Decodes the bytes of a body and frees them. @throws TypeError when it is not UTF-8 */
function textOf(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } finally {
    freeBytes(bytes);
  }
}

/** @throws ServiceError 415 unless the headers declare a JSON body */
export function requireJson(headers: Headers): void {
  if (isJson(headers)) return;
  throw new ServiceError('invalid_request', 'Cannot read the body: it is not application/json', {
    status: 415,
    fix: 'Send the header Content-Type: application/json',
  });
}

/** The error for a body that is not JSON and is declared as compressed. */
function compressed(): ServiceError {
  return new ServiceError('invalid_request', 'Cannot read the body: it is compressed', {
    status: 415,
    fix: 'Send it as it is, without Content-Encoding',
    headers: { 'accept-encoding': 'identity' },
  });
}

/** The 413 error. */
export function tooLarge(bytesMax: number): ServiceError {
  return new ServiceError('invalid_request', `Cannot read the body: it is larger than ${bytesMax} bytes`, {
    status: 413,
    fix: `Send at most ${bytesMax} bytes`,
  });
}

export function cutShort(): ServiceError {
  return new ServiceError('invalid_request', 'Cannot read the body: it ended before it was complete', {
    fix: 'Send as many bytes as Content-Length says, or well-formed chunks',
  });
}

/** Whether the media type is `application/json`. A charset must be utf-8; other parameters are ignored. */
export function isJson(headers: Headers): boolean {
  const contentType = headers.get('content-type');
  if (contentType === null) return false;
  if (contentType === 'application/json') return true;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  if (type.trim() !== 'application/json') return false;
  return parameters.every((text) => {
    const [name = '', value = ''] = text.trim().split('=');
    return name !== 'charset' || /^"?utf-?8"?$/.test(value);
  });
}
