// Damages the files of a history folder, at a random place or at a chosen one, and reports the effects of the
// damage.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beginOfLog, LOG_PREFIX } from '../../src/history/files/folder.ts';
import { LiveSegment } from '../../src/history/live/live-segment.ts';
import { addChunk, decodeChunks } from '../../src/history/live/log-chunk.ts';

/** Bytes that a damage replaces. */
const REPLACED_BYTES = 40;
/**
 * The length of a chunk's header, and the offset in it at which the number of following bytes is stored
 * (log-chunk.ts).
 */
const HEADER_BYTES = 32;
const LENGTH_AT = 4;

interface DrawnPlace {
  readonly file: number;
  readonly at: number;
}

/** Where a file is damaged. Files and logs are counted from the oldest; `at` is a share of the file. */
type Place =
  | DrawnPlace
  | { readonly name: string; readonly at: number }
  /** The chunk is counted from the end of the log: -1 is the last chunk. 0 is the beginning of the log. */
  | { readonly log: number; readonly chunk: number };

/** At its place, the file is cut off, or some bytes are replaced. */
export type Damage = Place & { readonly isCut: boolean };

/** A damage at any place. */
export const damage: fc.Arbitrary<DrawnPlace & { readonly isCut: boolean }> = fc.record({
  file: fc.nat(),
  at: fc.double({ min: 0, max: 0.99, noNaN: true }),
  isCut: fc.boolean(),
});

export type Content = ReadonlyMap<string, Uint8Array>;

/** The files of a folder by path, sorted. */
export function contentOf(root: string): Content {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  return new Map(paths.map((path) => [path.slice(root.length + 1), Uint8Array.from(readFileSync(path))]));
}

/** @returns the path of the damaged file */
export function applyDamage(root: string, one: Damage): string {
  const content = contentOf(root);
  const path = pathOf([...content.keys()], one);
  const bytes = content.get(path)!;
  const from = 'chunk' in one ? insideChunk(bytes, one.chunk) : Math.floor(bytes.length * one.at);
  const damaged = Uint8Array.from(bytes).fill(0xa5, from, Math.min(bytes.length, from + REPLACED_BYTES));
  writeFileSync(join(root, path), one.isCut ? bytes.subarray(0, from) : damaged);
  return path;
}

function pathOf(paths: readonly string[], one: Damage): string {
  if ('name' in one) return one.name;
  if ('log' in one) return paths.filter((path) => path.startsWith(LOG_PREFIX))[one.log]!;
  return paths[one.file % paths.length]!;
}

/** A place within a chunk of a log. */
function insideChunk(bytes: Uint8Array, chunk: number): number {
  if (chunk === 0) return 0;
  const view = new DataView(bytes.buffer);
  const begins: number[] = [];
  for (let at = 0; at < bytes.length; at += HEADER_BYTES + view.getUint32(at + LENGTH_AT, true))
    begins.push(at);
  return begins.at(chunk)! + HEADER_BYTES + LENGTH_AT;
}

/** Effects of damage to a log that are rare if the place of the damage is random. */
export type Effect =
  | 'end lost'
  | 'lost when the next begins'
  | 'lost of a kept millisecond'
  | 'empty in between';

/** The effects of damages on the logs of a folder. */
export function effectsOf(before: Content, after: Content): ReadonlySet<Effect> {
  const effects = new Set<Effect>();
  const logs = [...before.keys()].filter((path) => path.startsWith(LOG_PREFIX));
  for (const [index, path] of logs.entries()) {
    const next = logs[index + 1];
    const kept = timesIn(after.get(path)!);
    const lost = timesIn(before.get(path)!).slice(kept.length);
    if (index > 0 && next !== undefined && after.get(path)!.length === 0) effects.add('empty in between');
    if (lost.length === 0 || kept.length === 0) continue;
    if (next !== undefined) effects.add('end lost');
    if (next !== undefined && lost.includes(beginOfLog(next))) effects.add('lost when the next begins');
    if (lost.some((atMs) => kept.includes(atMs))) effects.add('lost of a kept millisecond');
  }
  return effects;
}

/** The times at which the rows that a log still has were published. */
function timesIn(bytes: Uint8Array): readonly number[] {
  const segment = new LiveSegment();
  for (const chunk of decodeChunks(bytes).chunks) addChunk(segment, chunk, 0);
  return Array.from({ length: segment.rowCount }, (_, row) => segment.row(row).receivedAtMs);
}
