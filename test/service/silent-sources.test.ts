// Three and six sources, some of which have fallen silent, joined by a running service with a stopped clock:
// the age of prices in every answer, over HTTP, by tools and by streams, compared with a plain model of each
// source's messages.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { Random } from '../../src/domain/random.ts';
import { eventWire, heartbeatWire, helloWire, quoteWire, type WireMessage, wireTime } from '../feed/wire.ts';
import { until } from '../support/condition.ts';
import { ServerProcess } from '../support/server-process.ts';
import { StreamClient } from '../support/stream-client.ts';
import { call } from '../support/surface.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NOW_MS = Date.UTC(2026, 2, 1, 12, 0, 3);
const PREMATCH_MS = 300_000;
const LIVE_MS = 60_000;
const STEP_MS = 10_000;
/**
 * Ages in seconds of sources that are not silent. At least one is needed, because otherwise nothing is
 * served.
 */
const LIVE_AGES_S = [0, 4];
/** Ages near the end of the window in play and past it, near the end of the pre-match window and past it. */
const SILENT_AGES_S = [40, 59, 75, 200, 296, 310, 900];
const BOOKS = ['crown', 'pinnacle', 'sbobet', 'macau', 'm8bet', 'nova88'] as const;
const SHARP = 'pinnacle';
const MARKET = 'asian_handicap';

/** A source's messages about its only price. */
interface Said {
  readonly book: string;
  readonly quoteMs: number;
  readonly heartbeatMs: number;
}

interface Expected extends Said {
  readonly isOpen: boolean;
  /**
   * When an open price was confirmed, as answers show it: by the start of the heartbeat's step, or by its own
   * message.
   */
  readonly confirmedMs: number;
  readonly stepMs: number;
}

function saidBy(random: Random, agesS: number[]): Said[] {
  random.shuffle(agesS);
  return agesS.map((ageS, index) => {
    const heartbeatMs = NOW_MS - ageS * 1_000;
    return {
      book: BOOKS[index]!,
      heartbeatMs,
      quoteMs: heartbeatMs - Math.floor(random.unit() * 600) * 1_000,
    };
  });
}

function expectedOf(said: Said): Expected {
  const stepMs = Math.floor(said.heartbeatMs / STEP_MS) * STEP_MS;
  const isOpen = NOW_MS - Math.max(said.quoteMs, said.heartbeatMs) <= PREMATCH_MS;
  return { ...said, stepMs, isOpen, confirmedMs: Math.max(said.quoteMs, stepMs) };
}

/** A recording whose heartbeats name the bookmaker, so that the replay adds no heartbeats itself. */
function recordingOf({ book, quoteMs, heartbeatMs }: Said, index: number): string {
  const at = wireTime(quoteMs);
  const wires: WireMessage[] = [
    eventWire(0, `of-${index}`, {
      at,
      league: { key: 'epl', name: 'English Premier League' },
      home: { key: 'ars', name: 'Arsenal' },
      away: { key: 'che', name: 'Chelsea' },
      bookmakers: [book],
    }),
    // The other bookmaker's price is above the sharp bookmaker's, so it has value while both are fresh.
    quoteWire(0, `of-${index}`, { at, bookmaker: book, prices: book === SHARP ? [1.95, 1.97] : [2.1, 1.9] }),
    heartbeatWire(0, { at: wireTime(heartbeatMs), bookmakers: [book] }),
  ];
  const hello = helloWire({ at: wireTime(NOW_MS) });
  return [hello, ...wires].map((wire, seq) => JSON.stringify({ ...wire, seq })).join('\n');
}

interface Running {
  readonly url: string;
  readonly key: string;
}

/** A separate process for each roster, because a process installs its roster only once. */
async function serve(said: readonly Said[], folder: string): Promise<ServerProcess> {
  const name = (index: number) => join(folder, `${index}.ndjson`);
  const feedOf = (index: number) => (index === 0 ? 'replay' : `replay-${index + 1}`);
  const bookmakers = said.map(({ book }, index) => ({
    key: book,
    name: book,
    class: book === SHARP ? 'sharp' : 'asian',
    feed: feedOf(index),
  }));
  const roster = join(folder, 'roster.json');
  await Bun.write(roster, JSON.stringify({ bookmakers }));
  for (const [index, each] of said.entries()) await Bun.write(name(index), recordingOf(each, index));
  return new ServerProcess({
    FEED: said.map((_, index) => `replay:${name(index)}`).join(','),
    FEED_NOW: wireTime(NOW_MS),
    BOOKMAKERS: roster,
  });
}

async function whenReady(server: ServerProcess): Promise<Running> {
  const url = await server.listening();
  const [, key] = await server.logged(/key="(isk_\w+)"/);
  await until('the slate is there', async () => (await fetch(`${url}/ready`)).status === 200);
  return { url, key: key! };
}

interface Fresh {
  readonly as_of: string;
  readonly stale: boolean;
}
interface Block extends Fresh {
  readonly odds: readonly { readonly bookmaker: string; readonly status: string }[];
}
type Ask = <T>(path: string, body?: object) => Promise<T>;

function askAs({ url, key }: Running, seesSharp: boolean): Ask {
  return async <T>(path: string, body?: object) => {
    const {
      status,
      text,
      body: answer,
    } = await call(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        ...(seesSharp ? { authorization: `Bearer ${key}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    return answer as T;
  };
}

/**
 * `as_of` of an answer with these sources' prices: each open one was confirmed then or later; if none is
 * open, the latest.
 */
function asOfMs(shown: readonly Expected[]): number {
  const open = shown.filter(({ isOpen }) => isOpen);
  const times = (open.length > 0 ? open : shown).map(({ confirmedMs }) => confirmedMs);
  return open.length > 0 ? Math.min(...times) : Math.max(...times);
}

/** The expected `as_of` and `stale` of a whole slate, which count only heartbeats. */
function slateOf(shown: readonly Expected[]): Fresh {
  const steps = shown.map(({ stepMs }) => stepMs);
  const counting = steps.filter((stepMs) => NOW_MS - stepMs <= PREMATCH_MS + STEP_MS);
  return {
    as_of: wireTime(counting.length > 0 ? Math.min(...counting) : Math.max(...steps)),
    stale: NOW_MS - Math.max(...steps) > LIVE_MS,
  };
}

async function expectAnswers(ask: Ask, id: string, shown: readonly Expected[]): Promise<void> {
  const atMs = asOfMs(shown);
  const fresh = { as_of: wireTime(atMs), stale: NOW_MS - atMs > PREMATCH_MS };
  const path = `/v1/events/${id}/odds`;
  const blocks = [await ask<Block>(path), await ask<Block>(`${path}/${MARKET}`)];
  for (const block of blocks) {
    expect(block).toMatchObject(fresh);
    const statuses = Object.fromEntries(block.odds.map(({ bookmaker, status }) => [bookmaker, status]));
    const expected = shown.map(({ book, isOpen }) => [book, isOpen ? 'open' : 'suspended']);
    expect(statuses).toEqual(Object.fromEntries(expected));
  }
  for (const each of shown) {
    const alone = { as_of: wireTime(each.confirmedMs), stale: NOW_MS - each.confirmedMs > PREMATCH_MS };
    expect(await ask<Block>(`${path}?bookmakers=${each.book}`)).toMatchObject(alone);
    const of = await ask<Fresh>(`/v1/odds?bookmakers=${each.book}`);
    expect({ as_of: of.as_of, stale: of.stale }).toEqual(slateOf([each]));
  }
  const { as_of, stale } = await ask<Fresh>('/v1/odds');
  expect({ as_of, stale }).toEqual(slateOf(shown));
}

interface Aged {
  readonly bookmaker: string;
  readonly as_of: string;
  readonly confirmed_at: string;
}

/** Expects the block of one fixture to be the same by the two routes that need a key. */
async function expectBatches(ask: Ask, id: string): Promise<void> {
  const block = await ask<Block>(`/v1/events/${id}/odds`);
  const batch = await ask<{ data: { odds: Block }[] }>('/v1/odds/batch', { event_ids: [id] });
  expect(batch.data[0]!.odds).toEqual(block);
}

/**
 * Every price that a tool shows with its age was confirmed by its own source at that time, and is used only
 * while that counts.
 */
async function expectTools(ask: Ask, id: string, shown: readonly Expected[]): Promise<void> {
  const tool = <T>(name: string, args: object) => ask<T>(`/v1/mcp/${name}`, args);
  const taking = shown.filter(({ isOpen, confirmedMs }) => isOpen && NOW_MS - confirmedMs <= PREMATCH_MS);
  const market_type = MARKET;
  const compared = await tool<Fresh & { best_prices: readonly Aged[] }>('compare_lines', {
    event_id: id,
    market_type,
  });
  const sharpLine = await tool<object>('get_sharp_line', { query: id, market_type });
  const value = await tool<{ value_bets: readonly object[] }>('find_value', { query: id });
  const scanned = await tool<object>('scan_slate', {});
  const common = shown.filter(({ book }) => book !== SHARP);
  expect(compared.as_of).toBe(wireTime(asOfMs(common)));
  for (const answer of [compared, sharpLine, value, scanned]) {
    for (const { bookmaker, as_of, confirmed_at } of agedIn(answer)) {
      const source = shown.find(({ book }) => book === bookmaker)!;
      const confirmedMs = source.isOpen ? source.confirmedMs : source.quoteMs;
      const expected = [bookmaker, wireTime(source.quoteMs), wireTime(confirmedMs)];
      expect([bookmaker, as_of, confirmed_at]).toEqual(expected);
    }
  }
  const best = new Set(compared.best_prices.map(({ bookmaker }) => bookmaker));
  const takingBooks = new Set(taking.map(({ book }) => book));
  expect([...best].filter((book) => !takingBooks.has(book))).toEqual([]);
  const hasValue = takingBooks.has(SHARP) && takingBooks.size > 1;
  expect(value.value_bets.length > 0).toBe(hasValue);
}

/** Every bookmaker's price with an age in an answer. */
function agedIn(value: unknown): Aged[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = Object.values(value).flatMap(agedIn);
  return 'confirmed_at' in value && 'bookmaker' in value ? [value as Aged, ...found] : found;
}

async function expectStream(running: Running, key: string | null, shown: readonly Expected[]) {
  const stream = await StreamClient.open(running.url, { query: '', key });
  const { data: snapshot } = await stream.next('snapshot');
  const { data: heartbeat } = await stream.next('heartbeat');
  await stream.close();
  for (const { as_of, stale } of [snapshot, heartbeat])
    expect({ as_of, stale } as Fresh).toEqual(slateOf(shown));
  const said = heartbeat.confirmations as { bookmakers: string[]; as_of: string }[];
  const pairs = said.flatMap(({ bookmakers, as_of }) => bookmakers.map((book) => [book, as_of]));
  expect(pairs.sort()).toEqual(shown.map(({ book, stepMs }) => [book, wireTime(stepMs)]).sort());
  expect(said.map(({ as_of }) => as_of)).toEqual(said.map(({ as_of }) => as_of).toSorted());
}

/** One server with these sources, and all its answers. */
async function expectOwnAges(said: readonly Said[]): Promise<void> {
  const expected = said.map(expectedOf);
  using folder = temporaryFolder();
  await using server = await serve(said, folder.path);
  const running = await whenReady(server);
  const { data: events } = await askAs(running, true)<{ data: { id: string }[] }>('/v1/events');
  expect(events).toHaveLength(1); // they are one match
  const { id } = events[0]!;
  const views = [true, false].map((seesSharp) => ({
    seesSharp,
    shown: expected.filter(({ book }) => seesSharp || book !== SHARP),
  }));
  for (const { seesSharp, shown } of views) {
    const ask = askAs(running, seesSharp);
    await expectAnswers(ask, id, shown);
    if (!seesSharp) continue;
    await expectBatches(ask, id);
    await expectTools(ask, id, shown);
  }
  await Promise.all(
    views.map(({ seesSharp, shown }) => expectStream(running, seesSharp ? running.key : null, shown)),
  );
}

test('in every answer, the age of each price comes from its own source', async () => {
  const random = new Random(24);
  // Two servers at a time, because each check waits for the heartbeat of a stream and little else.
  const [live, alsoLive] = LIVE_AGES_S as [number, number];
  const silent = [...SILENT_AGES_S];
  random.shuffle(silent);
  const sources = [
    [live, ...silent.slice(0, 2)],
    [alsoLive, ...silent.slice(2)],
  ];
  await Promise.all(sources.map((agesS) => expectOwnAges(saidBy(random, agesS))));
}, 120_000);
