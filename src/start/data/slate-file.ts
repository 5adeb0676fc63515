// Saves the slate on disk. A restarted server serves it, marked stale, from its first second until the feed's
// snapshot replaces it. The main thread, which serves no requests, writes a draft file and renames it over
// the old one. The first line describes the file and has the checksum of the rest, which is one fixture per
// line.

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS, systemClock } from '../../clock.ts';
import { BOOKMAKER_KEYS } from '../../domain/catalogue.ts';
import { codeOf } from '../../errors.ts';
import { BoundedLog, type Log } from '../../log.ts';
import { eventLoopTurn } from '../../pause.ts';
import type { Config } from '../../settings/config.ts';
import { feedNames } from '../../settings/feed-settings.ts';
import { SlateReader } from '../../store/reader.ts';
import { type FixtureImage, imageOf, putImage } from '../../store/slate-image.ts';
import { SlateWriter } from '../../store/writer/writer.ts';

const SLATE_FILE_NAME = 'slate.ndjson';
/** Raise it whenever the lines change. A file of another format is set aside. */
const FORMAT = 1;
const SAVE_EVERY_MS = 30_000;
/** An older slate says nothing about present prices, so it is set aside. */
const SLATE_AGE_MS_MAX = HOUR_MS;
/** How many fixtures to read before the event loop gets a turn. */
const FIXTURES_A_TURN = 64;

interface Header {
  readonly format: number;
  readonly savedAtMs: number;
  /**
   * Keys of the bookmakers. A slate of another roster is not restored, because quote keys have positions in
   * the roster.
   */
  readonly roster: readonly string[];
  readonly feeds: readonly string[];
  readonly checksum: string;
}

/**
 * Whether the slate is saved. The slate of a recording is not: a recording is replayed from its beginning. A
 * slate that nodes share is not saved either: its last state is in Redis.
 */
export function keepsSlate({ role, feeds, feedNowMs }: Config): boolean {
  return role === 'all' && feedNowMs === null && feeds.every(({ kind }) => kind !== 'replay');
}

/**
 * Restores the saved slate into an empty store, then saves the store every SAVE_EVERY_MS.
 * @returns a function that stops this and saves one last time
 */
export function keepSlate(parts: {
  readonly storeBuffer: SharedArrayBuffer;
  readonly config: Config;
  readonly log: Log;
}): () => Promise<void> {
  const { storeBuffer, log } = parts;
  restoreSlate(storeBuffer, { ...parts, nowMs: systemClock.wallMs() });
  const failures = new BoundedLog(log, systemClock);
  let saving: Promise<void> | null = null;
  function save(): Promise<void> {
    saving ??= saveSlate(storeBuffer, { ...parts, nowMs: systemClock.wallMs() })
      .catch((error: unknown) => failures.warn('slate_not_kept', { error: String(error) }))
      .finally(() => {
        saving = null;
      });
    return saving;
  }
  const timer = setInterval(() => void save(), SAVE_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await saving;
    await save();
  };
}

/** Saves the slate of a store now. Writes nothing before the first snapshot is complete. */
async function saveSlate(
  storeBuffer: SharedArrayBuffer,
  { config, nowMs }: { readonly config: Config; readonly nowMs: number },
): Promise<void> {
  const reader = new SlateReader(storeBuffer);
  if (!reader.feed().snapshotComplete) return;
  const lines: string[] = [];
  for (let slot = 0; slot < reader.slotCount(); slot++) {
    if (slot % FIXTURES_A_TURN === FIXTURES_A_TURN - 1) await eventLoopTurn();
    const image = imageOf(reader, slot);
    if (image !== undefined) lines.push(JSON.stringify(image));
  }
  const body = lines.join('\n');
  const header: Header = { ...identityOf(config), savedAtMs: nowMs, checksum: checksumOf(body) };
  const path = join(config.dataDir, SLATE_FILE_NAME);
  const draftPath = `${path}.draft`;
  try {
    writeFileSync(draftPath, `${JSON.stringify(header)}\n${body}`, { mode: 0o600 });
    renameSync(draftPath, path);
  } catch (error) {
    // Free the space of a half-written slate: on a full disk, accounts need it.
    rmSync(draftPath, { force: true, recursive: true });
    throw error;
  }
}

/**
 * Restores the saved slate into an empty store. If the file cannot be used, it is renamed, named in the log,
 * and ignored.
 */
function restoreSlate(
  storeBuffer: SharedArrayBuffer,
  { config, nowMs, log }: { readonly config: Config; readonly nowMs: number; readonly log: Log },
): void {
  const path = join(config.dataDir, SLATE_FILE_NAME);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return; // a first start
    log.warn('slate_not_restored', { file: path, because: String(error) });
    return;
  }
  const images = readImages(text, config, nowMs);
  const because = typeof images === 'string' ? images : putImages(storeBuffer, images, nowMs);
  if (because === null) {
    log.info('slate_restored', { fixtures: images.length });
    return;
  }
  try {
    renameSync(path, `${path}.unused`);
    log.warn('slate_set_aside', { file: `${path}.unused`, because });
  } catch (error) {
    log.warn('slate_not_restored', { file: path, because: `${because}; it cannot be set aside: ${error}` });
  }
}

/** Publishes all the fixtures or none. @returns why they cannot be put into the store, or null */
function putImages(
  storeBuffer: SharedArrayBuffer,
  images: readonly FixtureImage[],
  nowMs: number,
): string | null {
  const writer = new SlateWriter(storeBuffer);
  try {
    for (const image of images) putImage(writer, image);
  } catch (error) {
    // Drafts of this writer are never published: the ingest thread's writer, which comes next, drops them.
    return `its fixtures cannot be read: ${error}`;
  }
  writer.publish(nowMs);
  writer.facts.setRestored();
  return null;
}

/** The fixtures of a file, or why it cannot be used. */
function readImages(text: string, config: Config, nowMs: number): readonly FixtureImage[] | string {
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  try {
    const header = JSON.parse(text.slice(0, end)) as Header;
    const { format, roster, feeds } = identityOf(config);
    if (header.format !== format) return `its format is ${header.format}, this release reads ${format}`;
    if (header.checksum !== checksumOf(body)) return 'its checksum is wrong';
    if (!Bun.deepEquals(header.roster, roster)) return 'the roster has changed since';
    if (!Bun.deepEquals(header.feeds, feeds)) return 'FEED has changed since';
    const ageMs = nowMs - header.savedAtMs;
    if (ageMs < 0) return 'it is dated in the future: the clock was set back since';
    if (!(ageMs <= SLATE_AGE_MS_MAX)) return 'it is too old';
    return body === '' ? [] : body.split('\n').map((line) => JSON.parse(line) as FixtureImage);
  } catch {
    return 'it cannot be read';
  }
}

function identityOf({ feeds }: Config): Pick<Header, 'format' | 'roster' | 'feeds'> {
  return { format: FORMAT, roster: BOOKMAKER_KEYS, feeds: feedNames(feeds) };
}

function checksumOf(body: string): string {
  return new Bun.CryptoHasher('sha256').update(body).digest('hex');
}
