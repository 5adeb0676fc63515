// A store that follows another one. Whatever the leader's writer did, and however many batches lie between
// two changes, the follower has the same content, column by column, including versions and departures. The
// same holds for a follower that starts late, lags behind, or meets another epoch.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { pack, unpack } from 'msgpackr';
import { STATUS_SCHEDULED } from '../../../src/domain/catalogue.ts';
import { departuresSince } from '../../../src/store/departures.ts';
import { SlateChanges } from '../../../src/store/find-changes.ts';
import { attachStore, createStore } from '../../../src/store/layout.ts';
import { packQuoteKey } from '../../../src/store/quote-key.ts';
import { SlateReader } from '../../../src/store/reader.ts';
import type { SlateChange } from '../../../src/store/slate-change.ts';
import { DivergedError } from '../../../src/store/writer/follower-page.ts';
import { ReplicaWriter } from '../../../src/store/writer/replica-writer.ts';
import { SlateWriter } from '../../../src/store/writer/writer.ts';
import { runs } from '../../support/runs.ts';
import { dumpColumns } from '../column-dump.ts';
import { fixtureOf, SMALL, smallStore } from '../small-store.ts';

const NOW_MS = 5_000;
const EPOCH_MS = 1_000;

const event = fc.integer({ min: 1, max: 6 });
const key = fc
  .tuple(fc.nat(2), fc.nat(2), fc.nat(3))
  .map(([market, line, book]) => packQuoteKey(market, 0, line, book));
const atMs = fc.integer({ min: 0, max: 20 });
const operation = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constant('fixture' as const), event, atMs, fc.constantFrom('', ' FC')),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constant('state' as const), event, atMs, fc.constantFrom(null, "1'", 'HT')),
  },
  {
    weight: 12,
    arbitrary: fc.tuple(fc.constant('quote' as const), event, atMs, key, fc.nat(90_000), fc.nat(1)),
  },
  { weight: 3, arbitrary: fc.tuple(fc.constant('close' as const), event, atMs, key) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('opening' as const), event, atMs, key) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('remove' as const), event) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constant('liquidity' as const), event, atMs, fc.nat(2), fc.nat(3)),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constant('forget' as const), event) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('status' as const), fc.integer({ min: 0, max: 20_000_000 })) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('heartbeat' as const), atMs) },
  { weight: 5, arbitrary: fc.tuple(fc.constant('publish' as const)) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('send' as const)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('join' as const)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('lag' as const)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('epoch' as const)) },
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

describe('a store that follows another store', () => {
  test('a follower has the same content after every change, whichever changes it received', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 120, size: 'max' }), (operations) => {
        const pair = new Pair();
        for (const one of operations) pair.perform(one);
        pair.perform(['publish']);
        pair.perform(['send']);
        pair.expectSame();
      }),
      { numRuns: runs(150) },
    );
  });

  test('a follower refuses a change that does not continue the slate that it has', () => {
    const pair = new Pair();
    pair.perform(['fixture', 1, 0, '']);
    pair.perform(['publish']);
    const stranger = new ReplicaWriter(smallStore());
    pair.perform(['send']);
    pair.perform(['quote', 1, 1, packQuoteKey(0, 0, 0, 0), 20_000, 1]);
    pair.perform(['publish']);
    const change = throughWire(pair.changes.take()!);
    expect(() => stranger.apply(change)).toThrow(DivergedError);
    pair.follower.apply(change);
    expect(() => pair.follower.apply({ ...change, version: 1 })).toThrow(DivergedError);
  });

  test('a follower starts again if it needs departures from before it began to follow', () => {
    const follower = smallStore();
    const slate = {
      ...EMPTY,
      version: 65_536 * 9,
      epochMs: EPOCH_MS,
      firstVersion: 65_536,
      departuresMissing: true,
    };
    new ReplicaWriter(follower).replace(slate, []);
    expect(departuresSince(attachStore(follower), 65_536, 1)).toBeNull();
    expect(new SlateReader(follower).instant(65_536)?.departures).toBeNull();
  });
});

const EMPTY: SlateChange = {
  version: 0,
  atMs: 0,
  fixtures: [],
  removed: [],
  departures: [],
  liquidity: [],
  feed: null,
  reports: null,
};

/** A leader's store and that of its follower, to which every change goes as MessagePack. */
class Pair {
  readonly leaderStore = smallStore();
  readonly writer = new SlateWriter(this.leaderStore);
  readonly changes = new SlateChanges(this.leaderStore);
  followerStore = createStore(EPOCH_MS, SMALL);
  follower = new ReplicaWriter(this.followerStore);
  #epochMs = EPOCH_MS;
  #base = 0;

  perform(operation: Operation): void {
    const { writer } = this;
    if (operation[0] === 'publish') writer.publish(NOW_MS);
    else if (operation[0] === 'send') this.#send();
    else if (operation[0] === 'join') this.#join(createStore(1, SMALL));
    else if (operation[0] === 'lag') this.#join(this.followerStore);
    else if (operation[0] === 'epoch') this.#beginEpoch();
    else if (operation[0] === 'status') writer.updateStatuses(operation[1]);
    else if (operation[0] === 'heartbeat') writer.facts.setHeartbeatAt(operation[1]);
    else this.#ofFixture(operation);
  }

  #ofFixture(operation: Extract<Operation, readonly [string, number, ...unknown[]]>): void {
    const { writer } = this;
    const slot = writer.slotOf(operation[1]);
    if (operation[0] === 'forget') writer.facts.liquidity.remove(operation[1]);
    if (operation[0] === 'liquidity') {
      const [, event, atMs, bookmaker, rowCount] = operation;
      const matched = atMs % 2 === 0 ? atMs : null;
      const rows = Array.from({ length: rowCount }, (_, key) => ({
        quoteKey: key,
        sizes: [atMs, 0.5],
        matched,
      }));
      writer.facts.liquidity.put(event, { bookmaker, currency: 'USD', atMs, rows });
    }
    if (operation[0] === 'fixture') writer.putFixture(fixtureOf(operation[1], operation[2], operation[3]));
    else if (slot < 0) return;
    else if (operation[0] === 'state') {
      const [, , atMs, clock] = operation;
      writer.putState(slot, {
        status: STATUS_SCHEDULED + (atMs % 3),
        clock,
        score: [atMs, 0],
        cards: null,
        atMs,
      });
    } else if (operation[0] === 'quote') {
      const [, , atMs, key, price, status] = operation;
      writer.quotes.putQuote(slot, key, price, price + 1, 0, status, atMs);
    } else if (operation[0] === 'close') writer.quotes.closeQuote(slot, operation[3], operation[2]);
    else if (operation[0] === 'remove') writer.removeFixture(slot);
    else if (operation[0] === 'opening') {
      const [, , openedAtMs, key] = operation;
      writer.putOpening(slot, { key, a: 1, b: 2, c: 3, openedAtMs, upstream: openedAtMs % 2 === 0 });
    }
  }

  #send(): void {
    const change = this.changes.take();
    if (change === null) return;
    this.follower.apply(throughWire(change));
    if (this.writer.isBetweenBatches) this.expectSame();
  }

  /** Loads the whole slate into the follower, as of the last change that was sent. */
  #join(store: SharedArrayBuffer): void {
    const changes = new SlateChanges(this.leaderStore);
    changes.begin(this.#base);
    const departed = new SlateChanges(this.leaderStore);
    const slate = changes.take();
    const departures = departed.take()?.departures ?? [];
    if (slate === null) return; // a batch is only partly published
    this.followerStore = store;
    this.follower = new ReplicaWriter(store);
    const fixtures = slate.fixtures.map((fixture) => ({ fixture: throughWire(fixture), base: slate }));
    const whole = { ...slate, fixtures: [], departures, ...this.#epoch() };
    this.follower.replace(throughWire(whole), fixtures);
    // The next change continues from this version.
    this.changes.begin(this.#base);
    this.changes.take();
  }

  #beginEpoch(): void {
    if (!this.writer.isBetweenBatches) return;
    this.#epochMs += 1;
    this.#base = this.writer.beginEpoch(this.#epochMs, this.follower.version, NOW_MS);
    this.changes.begin(this.#base);
    const slate = this.changes.take()!;
    const fixtures = slate.fixtures.map((fixture) => ({ fixture: throughWire(fixture), base: slate }));
    this.follower.replace({ ...slate, ...this.#epoch() }, fixtures);
  }

  #epoch() {
    return { epochMs: this.#epochMs, firstVersion: this.#base, departuresMissing: false };
  }

  expectSame(): void {
    expect(dumpColumns(this.followerStore, this.#base)).toEqual(dumpColumns(this.leaderStore, this.#base));
  }
}

function throughWire<Value>(value: Value): Value {
  return unpack(pack(value)) as Value;
}
