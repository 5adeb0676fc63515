// Reads the files of an import: plain, gzip, zstd or bzip2 by their first bytes, with one JSON value a
// line or one in the whole file.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { decompress } from 'bz2';
import { messageOf } from '../../errors.ts';

/** Bytes of one file, unpacked. More are refused: the file must be split. */
const FILE_BYTES_MAX = 1024 * 1024 * 1024;
const NEW_LINE = 10;
const DECODER = new TextDecoder();

/** A file that cannot be imported, with the reason for the operator. */
export class ImportError extends Error {
  constructor(path: string, why: string) {
    super(`Cannot import ${path}: ${why}`);
    this.name = 'ImportError';
  }
}

const PACKED = '(?:\\.(?:gz|zst|bz2))?$';
/** Names of files that an import takes from a folder. */
export const IMPORTED_NAMES = {
  theOddsApi: new RegExp(`\\.(?:json|ndjson|jsonl)${PACKED}`, 'i'),
  betfair: new RegExp(`(?:^|/)\\d+\\.\\d+(?:\\.json)?${PACKED}|\\.bz2$`, 'i'),
  footballData: new RegExp(`\\.csv${PACKED}`, 'i'),
} as const;

/**
 * The given files and, for each given folder, the files below it whose names fit, sorted.
 * @throws ImportError for a folder without such a file
 */
export function importPaths(paths: readonly string[], names: RegExp): string[] {
  return paths.flatMap((path) => {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if (!isFolder) return [path];
    const found = [...new Bun.Glob('**/*').scanSync(path)].filter((name) => names.test(name)).sort();
    if (found.length === 0) throw new ImportError(path, 'the folder has no file with such a name');
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
 * Where the JSON values of a file are: one per line, or one in the whole file if its first line is not a
 * whole value.
 */
export function valueRanges(bytes: Uint8Array): ValueRange[] {
  const lines: ValueRange[] = [];
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(NEW_LINE, start);
    const end = found < 0 ? bytes.length : found;
    if (hasText(bytes, start, end)) lines.push({ start, end });
    start = end + 1;
  }
  const [first] = lines;
  if (first === undefined || lines.length === 1 || isJson(bytes, first)) return lines;
  return [{ start: 0, end: bytes.length }];
}

/** Reads one of the values. @throws SyntaxError when it is not JSON */
export function valueAt(bytes: Uint8Array, { start, end }: ValueRange): unknown {
  return JSON.parse(DECODER.decode(bytes.subarray(start, end))) as unknown;
}

function hasText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! > 32) return true;
  return false;
}

function isJson(bytes: Uint8Array, range: ValueRange): boolean {
  try {
    valueAt(bytes, range);
    return true;
  } catch {
    return false; // the caller takes the whole file as one value
  }
}
