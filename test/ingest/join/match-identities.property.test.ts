// Two nodes follow the same two sources, each in its own order, and the sources use one key for different
// matches. By the time the standby leads, it gives every match the same id as the leader.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { JoinedIdentities } from '../../../src/archive/joined-identities.ts';
import { LeaderFixtures } from '../../../src/replication/leader-fixtures.ts';
import { SlateChanges } from '../../../src/store/find-changes.ts';
import { eventWire, helloWire, markWire, quoteWire, removeWire, type WireMessage } from '../../feed/wire.ts';
import { untilMet } from '../../support/until-met.ts';
import { JoinDesk } from './join-desk.ts';

const BOOKS = ['crown', 'pinnacle'];
/** The second source has home and away exchanged in the second match. */
const TEAMS = [
  [
    ['Arsenal', 'Chelsea'],
    ['Liverpool', 'Everton'],
    ['Leeds United', 'Fulham'],
  ],
  [
    ['Arsenal FC', 'Chelsea FC'],
    ['Everton FC', 'Liverpool FC'],
    ['Leeds United FC', 'Fulham FC'],
  ],
] as const;

/** A message of a source about one of its matches: the match is there, or it has gone. */
interface Saying {
  readonly match: number;
  readonly isThere: boolean;
}

const sayings = fc.array(fc.record({ match: fc.nat(2), isThere: fc.boolean() }), { maxLength: 8 });
/** Which source is read next, as long as both have messages left. */
const order = fc.array(fc.nat(1), { maxLength: 16 });

/** A node, and what it has read of each source. */
class Hearer {
  readonly desk: JoinDesk;
  readonly #seqs = [0, 0];

  constructor(options: Pick<ConstructorParameters<typeof JoinDesk>[0], 'identities' | 'leaderFixtures'>) {
    this.desk = new JoinDesk({ bookmakers: BOOKS.map((book) => [book]), ...options });
    this.desk.pass(0);
  }

  snapshot(source: number, matches: Iterable<number>): void {
    this.#send(source, helloWire({ epoch: 'e' }), markWire('snapshot_begin', 0));
    for (const match of matches) this.hear(source, { match, isThere: true });
    this.#send(source, markWire('snapshot_end', 0));
  }

  hear(source: number, { match, isThere }: Saying): void {
    // One key names different matches at the two sources.
    const event = `key-${(match + source) % 3}`;
    if (!isThere) {
      this.#send(source, removeWire(0, event));
      return;
    }
    const [home, away] = TEAMS[source]![match]!;
    this.#send(
      source,
      eventWire(0, event, {
        league: { key: `${source}`, name: 'English Premier League' },
        home: { key: `${source} ${home}`, name: home },
        away: { key: `${source} ${away}`, name: away },
      }),
      quoteWire(0, event, { bookmaker: BOOKS[source], line: 0.5, prices: [1.5 + match / 10, 2.5] }),
    );
  }

  /** All messages of both sources from some point on, in an order. */
  hearAll(said: readonly (readonly Saying[])[], order: readonly number[], afterEach: () => void): void {
    const left = said.map((each) => [...each]);
    for (const source of [...order, ...left[0]!.map(() => 0), ...left[1]!.map(() => 1)]) {
      const saying = left[source]!.shift();
      if (saying === undefined) continue;
      this.hear(source, saying);
      afterEach();
    }
  }

  #send(source: number, ...wires: readonly WireMessage[]): void {
    for (const wire of wires) {
      const seq = ++this.#seqs[source]!;
      this.desk.send(source, { ...wire, seq });
    }
  }
}

function presentAfter(said: readonly Saying[]): ReadonlySet<number> {
  const present = new Set<number>();
  for (const { match, isThere } of said) isThere ? present.add(match) : present.delete(match);
  return present;
}

test('by the time a standby leads, it names each match as the leader did', async () => {
  let renamedRuns = 0;
  const property = fc.property(
    fc.tuple(sayings, sayings),
    fc.tuple(order, order),
    fc.tuple(fc.nat(8), fc.nat(8)),
    fc.boolean(),
    (said, [leaderOrder, standbyOrder], missed, isFollowedLive) => {
      const standbyIdentities = new JoinedIdentities();
      const leaderFixtures = new LeaderFixtures();
      const leaderIdentities = new JoinedIdentities({
        write: (changes) => standbyIdentities.adopt(changes),
      });
      const leader = new Hearer({ identities: leaderIdentities });
      // The standby started later, so its first messages are those of the sources' snapshots.
      const standby = new Hearer({ identities: standbyIdentities, leaderFixtures });
      const changes = new SlateChanges(leader.desk.buffer);
      const publish = (): void => {
        leader.desk.pass(0);
        leaderFixtures.apply(changes.take()!);
      };
      for (const source of [0, 1]) {
        leader.snapshot(source, []);
        standby.snapshot(source, presentAfter(said[source]!.slice(0, missed[source])));
      }
      leader.hearAll(said, leaderOrder, () => {
        if (isFollowedLive) publish();
      });
      standby.hearAll(
        said.map((each, source) => each.slice(missed[source])),
        standbyOrder,
        () => standby.desk.pass(0),
      );
      publish();
      void leaderIdentities.flush(leader.desk.nowMs);
      const before = Object.keys(standby.desk.slate()).sort();
      standby.desk.joint.takeLeaderNames();
      const wanted = leader.desk.slate();
      if (!Bun.deepEquals(before, Object.keys(wanted).sort())) renamedRuns++;
      expect(standby.desk.slate()).toEqual(wanted);
      // Later messages apply to the right match.
      leaderFixtures.clear();
      for (const source of [0, 1]) {
        for (const match of presentAfter(said[source]!)) {
          leader.hear(source, { match, isThere: true });
          standby.hear(source, { match, isThere: true });
        }
      }
      for (const { desk } of [leader, standby]) desk.pass(0);
      expect(standby.desk.slate()).toEqual(leader.desk.slate());
    },
  );
  await untilMet(
    () => fc.assert(property, { numRuns: 60 }),
    () => renamedRuns > 2,
  );
  expect(renamedRuns).toBeGreaterThan(2);
});
