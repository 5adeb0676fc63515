import { expect, test } from 'bun:test';
import { OddsChangeReader } from '../../src/query/odds/odds-changes.ts';
import { OddsEncoder } from '../../src/query/odds/odds-encoder.ts';
import { oddsView } from '../../src/query/odds/odds-view.ts';
import { WholeSlates } from '../../src/query/odds/whole-slates.ts';
import { type CopyRoom, SlateCopier } from '../../src/query/slate/slate-copy.ts';
import { MISSED_BYTES_MAX } from '../../src/stream/limits.ts';
import { StreamHub } from '../../src/stream/stream-hub.ts';
import { quoteWire, type WireMessage } from '../feed/wire.ts';
import { fixtureWire, SHARP, SlateDesk, WINDOWS } from '../query/slate-desk.ts';
import { until } from '../support/condition.ts';
import { Client, Timers } from './hub-clients.ts';

const KICKOFF = '2026-03-01T15:00:00Z';
const TICK_MS = 100;
const FIXTURES = 20;
const LINES = 60;

/**
 * A price for every line of the slate. The usual slate has 2,400 quotes, which are half a megabyte of JSON.
 */
function allQuotes(price: number, fixtures = FIXTURES): WireMessage[] {
  return Array.from({ length: fixtures * LINES }, (_, index) => {
    const fields = { line: Math.floor(index / fixtures) / 4, prices: [price, 2] };
    const event = `e${index % fixtures}`;
    return ['crown', 'macau'].map((bookmaker) => quoteWire(0, event, { ...fields, bookmaker }));
  }).flat();
}

interface OpenOptions {
  readonly isStalled?: boolean;
  readonly client?: Client;
  readonly room?: CopyRoom;
}

class Stage {
  readonly desk = new SlateDesk();
  readonly timers = new Timers();
  readonly #hub: StreamHub;

  constructor(fixtureCount = FIXTURES) {
    const fixtures = Array.from({ length: fixtureCount }, (_, index) => fixtureWire(`e${index}`, KICKOFF));
    this.desk.snapshot(...fixtures, ...allQuotes(1.5, fixtureCount));
    const { slate, ingest } = this.desk;
    const { reader } = ingest;
    const parts = { reader, slate, windows: WINDOWS };
    const changes = new OddsChangeReader({
      ...parts,
      ...{ copier: new SlateCopier(reader), encoder: new OddsEncoder(reader) },
    });
    const clock = { wallMs: () => this.desk.nowMs, monotonicMs: () => 0 };
    this.#hub = new StreamHub({
      ...{ changes, clock, slates: new WholeSlates({ changes, clock }), every: this.timers.every },
      onError: (error) => {
        throw error;
      },
    });
  }

  /**
   * Opens a stream and waits until its client is up to date.
   * @param before the client whose state and cursor it resumes from
   */
  async open(before: Client | null, options: OpenOptions = {}): Promise<Client> {
    const { isStalled = false, client = new Client(), room } = options;
    const { slate, nowMs } = this.desk;
    const view = oddsView({ slate, leagues: { idOf: () => '' } }, {}, { principal: SHARP, nowMs });
    client.isStalled = isStalled;
    const since = before?.mirror.cursor ?? null;
    client.mirror.cursor = since;
    for (const [id, fixture] of before?.mirror.fixtures ?? []) client.mirror.fixtures.set(id, fixture);
    const request = { view, since, tickMs: TICK_MS, sink: client, isAllowed: () => true };
    client.connect(this.#hub.open(room === undefined ? request : { ...request, room }));
    if (isStalled) return client;
    await until('it has read something after hello', () => client.events.length > 1);
    for (let tick = 0; tick < 3; tick++) await this.timers.fire(TICK_MS);
    return client;
  }
}

/** One of several subscriptions of a WebSocket. Unread bytes of one count for all of them. */
class Subscription extends Client {
  readonly #socket: Subscription[];

  constructor(socket: Subscription[]) {
    super();
    this.#socket = socket;
    socket.push(this);
  }

  override unsentBytes(): number {
    return this.#socket.reduce((sum, subscription) => sum + subscription.#own(), 0);
  }

  #own(): number {
    return super.unsentBytes();
  }
}

function kindsOf({ events }: Client): string[] {
  return [...new Set(events.map(({ event }) => event))];
}

test('a reader that missed more than fits into one event gets a snapshot in parts', async () => {
  const stage = new Stage();
  const first = await stage.open(null);
  first.leave();
  stage.desk.send(quoteWire(0, 'e1', { prices: [1.7, 2] }));
  expect(kindsOf(await stage.open(first))).toEqual(['hello', 'delta']);

  stage.desk.send(...allQuotes(1.6));
  const late = await stage.open(first);
  expect(kindsOf(late)).toEqual(['hello', 'snapshot']);
  const sizes = late.events.map(({ data }) => JSON.stringify(data).length);
  expect(Math.max(...sizes)).toBeLessThan(MISSED_BYTES_MAX / 2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(MISSED_BYTES_MAX);
  expect(late.mirror.content()).toEqual((await stage.open(null)).mirror.content());
});

test('a reader of a slate on which everything keeps changing is up to date soon after its snapshot', async () => {
  const stage = new Stage();
  const reader = await stage.open(null);
  expect(reader.isStalled).toBe(false);
  const kinds: string[] = [];
  for (let round = 0; round < 4; round++) {
    stage.desk.send(...allQuotes(1.6 + round / 10));
    const seen = reader.events.length;
    await stage.timers.fire(TICK_MS);
    kinds.push(...reader.events.slice(seen).map(({ event }) => event));
  }
  expect(kinds).toEqual(['delta', 'delta', 'delta', 'delta']);
  expect(reader.mirror.content()).toEqual((await stage.open(null)).mirror.content());
});

test('late readers of one WebSocket are served one after another, as fast as its client reads', async () => {
  const stage = new Stage();
  const before = await stage.open(null);
  before.leave();
  stage.desk.send(quoteWire(0, 'e1', { prices: [1.7, 2] }));
  const socket: Subscription[] = [];
  const isStalled = true;
  for (let index = 0; index < 3; index++) {
    await stage.open(before, { isStalled, client: new Subscription(socket) });
  }
  const readAll = () => {
    for (const subscription of socket) {
      subscription.resume();
      subscription.isStalled = true;
    }
  };
  for (let served = 0; served <= 3; served++) {
    readAll();
    const deltaCount = socket.filter((subscription) => kindsOf(subscription).includes('delta')).length;
    expect(deltaCount).toBe(served);
    for (let tick = 0; tick < 2; tick++) await stage.timers.fire(TICK_MS);
  }
  const { mirror } = await stage.open(null);
  for (const subscription of socket) expect(subscription.mirror.content()).toEqual(mirror.content());
});

test('changes made while a client reads its snapshot are sent as soon as it has read it, before the next tick', async () => {
  const stage = new Stage();
  const reader = await stage.open(null, { isStalled: true });
  reader.resume();
  reader.isStalled = true;
  for (let tick = 0; tick < 2; tick++) await stage.timers.fire(TICK_MS);
  expect(kindsOf(reader)).toEqual(['hello']);
  stage.desk.send(...allQuotes(1.6));
  reader.resume();
  await until('it is up to date', () => reader.events.at(-1)!.event === 'delta');
  expect(kindsOf(reader)).toEqual(['hello', 'snapshot', 'delta']);
  expect(reader.mirror.content()).toEqual((await stage.open(null)).mirror.content());
});

test('if a megabyte changes while a reader reads a snapshot, the reader gets another snapshot; the second time its stream is ended', async () => {
  const stage = new Stage(3 * FIXTURES);
  const reader = await stage.open(null, { isStalled: true });
  const readOn = () => {
    reader.resume();
    reader.isStalled = true;
  };
  readOn();
  for (let tick = 0; tick < 2; tick++) await stage.timers.fire(TICK_MS);
  stage.desk.send(...allQuotes(1.6, 3 * FIXTURES));
  const lastsRead = () => reader.events.filter(({ data }) => data.last === true).length;
  const readWhole = (count: number) =>
    until('it has read a snapshot', () => {
      readOn();
      return lastsRead() === count;
    });
  await readWhole(1);
  await until('another snapshot has begun', () => reader.unsentBytes() > 0);
  stage.desk.send(...allQuotes(1.7, 3 * FIXTURES));
  await readWhole(2);
  await until('it is ended', () => {
    readOn();
    return reader.hasEnded;
  });
  expect(reader.events.at(-1)!.data.reason).toBe('slow_reader');
  expect(kindsOf(reader)).toEqual(['hello', 'snapshot', 'bye']);
});

test('a stream whose customer has no memory left, and which reads a snapshot counted for another customer, is ended when that customer leaves', async () => {
  const stage = new Stage();
  const roomOf = (owner: string, hasRoom: boolean) => {
    return { hasKey: true, owner, reserve: () => hasRoom, release: () => undefined };
  };
  const begin = async (room: CopyRoom) => {
    const reader = await stage.open(null, { isStalled: true, room });
    reader.resume();
    reader.isStalled = true;
    for (let tick = 0; tick < 2; tick++) await stage.timers.fire(TICK_MS);
    await until('it has the first part of its snapshot', () => reader.unsentBytes() > 0);
    return reader;
  };
  const paying = await begin(roomOf('customer', true));
  const slow = await begin(roomOf('other customer', false));
  paying.leave();
  slow.resume();
  expect(slow.hasEnded).toBe(true);
  expect(slow.events.at(-1)!.data.reason).toBe('slow_reader');
});
