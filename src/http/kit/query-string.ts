// A strict reader of raw query strings: no repeated parameters, no malformed percent-encoding, no nesting, no guesses.

import { detailOf } from '../../contract/input-failure.ts';
import { ValidationError } from '../../errors.ts';

/**
 * The texts of the named parameters in a raw query string; names not asked for are ignored.
 * @param raw what follows `?`, or empty
 * @throws ValidationError on a repeated parameter or malformed percent-encoding
 */
export function readQuery(raw: string, names: ReadonlySet<string>): Record<string, string> {
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
        throw refused('repeated_parameter', 'Parameter should be given once', name);
      values[name] = decode(raw.slice(nameEnd + 1, Math.max(end, nameEnd + 1)), name);
    }
    start = end + 1;
  }
  return values;
}

/** The part of a URL between `?` and `#`. */
export function rawQueryOf(url: string): string {
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
    throw refused('percent_encoding', 'Input should be valid percent-encoded UTF-8', name);
  }
}

function refused(type: string, msg: string, name: string | null): ValidationError {
  return new ValidationError([detailOf([type, msg], name === null ? ['query'] : ['query', name])]);
}
