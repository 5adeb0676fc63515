// With several sources, each confirms only the prices of its own bookmakers, in every kind of answer. This is
// compared with a plain model of each source's messages. Tools are tested too: a price that its source no
// longer confirms is in no best price and in no signal.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { BOOKMAKER_KEYS } from '../../../src/domain/catalogue.ts';
import { quoteConfirmedAtMs } from '../../../src/domain/signal-gate.ts';
import { LeagueFilter } from '../../../src/query/lookup/league-filter.ts';
import { NameDirectory } from '../../../src/query/lookup/name-directory.ts';
import { OddsQueries } from '../../../src/query/odds/odds.ts';
import { OddsChangeReader } from '../../../src/query/odds/odds-changes.ts';
import { OddsEncoder } from '../../../src/query/odds/odds-encoder.ts';
import { oddsFilter } from '../../../src/query/odds/odds-filter.ts';
import { oddsView } from '../../../src/query/odds/odds-view.ts';
import { Slate } from '../../../src/query/slate/slate.ts';
import { SlateCopier } from '../../../src/query/slate/slate-copy.ts';
import { fixtureHits } from '../../../src/scoring/fixture-hits.ts';
import { eventWire, heartbeatWire, quoteWire, wireTime } from '../../feed/wire.ts';
import { USUAL_CRITERIA } from '../../scoring/usual-criteria.ts';
import { runs } from '../../support/runs.ts';
import { toolsOver } from '../../tools/scanning-slate.ts';
import { queriesOver, WINDOWS } from '../../tools/wire-slate.ts';
import { JoinDesk, NOW_MS } from './join-desk.ts';

const BOOKS = ['crown', 'pinnacle', 'sbobet'];
/**
 * Prices of each bookmaker. The first ones are above the sharp bookmaker's, so they have value while both
 * count.
 */
const PRICES = [
  [2.1, 1.9],
  [1.95, 1.97],
  [1.9, 1.9],
];
const KICKOFF = wireTime(NOW_MS + 6 * 3_600_000);
const MATCH = {
  league: { key: 'epl', name: 'English Premier League' },
  home: { key: 'ars', name: 'Arsenal' },
  away: { key: 'che', name: 'Chelsea' },
};
const PRINCIPAL = { seesSharp: true } as Parameters<typeof oddsFilter>[1];

type Step =
  | { readonly kind: 'quote' | 'heartbeat' | 'confirm'; readonly source: number }
  | { readonly kind: 'pass'; readonly seconds: number };
const source = fc.nat(BOOKS.length - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('quote' as const, 'heartbeat' as const, 'confirm' as const), source }),
  fc.record({ kind: fc.constant('pass' as const), seconds: fc.constantFrom(1, 7, 75, 290, 310) }),
);

interface Aged {
  readonly bookmaker: string;
  readonly as_of: string;
  readonly confirmed_at: string;
}

/** Every price in an answer that has an age and a bookmaker. */
function agedIn(value: unknown): Aged[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = Object.values(value).flatMap(agedIn);
  return 'confirmed_at' in value && 'bookmaker' in value ? [value as Aged, ...found] : found;
}

/** When a source last sent each kind of message that confirms its only quote. */
interface LastSent {
  quoteMs: number;
  heartbeatMs: number;
  aloneMs: number;
}

function steppedMs(atMs: number): number {
  return Math.floor(atMs / 10_000) * 10_000;
}

test('each quote is confirmed only by its own source', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const desk = new JoinDesk({ bookmakers: BOOKS.map((book) => [book]) });
      const sent: LastSent[] = BOOKS.map(() => ({ quoteMs: NOW_MS, heartbeatMs: NOW_MS, aloneMs: 0 }));
      const now = () => ({ at: wireTime(desk.nowMs) });
      const quote = (index: number) =>
        quoteWire(0, `of-${index}`, { ...now(), bookmaker: BOOKS[index], prices: PRICES[index] });
      BOOKS.forEach((_, index) => {
        const match = eventWire(0, `of-${index}`, { ...MATCH, ...now(), scheduled_at: KICKOFF });
        desk.snapshot(index, match, quote(index));
      });
      const slate = new Slate(desk.reader, WINDOWS);
      const odds = new OddsQueries(desk.reader);
      const encoder = new OddsEncoder(desk.reader);
      const changes = new OddsChangeReader({
        reader: desk.reader,
        slate,
        copier: new SlateCopier(desk.reader),
        encoder,
        windows: WINDOWS,
      });
      const leagues = new LeagueFilter(new NameDirectory(slate));
      /**
       * Checks what the whole slate reports about its sources, for callers who see the sharp bookmaker and
       * for others.
       */
      const expectOfSlate = (heartbeatMs: readonly number[]) => {
        for (const seesSharp of [true, false]) {
          const principal = { ...PRINCIPAL, seesSharp };
          const view = oddsView({ slate, leagues }, {}, { principal, nowMs: desk.nowMs });
          const times = changes.feedTimes();
          const byBook = BOOKS.map((book, index) => [book, heartbeatMs[index]!] as const).filter(
            ([book]) => seesSharp || book !== 'pinnacle',
          );
          const confirmations = changes
            .confirmations(view, times)!
            .flatMap(({ bookmakers, atMs }) => bookmakers.map((book) => [book, atMs] as const));
          expect(confirmations.toSorted()).toEqual(byBook.toSorted());
          const shown = byBook.map(([, atMs]) => atMs);
          const open = shown.filter((atMs) => desk.nowMs - atMs <= WINDOWS.prematchMs + 10_000);
          const asOfMs = open.length > 0 ? Math.min(...open) : Math.max(...shown);
          const isStale = desk.nowMs - Math.max(...shown) > WINDOWS.liveMs;
          expect(changes.freshness(view, times, desk.nowMs)).toEqual({ asOf: wireTime(asOfMs), isStale });
        }
      };
      for (const act of steps) {
        if (act.kind === 'pass') {
          // Moves the sources' clocks and fires the worker's tick, which withholds unconfirmed quotes.
          desk.pass(act.seconds * 1_000);
        } else if (act.kind === 'quote') {
          desk.say(act.source, quote(act.source));
          sent[act.source]!.quoteMs = desk.nowMs;
        } else if (act.kind === 'heartbeat') {
          desk.say(act.source, heartbeatWire(0, now()));
          sent[act.source]!.heartbeatMs = desk.nowMs;
        } else {
          desk.say(act.source, heartbeatWire(0, { ...now(), event: `of-${act.source}` }));
          sent[act.source]!.aloneMs = desk.nowMs;
        }
        const [fixture, ...others] = slate.peek(desk.nowMs);
        expect(others).toEqual([]); // all sources have one match
        const { view, moment } = fixture!;
        const shown = odds.block(fixture!, oddsFilter({}, PRINCIPAL)).odds;
        const excluded = fixtureHits(desk.reader, view.eventNumber, USUAL_CRITERIA, moment)!.leftOut;
        let goneCount = 0;
        const heard: { isOpen: boolean; atMs: number; heartbeatMs: number }[] = [];
        for (const [index, book] of BOOKS.entries()) {
          const { quoteMs, heartbeatMs, aloneMs } = sent[index]!;
          const bookmaker = BOOKMAKER_KEYS.indexOf(book);
          const isOpen = shown.find((each) => each.bookmaker === book)!.status === 'open';
          const confirmedMs = quoteConfirmedAtMs(
            { atMs: quoteMs, isOpen, bookmaker },
            moment,
            view.ownConfirmations,
          );
          const expectedMs = Math.max(quoteMs, steppedMs(heartbeatMs), aloneMs);
          expect([book, confirmedMs]).toEqual([book, isOpen ? expectedMs : quoteMs]);
          expect([book, isOpen]).toEqual([
            book,
            desk.nowMs - Math.max(quoteMs, heartbeatMs, aloneMs) <= WINDOWS.prematchMs,
          ]);
          if (!isOpen || desk.nowMs - expectedMs > WINDOWS.prematchMs) goneCount++;
          const alone = odds.block(fixture!, oddsFilter({ bookmakers: [book] }, PRINCIPAL));
          expect([book, Date.parse(alone.as_of), alone.stale]).toEqual([
            book,
            expectedMs,
            desk.nowMs - expectedMs > WINDOWS.prematchMs,
          ]);
          // The `as_of` of the whole slate if only one bookmaker is requested, as in /v1/odds and streams.
          const followed = oddsView(
            { slate, leagues },
            { bookmakers: [book] },
            { principal: PRINCIPAL, nowMs: desk.nowMs },
          );
          const { asOf } = changes.freshness(followed, changes.feedTimes(), desk.nowMs);
          expect(asOf).toBe(wireTime(steppedMs(heartbeatMs)));
          heard.push({ isOpen, atMs: expectedMs, heartbeatMs: steppedMs(heartbeatMs) });
        }
        expect(excluded.stale + excluded.suspended).toBe(goneCount);
        // The `as_of` of all bookmakers: the earliest confirmation of an open price; if no price is open, the
        // latest confirmation.
        const openMs = heard.filter(({ isOpen }) => isOpen).map(({ atMs }) => atMs);
        const asOfMs = openMs.length > 0 ? Math.min(...openMs) : Math.max(...heard.map(({ atMs }) => atMs));
        expect(Date.parse(odds.block(fixture!, oddsFilter({}, PRINCIPAL)).as_of)).toBe(asOfMs);
        expectOfSlate(heard.map(({ heartbeatMs }) => heartbeatMs));
      }
      // At least one source must be alive, because otherwise tools answer 503.
      desk.say(2, heartbeatWire(0, now()));
      sent[2]!.heartbeatMs = desk.nowMs;
      const { nowMs } = desk;
      const ages = BOOKS.map((book, index) => {
        const { quoteMs, heartbeatMs, aloneMs } = sent[index]!;
        const isOpen = nowMs - Math.max(quoteMs, heartbeatMs, aloneMs) <= WINDOWS.prematchMs;
        const confirmedMs = isOpen ? Math.max(quoteMs, steppedMs(heartbeatMs), aloneMs) : quoteMs;
        return { book, quoteMs, confirmedMs, counts: isOpen && nowMs - confirmedMs <= WINDOWS.prematchMs };
      });
      const ask = toolsOver({ queries: queriesOver(desk.reader) });
      const query = slate.peek(nowMs)[0]!.view.id;
      const market_type = 'asian_handicap';
      const compared = await ask('compare_lines', { event_id: query, market_type }, nowMs);
      const value = await ask('find_value', { query }, nowMs);
      const others = [
        await ask('get_sharp_line', { query, market_type }, nowMs),
        await ask('scan_slate', {}, nowMs),
      ];
      for (const { bookmaker, as_of, confirmed_at } of [compared, value, ...others].flatMap(agedIn)) {
        const { quoteMs, confirmedMs } = ages.find(({ book }) => book === bookmaker)!;
        expect([bookmaker, as_of, confirmed_at]).toEqual([
          bookmaker,
          wireTime(quoteMs),
          wireTime(confirmedMs),
        ]);
      }
      const counting = ages.filter(({ counts }) => counts).map(({ book }) => book);
      const best = (compared.best_prices as Aged[]).map(({ bookmaker }) => bookmaker);
      expect(best.filter((book) => !counting.includes(book))).toEqual([]);
      const hasValue = counting.includes('crown') && counting.includes('pinnacle');
      expect((value.value_bets as unknown[]).length > 0).toBe(hasValue);
    }),
    { numRuns: runs(60) },
  );
});
