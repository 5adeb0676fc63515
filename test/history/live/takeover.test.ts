// Two nodes follow one feed, but publish it at different instants and in different batches; their clocks
// differ, and the source rounds its times. The leader dies and the other node continues the tape. Every
// change after the last one on the tape is added once, and answers already given about the past stay the
// same.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { encodeId } from '../../../src/domain/ids.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { TapeFollower } from '../../../src/history/live/tape-follower.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { readTape, tapeIn } from '../tape-folder.ts';
import {
  asModel,
  EVENT_NUMBERS,
  FIXTURES,
  KEYS,
  lineOf,
  type ModelTick,
  nameOf,
  stateText,
  TapeWorld,
} from '../tape-world.ts';

const COARSE_MS = 12;
/** How old a price is when a node reads it. */
const SOURCE_BEHIND_MS = 400;

const message = fc.record({
  act: fc.constantFrom('quote', 'quote', 'quote', 'quote', 'close', 'remove', 'put', 'live'),
  event: fc.integer({ min: 1, max: FIXTURES }),
  key: fc.constantFrom(...KEYS),
  price: fc.integer({ min: 10_100, max: 10_103 }),
  ...{ goals: fc.nat(2), reds: fc.nat(2), waitMs: fc.integer({ min: 8, max: 40 }) },
  /**
   * Whether the leader and its successor publish after this message, and whether the leader writes its log.
   */
  ends: fc.tuple(fc.boolean(), fc.boolean()),
  isDrained: fc.boolean(),
});
type Message = typeof message extends fc.Arbitrary<infer Value> ? Value : never;
const apartMs = fc.record({ lag: fc.nat(60), clock: fc.integer({ min: -30, max: 30 }) });

interface Change {
  readonly text: string;
  /** The number of the last message that led to the change. */
  readonly message: number;
}

/** A node. It keeps the message that led to each change that it published. */
class Node {
  readonly world: TapeWorld;
  /** The changes that this node published of each line, in order. */
  readonly published = new Map<string, Change[]>();
  readonly #touched = new Map<string, number>();
  /**
   * For each line, its text at the time when this node sent its whole slate to the tape, and how many of the
   * line's changes it had published before.
   */
  #sent: { readonly texts: Map<string, string>; readonly counts: Map<string, number> } | null = null;
  isTakingOver = false;

  constructor(world: TapeWorld) {
    this.world = world;
  }

  play(
    one: Message,
    { index, nowMs, isEnd }: { readonly index: number; readonly nowMs: number; readonly isEnd: boolean },
  ): void {
    const { world } = this;
    const { act, event, key, price } = one;
    const atMs = Math.floor(nowMs / COARSE_MS) * COARSE_MS - SOURCE_BEHIND_MS;
    if (act === 'quote') world.putQuote(event, key, price, 0, atMs);
    else if (act === 'close') world.closeQuote(event, key, atMs);
    else if (act === 'remove') world.remove(event);
    else if (act === 'live') world.setLive(event, true, { ...one, atMs });
    else world.putFixture(event, undefined, atMs);
    if (act === 'remove' || act === 'live' || act === 'put')
      this.#touched.set(encodeId('event', event), index);
    const keys = act === 'remove' ? KEYS : act === 'quote' || act === 'close' ? [key] : [];
    for (const each of keys) this.#touched.set(nameOf(lineOf(event, each)), index);
    if (isEnd) this.publish();
  }

  publish(): void {
    const from = this.world.published.length;
    this.world.publish();
    this.world.settle(1);
    const { published, states } = this.world;
    for (const tick of published.slice(from)) this.#note(nameOf(tick), textOf(tick));
    for (const [eventId, all] of states) {
      const seen = this.published.get(eventId)?.length ?? 0;
      for (const state of all.slice(seen)) this.#note(eventId, stateOf(state));
    }
    if (!this.isTakingOver || this.#sent !== null) return;
    this.#sent = {
      texts: new Map([
        ...this.world.shownLines().map((line) => [nameOf(line), textOf(line)] as const),
        ...Array.from(this.#listed(), ([eventId, all]) => [eventId, stateOf(all.at(-1)!)] as const),
      ]),
      counts: new Map(Array.from(this.published, ([name, own]) => [name, own.length])),
    };
  }

  isOnSlate(eventId: string): boolean {
    return this.#listed().some(([listed]) => listed === eventId);
  }

  /** The states of the fixtures on the slate. */
  #listed(): [string, string[]][] {
    const listed = [...this.world.listed.values()].at(-1)!.map((each) => each.slice(0, each.indexOf(' ')));
    return [...this.world.states].filter(([eventId]) => listed.includes(eventId));
  }

  #note(name: string, text: string): void {
    const own = this.published.get(name) ?? [];
    own.push({ text, message: this.#touched.get(name) ?? NONE });
    this.published.set(name, own);
  }

  /**
   * Returns what must follow on the tape after another node's last change of a line: the changes of later
   * messages. If this node sends its whole slate, the tape must show that slate, even if this node is behind.
   */
  after(name: string, last: Change | undefined): string[] {
    const own = this.published.get(name) ?? [];
    const { texts, counts } = this.#sent!;
    const sentAt = counts.get(name) ?? 0;
    const changes = [
      ...own.slice(0, sentAt).filter((change) => change.message > (last?.message ?? NONE - 1)),
      ...(texts.has(name) || isLine(name) ? [{ text: texts.get(name) ?? WITHDRAWN }] : []),
      ...own.slice(sentAt),
    ];
    const found: string[] = [];
    let text = last?.text ?? WITHDRAWN;
    for (const change of changes) {
      if (change.text === text) continue;
      text = change.text;
      found.push(text);
    }
    return found;
  }
}

const WITHDRAWN = 'withdrawn ';
/** The number of the message for changes before the first message. */
const NONE = -1;

function isLine(name: string): boolean {
  return name.includes(' ');
}

function stateOf(state: string): string {
  return state.slice(state.indexOf(' ') + 1);
}

function textOf({ status, prices }: Pick<ModelTick, 'status' | 'prices'>): string {
  return `${status} ${prices.split(',')[0]}`;
}

/** What the folder holds of each line, and its answers about some instants before its end. */
async function folderOf(path: string, instants: readonly number[]) {
  const lines = new Map<string, { readonly text: string; readonly receivedAtMs: number }[]>();
  for (const tick of (await readTape(path)).ticks) {
    const name = nameOf(tick);
    const { home, over } = tick.pricesE4;
    const text = `${tick.status} ${home ?? over ?? ''}`;
    lines.set(name, [...(lines.get(name) ?? []), { text, receivedAtMs: tick.receivedAtMs }]);
  }
  const follower = new TapeFollower(new LocalFolder(path));
  const settledAtMs = await follower.catchUp();
  const tape = tapeIn(new LocalFolder(path), follower);
  const slates: unknown[] = [];
  for (let event = 1; event <= FIXTURES; event++) {
    const eventId = encodeId('event', event);
    const states = await tape.statesOf(eventId, { fromMs: 0, toMs: Number.POSITIVE_INFINITY });
    lines.set(
      eventId,
      states.map((state) => ({ text: stateText(state), receivedAtMs: state.atMs })),
    );
  }
  for (const atMs of instants.filter((instant) => instant < settledAtMs)) {
    const slate = [...(await tape.slateAt(atMs, 'all')).fixtures()];
    slates.push(slate.flatMap(({ standing }) => standing.map(asModel)).sort());
  }
  tape.close();
  return { lines, settledAtMs, slates };
}

test('a takeover by a node that publishes at other instants loses and doubles no tick', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 5, maxLength: 60 }),
      fc.nat(59),
      fc.nat(10),
      fc.tuple(apartMs, apartMs),
      fc.boolean(),
      async (messages, diesAt, takesOverAfter, apart, isOld) => {
        using folder = temporaryFolder();
        const options = { path: folder.path, ringRecords: 1_024, liveTicksMax: 10 };
        await using former = new TapeWorld(options);
        await using next = new TapeWorld({ ...options, number: 100 });
        await former.start();
        next.startSlate();
        const [leader, heir] = [new Node(former), new Node(next)];
        for (const { world } of [leader, heir]) {
          for (const event of EVENT_NUMBERS) world.putFixture(event);
          world.feedIsBack();
        }
        await former.tape.step();
        // The successor completed its slate long ago, so its ring no longer holds the beginning of that
        // slate.
        for (const { world } of [leader, heir]) world.settle(isOld ? 60_000 : 500);
        await former.tape.step();
        next.trim();
        let feedMs = former.nowMs + 100;
        const instants: number[] = [];
        const sent = messages.map((one) => {
          feedMs += one.waitMs;
          instants.push(feedMs);
          return { one, atMs: feedMs };
        });
        const play = ([index, { one, atMs }]: [number, { one: Message; atMs: number }], of: 0 | 1): void => {
          const node = of === 0 ? leader : heir;
          const { lag, clock } = apart[of];
          node.world.nowMs = Math.max(node.world.nowMs, atMs + lag + clock);
          node.play(one, { index, nowMs: atMs, isEnd: one.ends[of] });
        };
        const indexed = [...sent.entries()];
        for (const each of indexed.slice(0, diesAt)) {
          play(each, 0);
          if (each[1].one.isDrained) await former.tape.step();
        }
        await former.die();
        const before = await folderOf(folder.path, instants);
        const takesOverAt = Math.max(0, Math.min(diesAt, messages.length) + takesOverAfter);
        for (const each of indexed.slice(0, takesOverAt)) play(each, 1);
        heir.publish(); // the lease ends only after the successor has published all messages until then
        await next.takeOver();
        heir.isTakingOver = true;
        for (const each of indexed.slice(takesOverAt)) {
          play(each, 1);
          if (each[1].one.isDrained) await next.tape.step();
        }
        heir.publish();
        for (let round = 0; round < 3; round++) {
          next.settle();
          await next.tape.sealed();
        }
        expect(next.tape.gaps()).toEqual([]);
        const after = await folderOf(folder.path, instants);
        expect(after.slates.slice(0, before.slates.length)).toEqual(before.slates);
        for (const name of new Set([...leader.published.keys(), ...heir.published.keys()])) {
          const written = before.lines.get(name) ?? [];
          const wanted = (leader.published.get(name) ?? []).slice(0, written.length);
          expect(written.map(({ text }) => text)).toEqual(wanted.map(({ text }) => text));
          const found = after.lines.get(name) ?? [];
          const added = found.slice(written.length).map(({ text }) => text);
          const expected = heir.after(name, wanted.at(-1));
          if (isLine(name)) expect(added).toEqual(expected);
          // The former leader may have written that a fixture left, after states that its successor never
          // published.
          else if (heir.isOnSlate(name))
            expect(found.at(-1)?.text).toBe((expected.at(-1) ?? wanted.at(-1)?.text)!);
          const stamps = found.slice(written.length).map(({ receivedAtMs }) => receivedAtMs);
          const possible = stamps.map((atMs) => Math.max(atMs, before.settledAtMs));
          expect(stamps).toEqual(possible.sort((first, second) => first - second));
        }
      },
    ),
    { numRuns: 20, endOnFailure: true },
  );
});
