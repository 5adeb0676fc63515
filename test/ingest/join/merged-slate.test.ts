// One slate of several sources, case by case: whose id a match has and keeps, whose state it shows, which
// sources receive the score, and what a follower or a new worker gets.

import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import {
  IdentityStore,
  JOINED_IDENTITIES_SCHEMA,
  JoinedIdentities,
} from '../../../src/archive/joined-identities.ts';
import { toWire } from '../../../src/feed/to-wire.ts';
import { sqliteSql } from '../../../src/storage/sqlite-sql.ts';
import {
  heartbeatWire,
  helloWire,
  liquidityWire,
  markWire,
  quoteWire,
  removeWire,
  resultWire,
  stateWire,
  type WireMessage,
} from '../../feed/wire.ts';
import { dumpSlate } from '../../support/slate-dump.ts';
import { IngestDesk, ROOMY } from '../ingest-desk.ts';
import { JoinDesk, matchWire, NOW_MS } from './join-desk.ts';

const BOOKS = [['crown'], ['pinnacle']];
const ARSENAL = ['Arsenal', 'Chelsea'] as const;
const ARSENAL_FC = ['Arsenal FC', 'Chelsea FC'] as const;
const TURNED = ['Chelsea FC', 'Arsenal FC'] as const;

function match(source: number, teams: readonly [string, string], fields: WireMessage = {}): WireMessage {
  return matchWire(source, `of-${source}`, teams, fields);
}

function deskOf(options: Partial<ConstructorParameters<typeof JoinDesk>[0]> = {}): JoinDesk {
  return new JoinDesk({ bookmakers: BOOKS, ...options });
}

const keys = (desk: JoinDesk): string[] => Object.keys(desk.slate()).sort();

test('a reader that finds the slate complete also finds its matches', () => {
  const feeds = deskOf();
  const complete = feeds.writer.setSnapshotComplete.bind(feeds.writer);
  const seen: (readonly string[])[] = [];
  feeds.writer.setSnapshotComplete = () => {
    complete();
    seen.push(keys(feeds));
  };
  feeds.snapshot(0, match(0, ARSENAL));
  feeds.snapshot(1, match(1, ARSENAL_FC));
  expect(seen).toEqual([['of-0']]);
});

describe('the id of a match', () => {
  test('the id of a match follows the order of FEED at the start, whichever source answers first', () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const feeds = deskOf();
      for (const source of order) feeds.snapshot(source, match(source, source === 0 ? ARSENAL : TURNED));
      expect(feeds.slate()).toMatchObject({ 'of-0': { home: 'Arsenal', away: 'Chelsea' } });
    }
  });

  test('the id of a match comes from the source that sent it first, and stays when another source joins or one leaves', () => {
    const feeds = deskOf();
    feeds.snapshot(0);
    feeds.snapshot(1, match(1, TURNED));
    expect(keys(feeds)).toEqual(['of-1']);
    feeds.say(0, match(0, ARSENAL), quoteWire(0, 'of-0'));
    expect(feeds.slate()).toMatchObject({
      'of-1': {
        home: 'Chelsea FC',
        quotes: { 'crown|asian_handicap|full_time|0.75': { pricesE4: [19_700, 19_500, 0] } },
      },
    });
    feeds.say(1, removeWire(0, 'of-1'));
    expect(feeds.slate()).toMatchObject({
      'of-1': { home: 'Chelsea FC', quotes: { 'crown|asian_handicap|full_time|0.75': {} } },
    });
    feeds.say(1, match(1, TURNED));
    feeds.say(0, removeWire(0, 'of-0'));
    expect(keys(feeds)).toEqual(['of-1']);
    feeds.say(1, removeWire(0, 'of-1'));
    expect(keys(feeds)).toEqual([]);
  });

  test('the id of a match survives a restart, whichever source sends the match then', async () => {
    const database = new Database(':memory:', { strict: true });
    database.run(JOINED_IDENTITIES_SCHEMA);
    const first = await keptIn(database);
    const feeds = deskOf({ identities: first });
    feeds.snapshot(0);
    feeds.snapshot(1, match(1, TURNED));
    feeds.say(0, match(0, ARSENAL));
    await first.flush(NOW_MS);
    const after = deskOf({ identities: await keptIn(database) });
    after.snapshot(0, match(0, ARSENAL));
    after.snapshot(1);
    expect(after.slate()).toMatchObject({ 'of-1': { home: 'Chelsea FC', away: 'Arsenal FC' } });
    // Another match with the same key is not joined.
    const other = deskOf({ identities: await keptIn(database) });
    other.snapshot(0, match(0, ['Leeds United', 'Fulham']));
    other.snapshot(1);
    expect(keys(other)).toEqual(['of-0']);
  });

  test('when two matches turn out to be one, its id comes from the first source in FEED', () => {
    const feeds = deskOf();
    feeds.snapshot(0, match(0, ARSENAL));
    feeds.snapshot(
      1,
      match(1, ARSENAL_FC, { scheduled_at: '2026-03-01T19:00:00Z' }),
      quoteWire(0, 'of-1', { bookmaker: 'pinnacle' }),
    );
    expect(keys(feeds)).toEqual(['of-0', 'of-1']);
    feeds.say(1, match(1, ARSENAL_FC));
    expect(feeds.slate()).toMatchObject({
      'of-0': { quotes: { 'pinnacle|asian_handicap|full_time|-0.75': {} } },
    });
    expect(keys(feeds)).toEqual(['of-0']);
    // A changed kickoff does not end a join; changed teams do.
    feeds.say(1, match(1, ARSENAL_FC, { scheduled_at: '2026-03-02T19:00:00Z' }));
    expect(keys(feeds)).toEqual(['of-0']);
    feeds.say(1, match(1, ['Leeds United', 'Fulham']));
    expect(keys(feeds)).toEqual(['of-0', 'of-1']);
    expect(feeds.slate()['of-0']!.quotes).toEqual({});
  });

  test('if two sources use the same key for different matches, the slate has both matches', () => {
    const feeds = deskOf();
    feeds.snapshot(0, { ...match(0, ARSENAL), event: 'x' });
    feeds.snapshot(1, { ...match(1, ['Leeds United', 'Fulham']), event: 'x' });
    expect(keys(feeds)).toEqual(['source-1/x', 'x']);
  });
});

describe('the state of a match', () => {
  function joined(): JoinDesk {
    const feeds = deskOf();
    feeds.snapshot(0, match(0, ARSENAL));
    feeds.snapshot(1, match(1, TURNED));
    return feeds;
  }
  const state = (source: number, fields: WireMessage): WireMessage => stateWire(0, `of-${source}`, fields);

  test('each part of the state comes from the first source that has it, with the sides in the slate’s order', () => {
    const feeds = joined();
    feeds.say(1, state(1, { score: [2, 1], cards: [1, 0], clock: '1h 30' }));
    expect(feeds.slate()['of-0']).toMatchObject({
      status: 'live',
      score: [1, 2],
      cards: [0, 1],
      clock: '1h 30',
    });
    feeds.say(0, state(0, { status: 'live', score: [3, 2], cards: null, clock: null }));
    expect(feeds.slate()['of-0']).toMatchObject({ score: [3, 2], cards: [0, 1], clock: '1h 30' });
    feeds.say(1, state(1, { score: [9, 9], cards: [1, 2], clock: '1h 31', at: '2026-03-01T12:00:01.000Z' }));
    expect(feeds.slate()['of-0']).toMatchObject({ score: [3, 2], cards: [2, 1], clock: '1h 31' });
  });

  test('the state comes from another live source while the first source is lost, and from the first one again afterwards', () => {
    const feeds = joined();
    const at = (ms: number) => ({ at: new Date(NOW_MS + ms).toISOString() });
    feeds.say(0, state(0, { score: [1, 0], clock: '1h 10' }), heartbeatWire(0));
    feeds.say(1, state(1, { score: [0, 2], clock: '1h 12' }));
    feeds.pass(61_000);
    feeds.say(1, heartbeatWire(0, at(61_000)));
    feeds.pass(1_000);
    expect(feeds.slate()['of-0']).toMatchObject({ score: [2, 0], clock: '1h 12' });
    feeds.say(0, heartbeatWire(0, at(62_000)));
    expect(feeds.slate()['of-0']).toMatchObject({ score: [1, 0], clock: '1h 10' });
  });

  test('each new score is sent once to a source that has no scores, with home and away as that source has them', () => {
    const feeds = joined();
    feeds.say(1, state(1, { status: 'live', score: null, cards: null, clock: null }));
    feeds.say(
      0,
      state(0, { score: [1, 0] }),
      state(0, { score: [1, 0], clock: '1h 13' }),
      state(0, { score: [2, 0] }),
    );
    expect(feeds.scoresSent).toEqual([
      [1, 'of-1', [0, 1]],
      [1, 'of-1', [0, 2]],
    ]);
    // With its new epoch the source has forgotten the scores that it received.
    feeds.snapshot(1, match(1, TURNED));
    expect(feeds.scoresSent).toHaveLength(3);
  });

  test('liquidity gets the sides and the id of the match on the slate, and is sent again when the match is regrouped', () => {
    const desk = deskOf();
    desk.snapshot(0, match(0, ARSENAL));
    desk.snapshot(1, match(1, TURNED));
    desk.say(1, liquidityWire(0, 'of-1', { bookmaker: 'pinnacle' }), liquidityWire(0, 'of-1'));
    const { eventNumber } = [...desk.applier.fixtures.records()][0]!;
    // A row of a bookmaker that does not belong to the source is refused. Home and away are exchanged; over
    // and under are not.
    const [exchange, ...others] = desk.reader.liquidityOf(eventNumber);
    expect(others).toEqual([]);
    expect(exchange!.rows.map(({ sizes }) => sizes)).toEqual([
      [0, 80, 120.5],
      [33, 12.25],
    ]);
    // A follower that connects now receives the liquidity with the fixture.
    const [record] = [...desk.applier.fixtures.records()];
    const wires = desk.outlet.fixture(record!.message.event);
    const { event } = record!.message;
    const { rows } = liquidityWire(0) as { rows: { sizes: number[] }[] };
    expect(wires.filter(({ type }) => type === 'liquidity')).toEqual([
      expect.objectContaining({
        event,
        bookmaker: 'pinnacle',
        currency: 'USD',
        rows: [{ ...rows[0]!, sizes: [0, 80, 120.5] }, rows[1]!],
      }),
    ]);
    desk.say(0, removeWire(0, 'of-0'));
    desk.snapshot(0, match(0, ARSENAL));
    expect(desk.reader.liquidityOf([...desk.applier.fixtures.records()][0]!.eventNumber)).toHaveLength(1);
  });

  test('a result has the sides of the match on the slate', () => {
    const feeds = joined();
    feeds.say(1, resultWire(0, 'of-1', { finished_at: '2026-03-01T11:50:00Z' }));
    expect(feeds.slate()['of-0']).toMatchObject({ status: 'finished', score: [1, 2], cards: [1, 0] });
  });
});

test('a source may quote only its own bookmakers', () => {
  const feeds = deskOf();
  feeds.snapshot(0, match(0, ARSENAL), quoteWire(0, 'of-0', { bookmaker: 'pinnacle' }), quoteWire(0, 'of-0'));
  feeds.snapshot(1);
  expect(Object.keys(feeds.slate()['of-0']!.quotes)).toEqual(['crown|asian_handicap|full_time|-0.75']);
  expect(feeds.reader.counters().rejected_other_source).toBe(1);
});

test('the fixtures of three sources make one match; two fixtures of one source, linked only by a third source, do not', () => {
  const feeds = deskOf({ bookmakers: [['crown'], ['pinnacle'], ['sbobet']] });
  feeds.snapshot(0, match(0, ARSENAL));
  feeds.snapshot(1, match(1, TURNED));
  feeds.snapshot(2, match(2, ARSENAL_FC));
  expect(keys(feeds)).toEqual(['of-0']);
  feeds.say(2, { ...match(2, ARSENAL), event: 'twice' });
  expect(keys(feeds)).toEqual(['of-0', 'of-2', 'twice']);
});

test('a follower of the joined slate has the same slate in the end', () => {
  const feeds = deskOf();
  feeds.snapshot(0, match(0, ARSENAL), quoteWire(0, 'of-0'));
  feeds.snapshot(1, match(1, TURNED), quoteWire(0, 'of-1', { bookmaker: 'pinnacle' }));
  feeds.say(0, stateWire(0, 'of-0', { score: [1, 0] }), heartbeatWire(0));
  feeds.pass(61_000);
  feeds.say(1, heartbeatWire(0, { at: new Date(feeds.nowMs).toISOString() }));
  feeds.pass(300_000);
  feeds.say(1, removeWire(0, 'of-1'));
  const follower = new IngestDesk({ capacity: ROOMY });
  follower.nowMs = feeds.nowMs;
  const followed = feeds.followed.map((message, index) => ({ ...toWire(message), seq: index + 3 }));
  follower.send(helloWire(), markWire('snapshot_begin', 1), markWire('snapshot_end', 2), ...followed);
  expect(dumpSlate(follower.buffer)).toEqual(dumpSlate(feeds.buffer));
});

test('a worker that replaces a dead one removes the fixtures that no source sends any more', () => {
  const before = deskOf();
  before.snapshot(0, match(0, ARSENAL), quoteWire(0, 'of-0'));
  before.snapshot(1, match(1, ['Leeds United', 'Fulham']));
  const after = deskOf({ buffer: before.buffer });
  after.snapshot(0, match(0, ARSENAL));
  after.snapshot(1);
  after.pass(1_000);
  expect(after.slate()).toMatchObject({ 'of-0': { quotes: {} } });
  expect(keys(after)).toEqual(['of-0']);
});

/** The identities that a restarted server reads from its file. */
async function keptIn(database: Database): Promise<JoinedIdentities> {
  const store = new IdentityStore(sqliteSql(database), () => true);
  const identities = new JoinedIdentities(store);
  identities.adopt(await store.read());
  return identities;
}
