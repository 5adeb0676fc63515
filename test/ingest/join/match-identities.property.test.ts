// Two nodes follow the same two sources, each in its own order, and the sources use one key for different
// matches. By the time the standby leads, it gives every match the same id as the leader.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { JoinedIdentities } from '../../../src/archive/joined-identities.ts';
import { LeaderFixtures } from '../../../src/replication/leader-fixtures.ts';
import { SlateChanges } from '../../../src/store/find-changes.ts';
import { quoteWire, removeWire, type WireMessage } from '../../feed/wire.ts';
import { untilMet } from '../../support/until-met.ts';
import { JoinDesk, matchWire } from './join-desk.ts';

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
/** The sources whose messages are sent next, while both have messages left. */
const order = fc.array(fc.nat(1), { maxLength: 16 });

/** A node that hears both sources. */
class Hearer {
  readonly desk: JoinDesk;

  constructor(options: Pick<ConstructorParameters<typeof JoinDesk>[0], 'identities' | 'leaderFixtures'>) {
    this.desk = new JoinDesk({ bookmakers: BOOKS.map((book) => [book]), ...options });
    this.desk.pass(0);
  }

  snapshot(source: number, matches: Iterable<number>): void {
    this.desk.snapshot(source, ...Array.from(matches, (match) => wiresOf(source, match)).flat());
  }

  hear(source: number, { match, isThere }: Saying): void {
    this.desk.say(source, ...(isThere ? wiresOf(source, match) : [removeWire(0, keyOf(source, match))]));
  }

  /** Applies all of these messages of both sources, in this order while both have some left. */
  hearAll(said: readonly (readonly Saying[])[], order: readonly number[], afterEach: () => void): void {
    const left = said.map((each) => [...each]);
    for (const source of [...order, ...left[0]!.map(() => 0), ...left[1]!.map(() => 1)]) {
      const saying = left[source]!.shift();
      if (saying === undefined) continue;
      this.hear(source, saying);
      afterEach();
    }
  }
}

/** The key of a match at a source. The two sources use one key for different matches. */
function keyOf(source: number, match: number): string {
  return `key-${(match + source) % 3}`;
}

function wiresOf(source: number, match: number): WireMessage[] {
  const event = keyOf(source, match);
  const price = { bookmaker: BOOKS[source], line: 0.5, prices: [1.5 + match / 10, 2.5] };
  return [matchWire(source, event, TEAMS[source]![match]!), quoteWire(0, event, price)];
}

function presentAfter(said: readonly Saying[]): ReadonlySet<number> {
  const present = new Set<number>();
  for (const { match, isThere } of said) isThere ? present.add(match) : present.delete(match);
  return present;
}

test('by the time a standby leads, it gives each match the same id as the leader did', async () => {
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
      // The standby started later, so the first messages that it gets are the sources' snapshots.
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
      // Later messages must apply to the right match.
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
