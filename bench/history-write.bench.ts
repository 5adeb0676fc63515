// What recording every price costs ingest: bursts of quotes, from bytes on a socket until another thread can
// read them, with the history thread and without. All threads share the cores.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bench, group } from 'mitata';
import { type Ingest, openIngest, Upstream, until, watch } from './feed/ingest.ts';
import { QuoteWatch } from './feed/wires.ts';
import { type Figure, median } from './figures.ts';

/** How far in the past the stamps start: they advance faster than the clock, and must not overtake it. */
const STAMPED_BEHIND_MS = 60_000;

export function define(size: 'smoke' | 'full'): void {
  const quotes = size === 'smoke' ? 256 : 20_000;
  const folder = mkdtempSync(join(tmpdir(), 'overround-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  group(`history: write: a burst of ${quotes} quotes, bytes to readable`, () => {
    bench('with the history', bursts(folder, quotes, 'kept'));
    bench('floor: the ring is only emptied', bursts(folder, quotes, 'emptied'));
    bench('with HISTORY_DAYS=0', bursts(folder, quotes, null)).baseline(true);
  });
}

/** How many bursts the processor time of the ingest thread is measured over, with the history and without. */
const CPU_BURSTS = 30;

/**
 * Measures the processor time of the ingest thread alone. On two cores the history thread, the sender and the
 * reader compete with it for them, and the time in `define` above includes that.
 */
export async function costs(size: 'smoke' | 'full'): Promise<Figure[]> {
  const quotes = size === 'smoke' ? 256 : 20_000;
  const folder = mkdtempSync(join(tmpdir(), 'overround-bench-'));
  const sides = [await burster(folder, quotes, 'kept'), await burster(folder, quotes, null)];
  const cpuMs: [number[], number[]] = [[], []];
  for (let round = 0; round < (size === 'smoke' ? 2 : CPU_BURSTS); round++) {
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { burst, ingest } = sides[index]!;
      const before = await ingest.cpuMs();
      await burst();
      cpuMs[index].push((await ingest.cpuMs()) - before);
    }
  }
  for (const { ingest } of sides) ingest[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
  const [value, baseline] = cpuMs.map((each) => median(each) * 1e6);
  const name = `history: processor time of the ingest thread, ${quotes} quotes`;
  return [{ name, value: value!, baseline: baseline!, unit: 'ns', aim: { of: 'ratio', atMost: 1.05 } }];
}

/**
 * Connects only when its first burst is due, because ingest drops a feed that is silent for long. `burster`
 * sends one burst that is not measured.
 */
function bursts(folder: string, quotes: number, tape: Tape): () => Promise<void> {
  let started: Promise<Burster> | null = null;
  return async () => {
    started ??= burster(folder, quotes, tape);
    await (await started).burst();
  };
}

type Tape = 'kept' | 'emptied' | null;

interface Burster {
  readonly ingest: Ingest;
  /** Sends one burst and waits until its last quote can be read. */
  readonly burst: () => Promise<void>;
}

async function burster(folder: string, quotes: number, use: Tape): Promise<Burster> {
  const baseMs = Date.now() - STAMPED_BEHIND_MS;
  const upstream = new Upstream();
  const feed = await upstream.listen('json', baseMs);
  const ingest = await openIngest({ feed, folder, tape: use });
  const readable = new QuoteWatch(ingest.reader, baseMs);
  let first = 0;
  const burst = async (): Promise<void> => {
    await upstream.ask({ type: 'burst', first, count: quotes }, 'begun');
    first += quotes;
    watch(readable, first, () => {});
  };
  const { tape } = ingest;
  await until(() => tape === null || (tape.written() > 0 && tape.waitingCount() === 0)); // the slate is on the tape
  const before = tape?.written() ?? 0;
  await burst();
  await until(() => tape === null || tape.written() - before >= quotes); // every quote is on the tape
  return { ingest, burst };
}
