// `bun run bench:feed [--quick] [--write]`: from bytes on a socket or in a file until another thread can read
// the quotes, through the ingest worker as the service runs it. Measures the throughput per second, and the
// delay at a fixed rate. Three threads share the cores: the sender, the ingest worker, and this one, which
// reads the slate every tenth of a millisecond.

import { join } from 'node:path';
import { assert } from '../../src/errors.ts';
import type { SlateReader } from '../../src/store/reader.ts';
import { benchFolder } from '../bench-folder.ts';
import { type Figure, machineLine, median, quantile, tableOf } from '../figures.ts';
import { flagsOf } from '../flags.ts';
import { writePart } from '../performance-page.ts';
import { nowMs, openIngest, Upstream, watch } from './ingest.ts';
import { QuoteWatch, quoteOf, snapshotOf } from './wires.ts';

const { isQuick, isWritten } = flagsOf({
  command: 'bun run bench:feed',
  about: 'From bytes on a socket or in a file until another thread can read them.',
  canWrite: true,
});
const BURSTS = isQuick ? 3 : 5;
const BURST_MESSAGES = 200_000;
const PACED_PER_SECOND = 10_000;
const PACED_SECONDS = isQuick ? 3 : 10;
/** The first quote of a recording is due this long after its start; by then the snapshot has been applied. */
const FILE_LEAD_MS = 4_000;
/** How far in the past the stamps start. It is more than the stamps advance over all bursts and messages. */
const STAMPED_BEHIND_MS = 60_000;

const folder = benchFolder();

/** Messages per second of each burst, and the delays at the fixed rate, in ms. */
async function measureSocket(
  encoding: 'json' | 'msgpack',
): Promise<{ perSecond: number[]; agesMs: number[] }> {
  // The stamps of a burst advance faster than the clock, and a message stamped later than it arrives is
  // refused.
  const baseMs = Date.now() - STAMPED_BEHIND_MS;
  using upstream = new Upstream();
  using ingest = await openIngest({ feed: await upstream.listen(encoding, baseMs), folder });
  const quotes = new QuoteWatch(ingest.reader, baseMs);
  const perSecond: number[] = [];
  let first = 0;
  for (let round = 0; round < BURSTS; round++) {
    const { atMs } = await upstream.ask({ type: 'burst', first, count: BURST_MESSAGES }, 'begun');
    first += BURST_MESSAGES;
    watch(quotes, first, () => {});
    perSecond.push(BURST_MESSAGES / ((nowMs() - atMs) / 1_000));
  }
  const count = PACED_PER_SECOND * PACED_SECONDS;
  const sentAtMs = new SharedArrayBuffer(8 * count);
  const sent = new Float64Array(sentAtMs);
  upstream.send({ type: 'paced', first, count, perSecond: PACED_PER_SECOND, sentAtMs });
  const agesMs: number[] = [];
  watch(quotes, first + count, (from, to, atMs) => {
    for (let n = from; n < to; n++) agesMs.push(atMs - sent[n - first]!);
  });
  checkCounters(ingest.reader);
  return { perSecond, agesMs };
}

interface Recording {
  readonly count: number;
  /** How many consecutive quotes have the same stamp, which is in whole milliseconds. */
  readonly perMs: number;
  readonly speed: number;
}

/**
 * Measures a recording whose first quote is due after FILE_LEAD_MS. For a burst, the speed is so high that
 * all quotes are due at the same moment.
 */
async function measureFile({ count, perMs, speed }: Recording) {
  const baseMs = Math.floor(Date.now() / 60_000) * 60_000;
  const path = join(folder, 'recording.ndjson');
  const dueMs = (n: number) => FILE_LEAD_MS + Math.floor(n / perMs) / speed;
  let seq = 0;
  const hello = { type: 'hello', protocol: 1, source: 'bench', at: new Date(baseMs).toISOString() };
  const lines = [hello, ...snapshotOf(baseMs, false).map((wire) => ({ ...wire, seq: ++seq }))];
  for (let n = 0; n < count; n++) {
    lines.push({ ...quoteOf(n, new Date(baseMs + dueMs(n) * speed).toISOString()), seq: ++seq });
  }
  await Bun.write(path, lines.map((wire) => `${JSON.stringify(wire)}\n`).join(''));
  using ingest = await openIngest({ feed: `replay:${path}`, folder, speed });
  const quotes = new QuoteWatch(ingest.reader, ingest.startMs);
  assert(quotes.advance(1) === 0, 'the snapshot is applied before the first quote is due');
  const agesMs: number[] = [];
  watch(quotes, count, (from, to, atMs) => {
    for (let n = from; n < to; n++) agesMs.push(atMs - ingest.startMs - dueMs(n));
  });
  checkCounters(ingest.reader);
  return { perSecond: count / ((nowMs() - ingest.startMs - FILE_LEAD_MS) / 1_000), agesMs };
}

function checkCounters(reader: SlateReader): void {
  const { gaps, quotes_older: older, ignored_until_snapshot: ignored } = reader.counters();
  assert(gaps === 0 && older === 0 && ignored === 0, 'nothing was lost or refused');
}

function rateFigure(name: string, perSecond: readonly number[], atLeast: number): Figure {
  const rounds = perSecond.map((one) => Math.round(one / 1_000)).join(', ');
  console.log(`${name}: ${rounds} thousand a second`);
  return {
    name: `${name}, bytes to readable`,
    value: median(perSecond),
    unit: 'per second',
    baseline: null,
    aim: { of: 'value', atLeast },
  };
}

function ageFigure(name: string, agesMs: readonly number[]): Figure {
  const [p50, p99, p999, worst] = [0.5, 0.99, 0.999, 1].map((share) => quantile(agesMs, share).toFixed(2));
  console.log(`${name} at ${PACED_PER_SECOND}/s: p50 ${p50} ms, p99 ${p99}, p99.9 ${p999}, worst ${worst}`);
  return {
    name: `${name} at ${PACED_PER_SECOND.toLocaleString('en-US')}/s, handed over to readable, p99`,
    value: quantile(agesMs, 0.99) * 1e6,
    unit: 'ns',
    baseline: null,
    aim: { of: 'value', atMost: 5e6 },
  };
}

async function measure(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [encoding, name, atLeast] of [
    ['json', 'socket, NDJSON', 300_000],
    ['msgpack', 'socket, MessagePack', 500_000],
  ] as const) {
    const { perSecond, agesMs } = await measureSocket(encoding);
    figures.push(rateFigure(name, perSecond, atLeast), ageFigure(name, agesMs));
  }
  const perSecond: number[] = [];
  for (let round = 0; round < BURSTS; round++) {
    perSecond.push((await measureFile({ count: BURST_MESSAGES, perMs: 64, speed: 10_000 })).perSecond);
  }
  const count = PACED_PER_SECOND * PACED_SECONDS;
  const { agesMs } = await measureFile({ count, perMs: PACED_PER_SECOND / 1_000, speed: 1 });
  return [...figures, rateFigure('file, NDJSON', perSecond, 300_000), ageFigure('file, NDJSON', agesMs)];
}

function partOf(figures: readonly Figure[]): string {
  return `${machineLine(Date.now())} Sender, ingest worker and reader share the cores. A burst is ${BURST_MESSAGES.toLocaleString('en-US')}
quotes over 500 fixtures, the median of ${BURSTS}.

${tableOf(figures)}`;
}

const figures = await measure();
console.log(tableOf(figures));
if (isWritten) await writePart('bench:feed', partOf(figures));
process.exit(0);
