// Tags of GET /v1/odds: a tag stays valid until something in its view changes, whether it is sent alone or in
// a list.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  ALL_KEYS,
  ALL_STRANGERS,
  createSharesMemory,
  FairShares,
  type Holder,
} from '../../src/access/quotas/fair-shares.ts';
import { memoryShares } from '../../src/access/quotas/memory-budget.ts';
import type { Principal } from '../../src/domain/tiers.ts';
import type { Reply } from '../../src/http/kit/reply.ts';
import { SlateOddsAnswers } from '../../src/http/slate-odds-answers.ts';
import { OddsChangeReader } from '../../src/query/odds/odds-changes.ts';
import { OddsEncoder } from '../../src/query/odds/odds-encoder.ts';
import { oddsView } from '../../src/query/odds/odds-view.ts';
import { WholeSlates } from '../../src/query/odds/whole-slates.ts';
import { SlateCopier } from '../../src/query/slate/slate-copy.ts';
import { quoteWire } from '../feed/wire.ts';
import { fixtureWire, SlateDesk, WINDOWS } from '../query/slate-desk.ts';

const STANDARD: Principal = { tier: 'standard', seesSharp: true, keyId: 'key_1' };
const KICKOFF = '2026-03-01T15:00:00Z';

/** A view of one bookmaker. The slate also has quotes of other bookmakers. */
class Scene {
  readonly #desk = new SlateDesk();
  readonly #answers: SlateOddsAnswers;
  /** How long a caller without a key has to wait before it gets the whole slate. */
  waitMs = 0;
  /** How many slates were counted at the pace of callers without a key. */
  slates = 0;
  /** Called while a caller waits at that pace. */
  onWait: () => void = () => undefined;
  #price = 1;

  constructor() {
    this.#desk.snapshot(fixtureWire('e1', KICKOFF), quoteWire(0), quoteWire(0, 'e1', { bookmaker: 'macau' }));
    const { slate } = this.#desk;
    const { reader } = this.#desk.ingest;
    const encoder = new OddsEncoder(reader);
    const copier = new SlateCopier(reader);
    const oddsChanges = new OddsChangeReader({ reader, slate, copier, encoder, windows: WINDOWS });
    const wholeSlates = new WholeSlates({ changes: oddsChanges, clock: { monotonicMs: () => 0 } });
    const budget = new FairShares(createSharesMemory(memoryShares(64 * 1024 * 1024), 1, 0), 0);
    this.#answers = new SlateOddsAnswers({
      oddsChanges,
      wholeSlates,
      budget,
      slatePace: { slate: () => this.#wait() },
      clock: { wallMs: () => this.#desk.nowMs },
    });
  }

  async #wait(): Promise<void> {
    this.slates += 1;
    this.onWait();
    this.#desk.ingest.nowMs += this.waitMs;
  }

  move(bookmaker: 'crown' | 'macau'): void {
    this.#price += 0.01;
    this.#desk.send(quoteWire(0, 'e1', { bookmaker, prices: [this.#price, 2] }));
  }

  /**
   * Requests the slate with these tags. Returns the tag of the answer, and whether the answer has no body.
   * The kit sends an answer without a body as 304.
   */
  async ask(
    tags: readonly string[],
    holder: Holder = ALL_KEYS,
    since: string | null = null,
  ): Promise<{ readonly etag: string; readonly isUnchanged: boolean }> {
    const { etag, body } = await this.#reply(tags, holder, since);
    return { etag: etag!, isUnchanged: body === null };
  }

  async bodyOf(holder: Holder, since: string): Promise<{ readonly full: boolean }> {
    const { body } = await this.#reply([], holder, since);
    return JSON.parse(new TextDecoder().decode(body as Uint8Array)) as { full: boolean };
  }

  /** A new leader begins an epoch of versions, above all earlier ones. */
  beginEpoch(): void {
    const { writer, nowMs } = this.#desk.ingest;
    writer.beginEpoch(nowMs, 2 ** 40, nowMs);
  }

  #reply(tags: readonly string[], holder: Holder, since: string | null): Promise<Reply> {
    const { slate, nowMs } = this.#desk;
    const request = new Request('http://localhost/v1/odds');
    const view = oddsView(
      { slate, leagues: { idOf: () => '' } },
      { bookmakers: ['crown'] },
      { principal: STANDARD, nowMs },
    );
    const ifNoneMatch = tags.length === 0 ? null : tags.join(', ');
    return this.#answers.reply(view, since, { ifNoneMatch, nowMs, holder, request });
  }
}

test('an answer is 304 if the view has not changed since the answer of one of the tags sent', async () => {
  const bookmakers = fc.array(fc.constantFrom('crown' as const, 'macau' as const), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(bookmakers, fc.infiniteStream(fc.nat()), async (moved, order) => {
      const scene = new Scene();
      let known = [(await scene.ask([])).etag];
      let goodFrom = 0;
      for (const bookmaker of moved) {
        scene.move(bookmaker);
        if (bookmaker === 'crown') goodFrom = known.length;
        known = [...known, (await scene.ask([])).etag];
      }
      const sent = known.slice(0, -1).filter(() => order.next().value % 2 === 0);
      const mixed = sent
        .map((tag) => ({ tag, at: order.next().value }))
        .sort((left, right) => left.at - right.at)
        .map(({ tag }) => tag);
      const { isUnchanged } = await scene.ask(['"of-another"', ...mixed]);
      expect(isUnchanged).toBe(sent.some((tag) => known.indexOf(tag) >= goodFrom));
    }),
    { numRuns: 100 },
  );
});

test('if a caller without a key had to wait, its answer shows whether the slate is stale when the answer is made', async () => {
  const scene = new Scene();
  expect((await scene.ask([], ALL_STRANGERS)).etag).not.toContain('-stale');
  scene.waitMs = WINDOWS.prematchMs + 1_000;
  expect((await scene.ask([])).etag).not.toContain('-stale');
  expect((await scene.ask([], ALL_STRANGERS)).etag).toContain('-stale');
});

test('if much has changed since its cursor and since its tag, a caller without a key waits only once, as for a whole slate', async () => {
  const scene = new Scene();
  const { etag } = await scene.ask([]);
  const cursor = etag.slice('W/"'.length, -1);
  await scene.ask([etag], ALL_STRANGERS, cursor);
  expect(scene.slates).toBe(0);
  scene.move('crown');
  await scene.ask([etag], ALL_STRANGERS, cursor);
  expect(scene.slates).toBe(1);
  await scene.ask([], ALL_STRANGERS, cursor.replace(/-\d+-/, '-0-'));
  expect(scene.slates).toBe(2);
  await scene.ask([etag], ALL_KEYS, cursor);
  expect(scene.slates).toBe(2);
});

test('a caller that waited while a new epoch of versions began gets the whole view', async () => {
  const scene = new Scene();
  const { etag } = await scene.ask([]);
  const cursor = etag.slice('W/"'.length, -1);
  scene.move('crown');
  expect((await scene.bodyOf(ALL_STRANGERS, cursor)).full).toBe(false);
  scene.onWait = () => scene.beginEpoch();
  expect((await scene.bodyOf(ALL_STRANGERS, cursor)).full).toBe(true);
});
