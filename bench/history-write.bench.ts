// What keeping every price costs ingest: bursts of quotes from bytes on a socket until another thread can
// read them, with the history thread and without. All threads share the cores.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bench, group } from 'mitata';
import { openIngest, Upstream, until, watch } from './feed/ingest.ts';
import { QuoteWatch } from './feed/wires.ts';

/** How far in the past the stamps start: they advance faster than the clock, and must not overtake it. */
const STAMPED_BEHIND_MS = 60_000;

export function define(size: 'smoke' | 'full'): void {
  const quotes = size === 'smoke' ? 256 : 20_000;
  const folder = mkdtempSync(join(tmpdir(), 'overround-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  group(`history: write: a burst of ${quotes} quotes, bytes to readable`, () => {
    bench('with the history', bursts(folder, quotes, true));
    bench('with HISTORY_DAYS=0', bursts(folder, quotes, false)).baseline(true);
  });
}

/** Starts with the first burst, which is not measured: ingest gives up a feed that is silent for long. */
function bursts(folder: string, quotes: number, hasTape: boolean): () => Promise<void> {
  let started: Promise<() => Promise<void>> | null = null;
  return async () => {
    started ??= burster(folder, quotes, hasTape);
    await (await started)();
  };
}

/** Sends one burst and waits until its last quote can be read. */
async function burster(folder: string, quotes: number, hasTape: boolean): Promise<() => Promise<void>> {
  const baseMs = Date.now() - STAMPED_BEHIND_MS;
  const upstream = new Upstream();
  const feed = await upstream.listen('json', baseMs);
  const ingest = await openIngest({ feed, folder, hasTape });
  const readable = new QuoteWatch(ingest.reader, baseMs);
  let first = 0;
  const burst = async (): Promise<void> => {
    await upstream.ask({ type: 'burst', first, count: quotes }, 'begun');
    first += quotes;
    watch(readable, first, () => {});
  };
  const { tape } = ingest;
  await until(() => tape === null || (tape.written() > 0 && tape.waitingCount() === 0)); // it has the slate
  const before = tape?.written() ?? 0;
  await burst();
  await until(() => tape === null || tape.written() - before >= quotes); // the tape has every quote
  return burst;
}
