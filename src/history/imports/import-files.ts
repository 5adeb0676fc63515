// Reads the files of an import: plain, gzip, zstd or bzip2 by their first bytes, with JSON values in lines,
// in an array, or one after another.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { decompress } from 'bz2';
import { messageOf } from '../../errors.ts';

/**
 * The most bytes of a gzip or zstd file, unpacked. A larger file is refused, and the operator must split it.
 */
const FILE_BYTES_MAX = 1024 * 1024 * 1024;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const NEW_LINE = 10;
const SPACE = 32;
const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE] = [34, 92, 123, 125];
const [COMMA, OPEN_BRACKET, CLOSE_BRACKET] = [44, 91, 93];
/** Bytes outside of the objects of an array. */
const BETWEEN: ReadonlySet<number> = new Set([COMMA, OPEN_BRACKET, CLOSE_BRACKET]);
const DECODER = new TextDecoder();

/** A file that cannot be imported, with the reason for the operator. */
export class ImportError extends Error {
  constructor(path: string, why: string) {
    super(`Cannot import ${path}: ${why}`);
    this.name = 'ImportError';
  }
}

const PACKED = '(?:\\.(?:gz|zst|bz2))?$';
/** Names of files that an import takes from a folder, and how an error describes them. */
export const IMPORTED_NAMES = {
  theOddsApi: {
    pattern: new RegExp(`\\.(?:json|ndjson|jsonl)${PACKED}`, 'i'),
    text: 'that ends in .json, .ndjson or .jsonl',
  },
  betfair: {
    pattern: new RegExp(`(?:^|/)\\d+\\.\\d+(?:\\.json)?${PACKED}|\\.bz2$`, 'i'),
    text: 'like 1.223716976 or 1.223716976.bz2',
  },
  footballData: { pattern: new RegExp(`\\.csv${PACKED}`, 'i'), text: 'that ends in .csv' },
} as const;
export type ImportedNames = (typeof IMPORTED_NAMES)[keyof typeof IMPORTED_NAMES];

/**
 * The given files and, for each given folder, the files below it whose names fit, sorted.
 * @throws ImportError for a folder without such a file
 */
export function importPaths(paths: readonly string[], { pattern, text }: ImportedNames): string[] {
  return paths.flatMap((path) => {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if (!isFolder) return [path];
    const found = [...new Bun.Glob('**/*').scanSync(path)].filter((name) => pattern.test(name)).sort();
    if (found.length === 0) throw new ImportError(path, `the folder has no file with a name ${text}`);
    return found.map((name) => join(path, name));
  });
}

/** The unpacked bytes of a file. @throws ImportError */
export async function unpackedFile(path: string): Promise<Uint8Array> {
  const file = Bun.file(path);
  if (!(await file.exists())) throw new ImportError(path, 'there is no such file');
  const bytes = await file.bytes();
  try {
    return unpacked(bytes);
  } catch (error) {
    throw new ImportError(path, messageOf(error));
  }
}

function unpacked(bytes: Uint8Array): Uint8Array {
  const starts = (...magic: readonly number[]): boolean =>
    magic.every((byte, index) => bytes[index] === byte);
  const limits = { maxOutputLength: FILE_BYTES_MAX };
  if (starts(0x1f, 0x8b)) return gunzipSync(bytes, limits);
  if (starts(0x28, 0xb5, 0x2f, 0xfd)) return zstdDecompressSync(bytes, limits);
  if (starts(0x42, 0x5a, 0x68)) return decompress(bytes, true);
  return bytes;
}

/** Where one JSON value is in a file's bytes. */
export interface ValueRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/**
 * Where the JSON values of a file are: one per line or, if its first line is not a whole object, the objects
 * of the file and of its arrays.
 */
export function valueRanges(bytes: Uint8Array): ValueRange[] {
  const lines: ValueRange[] = [];
  const from = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? BYTE_ORDER_MARK.length : 0;
  for (let start = from; start < bytes.length; ) {
    const found = bytes.indexOf(NEW_LINE, start);
    const end = found < 0 ? bytes.length : found;
    if (hasText(bytes, start, end)) lines.push({ start, end });
    start = end + 1;
  }
  const [first] = lines;
  return first === undefined || isObject(bytes, first) ? lines : outerRanges(bytes, from);
}

/**
 * Splits text at the ends of its outermost objects. An array is not such an object, but its elements are.
 * Text that is not JSON, such as an array without its end, becomes a range that does not parse.
 */
function outerRanges(bytes: Uint8Array, from: number): ValueRange[] {
  const ranges: ValueRange[] = [];
  let start = -1;
  let depth = 0;
  let arrays = 0;
  let isInText = false;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (isInText) {
      if (byte === BACKSLASH) at++;
      else isInText = byte !== QUOTE;
      continue;
    }
    const isBetween = depth === 0 && (byte <= SPACE || BETWEEN.has(byte));
    if (!isBetween && start < 0) start = at;
    if (isBetween && byte === OPEN_BRACKET) arrays++;
    if (isBetween && byte === CLOSE_BRACKET) arrays--;
    if (byte === QUOTE) isInText = true;
    else if (byte === OPEN_BRACE) depth++;
    else if (byte === CLOSE_BRACE) depth--;
    const isEnd = isBetween || (byte === CLOSE_BRACE && depth <= 0);
    if (!isEnd || start < 0) continue;
    ranges.push({ start, end: isBetween ? at : at + 1 });
    start = -1;
    depth = 0;
  }
  const isCut = start >= 0 || arrays !== 0;
  if (isCut) ranges.push({ start: start < 0 ? bytes.length : start, end: bytes.length });
  return ranges;
}

/** Reads one of the values. @throws SyntaxError when it is not JSON */
export function valueAt(bytes: Uint8Array, { start, end }: ValueRange): unknown {
  return JSON.parse(DECODER.decode(bytes.subarray(start, end))) as unknown;
}

function hasText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! > SPACE) return true;
  return false;
}

function isObject(bytes: Uint8Array, range: ValueRange): boolean {
  try {
    return !Array.isArray(valueAt(bytes, range));
  } catch {
    return false; // the caller splits the file in another way
  }
}
