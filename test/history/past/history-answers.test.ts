// The pages of a history have each tick once, although ticks are published between two pages. Some ticks are
// late: their times lie in the range of an earlier page. An answer that may be cached for ever never changes.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { HOUR_MS, MINUTE_MS, toIsoText } from '../../../src/clock.ts';
import type { HistoryEventPage } from '../../../src/contract/history.ts';
import { STATUS_LIVE } from '../../../src/domain/catalogue.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { KEYLESS, type Principal } from '../../../src/domain/tiers.ts';
import { dayPrefix } from '../../../src/history/files/folder.ts';
import { encodeTickFile } from '../../../src/history/files/parquet-file.ts';
import type { TapeMark } from '../../../src/history/mark.ts';
import type { LiveRows, TapeSource } from '../../../src/history/tape-source.ts';
import { dayStartMs, type Gap, NO_PRICES, type Tick } from '../../../src/history/tick.ts';
import { encodeCursor } from '../../../src/query/lists/cursor.ts';
import { oddsFilter } from '../../../src/query/odds/odds-filter.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { turnsDuring } from '../../support/turns-during.ts';
import { summariesOf, tapeCalls, tapeIn } from '../tape-folder.ts';

const EVENT = encodeId('event', 7);
const START_MS = Date.UTC(2026, 1, 28, 23, 59, 50);
const BOOKS = ['crown', 'sbobet', 'hkjc'];

/** A change of a line: the time since the previous change, and the time until it reaches the tape. */
interface DrawnTick {
  readonly book: number;
  readonly afterMs: number;
  readonly lateMs: number;
}

const drawnTicks = fc.array(fc.record({ book: fc.nat(2), afterMs: fc.nat(3), lateMs: fc.nat(20) }), {
  minLength: 1,
  maxLength: 60,
});

interface LateTick {
  readonly tick: Tick;
  readonly onTapeAtMs: number;
}

/** Returns ticks that reach the tape in the order of publishing. */
function ticksOf(drawn: readonly DrawnTick[]): LateTick[] {
  let receivedAtMs = START_MS;
  let onTapeAtMs = START_MS;
  return drawn.map(({ book, afterMs, lateMs }, index) => {
    receivedAtMs += afterMs;
    onTapeAtMs = Math.max(onTapeAtMs, receivedAtMs + lateMs);
    const tick: Tick = {
      ...{ eventId: EVENT, sport: 'football', league: 'League', home: 'Home', away: 'Away', kickoffMs: null },
      ...{ bookmaker: BOOKS[book]!, marketType: 'totals', period: 'full_time', line: 2.5, status: 'open' },
      pricesE4: { ...NO_PRICES, over: 20_000 + index, under: 19_000 },
      ...{ atMs: receivedAtMs, receivedAtMs, inPlay: false, standing: false },
      ...{ scoreHome: null, scoreAway: null },
    };
    return { tick, onTapeAtMs };
  });
}

/** A tape that at `now()` has only the changes that have reached it by then. Each goal makes a state. */
function tapeOf(
  ticks: readonly LateTick[],
  now: () => number,
  goalsAtMs: readonly number[] = [],
  gaps: readonly Gap[] = [],
) {
  const there = () => ticks.filter(({ onTapeAtMs }) => onTapeAtMs <= now()).map(({ tick }) => tick);
  const live: LiveRows = {
    beginMs: START_MS,
    has: () => false,
    summaries: (sight) => summariesOf(there(), sight),
    eventIds: () => [EVENT],
    rowsOf: () => there(),
    changesIn: () => [],
    lastRowsAt: () => there(),
    at: () => live,
    marksOf: () =>
      goalsAtMs.map((atMs, goals): TapeMark => {
        const fixture = ticks[0]!.tick;
        return { fixture, atMs, status: STATUS_LIVE, score: [goals, 0], cards: null };
      }),
    idsOf: () => undefined,
  };
  const source: TapeSource = {
    catchUp: async () => ticks.find(({ onTapeAtMs }) => onTapeAtMs > now())?.tick.receivedAtMs ?? now(),
    live,
    size: () => ({ ticks: ticks.length, bytes: 0 }),
    gaps: () => gaps,
    onFilesChanged: () => () => undefined,
  };
  const tape = tapeIn(new MemoryFolder(), source);
  return tapeCalls(tape);
}

test('an answer about a match with very many states has the newest ones, and states from which instant on they are complete', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 2_500 }),
      fc.integer({ min: 1, max: 3 }),
      async (count, each) => {
        // `each` states are published in the same millisecond.
        const atMs = Array.from({ length: count }, (_, index) => START_MS + Math.floor(index / each));
        const calls = tapeOf(ticksOf([{ book: 0, afterMs: 0, lateMs: 0 }]), () => START_MS + 5_000, atMs);
        const found: string[] = [];
        let to = toIsoText(START_MS + 5_000);
        for (;;) {
          const words = { resolution: 'tick', limit: 10, from: toIsoText(START_MS), to } as const;
          const caller = { principal: PRINCIPAL, nowMs: START_MS + 10_000 };
          const { bytes } = await calls.ticks({ eventId: EVENT, words, ...caller });
          const page = JSON.parse(new TextDecoder().decode(bytes)) as StatesPage;
          expect(page.states.length).toBeLessThanOrEqual(1_000);
          found.unshift(...page.states.map(({ at }) => at));
          if (page.states_from === page.from) break;
          to = page.states_from;
        }
        expect(found).toEqual(atMs.map(toIsoText));
      },
    ),
    { numRuns: 20 },
  );
});

interface StatesPage {
  readonly from: string;
  readonly states: readonly { readonly at: string }[];
  readonly states_from: string;
}

interface Page {
  readonly from: string;
  readonly to: string;
  readonly series: { readonly bookmaker: string; readonly ticks: { readonly prices: { over: number } }[] }[];
  readonly next_cursor: string | null;
}

const PRINCIPAL = { tier: 'enterprise', seesSharp: true, keyId: 'key' } as const;

test('the pages together have each tick once, although late ticks arrive between them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        ...{ drawn: drawnTicks, limit: fc.integer({ min: 1, max: 9 }), stepMs: fc.nat(6) },
        // Null means that the range has no end. A range may also end in the future.
        endsAfterMs: fc.option(fc.nat(100)),
      }),
      async ({ drawn, limit, stepMs, endsAfterMs }) => {
        const ticks = ticksOf(drawn);
        let nowMs = ticks[Math.floor(ticks.length / 2)]!.tick.receivedAtMs + 1;
        const calls = tapeOf(ticks, () => nowMs);
        const pages: Page[] = [];
        const to = endsAfterMs === null ? undefined : toIsoText(nowMs + 1 + endsAfterMs);
        do {
          const cursor = pages.at(-1)?.next_cursor ?? undefined;
          const words = { resolution: 'tick', limit, cursor, to } as const;
          if (ticks.every(({ onTapeAtMs }) => onTapeAtMs > nowMs)) return;
          const { bytes } = await calls.ticks({ eventId: EVENT, words, principal: PRINCIPAL, nowMs });
          pages.push(JSON.parse(new TextDecoder().decode(bytes)) as Page);
          nowMs += stepMs;
        } while (pages.at(-1)!.next_cursor !== null);
        const toMs = Date.parse(pages[0]!.to);
        expect(pages.map(({ to }) => to)).toEqual(pages.map(() => pages[0]!.to));
        const shown = pages.flatMap(({ series }) =>
          series.flatMap((one) => one.ticks.map((tick) => tick.prices.over)),
        );
        const wanted = ticks.filter(({ tick, onTapeAtMs }) => {
          const isSingle = pages.length === 1 && onTapeAtMs >= nowMs - stepMs + 1;
          return tick.receivedAtMs < toMs && !isSingle;
        });
        expect(shown.toSorted()).toEqual(wanted.map(({ tick }) => tick.pricesE4.over! / 10_000).toSorted());
      },
    ),
    { numRuns: 300 },
  );
});

test('the pages of a limited plan together have each tick once, although the plan’s limit moves forward between them', async () => {
  // Between two pages, one tick of each bookmaker leaves the range that the plan may see.
  const ticks = ticksOf([0, 1, 2, 0, 1, 2].map((book) => ({ book, afterMs: 1_000, lateMs: 0 })));
  const nowMs = START_MS + 24 * HOUR_MS;
  for (const from of [undefined, toIsoText(START_MS)]) {
    const pages: Page[] = [];
    const next = async (atMs: number) => {
      const cursor = pages.at(-1)?.next_cursor ?? undefined;
      const words = { resolution: 'tick', limit: 2, cursor, from } as const;
      const calls = tapeOf(ticks, () => atMs);
      const asked = { eventId: EVENT, words, principal: KEYLESS, nowMs: atMs };
      const answer = await calls.ticks(asked);
      return JSON.parse(new TextDecoder().decode(answer.bytes)) as Page;
    };
    for (const atMs of [nowMs, nowMs + 30 * MINUTE_MS, nowMs + 59 * MINUTE_MS]) pages.push(await next(atMs));
    const shown = pages.flatMap(({ series }) => series.flatMap((one) => one.ticks));
    expect(shown.map(({ prices }) => prices.over).toSorted()).toEqual([
      2, 2.0001, 2.0002, 2.0003, 2.0004, 2.0005,
    ]);
    expect(pages.map((page) => page.from)).toEqual(
      pages.map(() => toIsoText(START_MS + (from === undefined ? 1_000 : 0))),
    );
    // More than an hour after the first page, a cursor shows what the plan saw an hour before the present
    // request.
    pages.pop();
    const late = next(nowMs + HOUR_MS + 1_500);
    if (from === undefined) expect((await late).from).toBe(toIsoText(START_MS + 1_500));
    else await expect(late).rejects.toThrow('Cannot look back to from');
  }
});

test('the answer about how far back a plan sees has the same bytes for a minute', async () => {
  const ticks = ticksOf([20_000, 60_000, 60_000].map((afterMs) => ({ book: 0, afterMs, lateMs: 0 })));
  const nowMs = START_MS + 24 * HOUR_MS + 21_000;
  const read = async (atMs: number) => {
    const { bytes, etag } = await tapeOf(ticks, () => atMs).coverage({
      principal: KEYLESS,
      nowMs: atMs,
    });
    const { from } = JSON.parse(new TextDecoder().decode(bytes)) as { from: string };
    return { from, etag };
  };
  const first = await read(nowMs);
  expect(first.from).toBe('2026-03-01T00:01:00.000Z');
  expect(await read(nowMs + 40_000)).toEqual(first);
  expect((await read(nowMs + MINUTE_MS)).from).toBe('2026-03-01T00:02:00.000Z');
});

test('only an answer whose request has both ends may be cached for ever: without `from` its start depends on the plan', async () => {
  const ticks = ticksOf([{ book: 0, afterMs: 1, lateMs: 0 }]);
  const nowMs = START_MS + 60_000;
  const calls = tapeOf(ticks, () => nowMs);
  const isKept = async (words: { readonly from?: string; readonly to?: string }): Promise<boolean> => {
    const asked = { resolution: 'tick', limit: 10, ...words } as const;
    return (await calls.ticks({ eventId: EVENT, words: asked, principal: PRINCIPAL, nowMs })).isFinal;
  };
  const [from, to] = [new Date(START_MS).toISOString(), new Date(START_MS + 1_000).toISOString()];
  expect([await isKept({ from, to }), await isKept({ to }), await isKept({ from })]).toEqual([
    true,
    false,
    false,
  ]);
});

test('an answer with a gap may not be cached for ever: the gap may end, or an import may fill it', async () => {
  const ticks = ticksOf([{ book: 0, afterMs: 1, lateMs: 0 }]);
  const nowMs = START_MS + 60_000;
  const isKept = async (fromMs: number, toMs: number | null): Promise<boolean> => {
    const calls = tapeOf(ticks, () => nowMs, [], [{ fromMs, toMs, reason: 'feed_lost' }]);
    const [from, to] = [toIsoText(START_MS), toIsoText(START_MS + 1_000)];
    const words = { resolution: 'tick', limit: 10, from, to } as const;
    return (await calls.ticks({ eventId: EVENT, words, principal: PRINCIPAL, nowMs })).isFinal;
  };
  expect(await isKept(START_MS + 500, null)).toBe(false);
  expect(await isKept(START_MS + 500, START_MS + 30_000)).toBe(false);
  expect(await isKept(START_MS + 1_000, null)).toBe(true);
});

test('a cursor that was forged with a valid signature is refused if its range is not one of the calendar', async () => {
  const nowMs = START_MS + 2_000;
  const calls = tapeOf(ticksOf([{ book: 0, afterMs: 1, lateMs: 0 }]), () => nowMs);
  const words = { resolution: 'tick', limit: 2 } as const;
  const scope = JSON.stringify([
    ...['history', EVENT, oddsFilter({}, PRINCIPAL).key],
    ...[undefined, undefined, undefined, 'tick'],
  ]);
  const statusOf = (fromMs: number, toMs: number): Promise<number> => {
    const cursor = encodeCursor(scope, [fromMs, toMs, 0, START_MS, 0]);
    const asked = { eventId: EVENT, words: { ...words, cursor }, principal: PRINCIPAL, nowMs };
    return calls.ticks(asked).then(
      () => 200,
      ({ status }: { status: number }) => status,
    );
  };
  expect(await statusOf(START_MS, START_MS + 1_000)).toBe(200);
  expect(await statusOf(-8.64e15, 8.64e15)).toBe(200);
  expect(await statusOf(START_MS, 8.64e15 + 1)).toBe(400);
  expect(await statusOf(-8.64e15 - 1, START_MS)).toBe(400);
  expect(await statusOf(START_MS + 1, START_MS)).toBe(400);
});

test('an instant in a wrong format is refused, and the fix shows the right format', async () => {
  const calls = tapeOf(ticksOf([{ book: 0, afterMs: 1, lateMs: 0 }]), () => START_MS);
  const caller = { principal: PRINCIPAL, nowMs: START_MS, eventId: EVENT, words: {} };
  const fixOf = (at: string) => calls.odds({ ...caller, at }).catch(({ fix }: { fix: string }) => fix);
  expect(await fixOf('2026-03-01T18:45:00 05:30')).toContain('%2B');
  expect(await fixOf('2026-03-01 18:45:00')).not.toContain('%2B');
  expect(await fixOf('yesterday')).not.toContain('%2B');
  expect(await fixOf('2026-02-28T24:00:00Z')).toEndWith('at=2026-03-01T00:00:00Z');
  expect(await fixOf('2026-12-31T24:00+05:30')).toEndWith('at=2027-01-01T00:00:00%2B05:30');
  for (const text of ['2026-02-28T24:01:00Z', '2026-02-30T24:00:00Z', '2026-02-28T24:00:00']) {
    expect(await fixOf(text)).toEndWith('at as in 2026-03-01T18:45:00Z');
  }
});

test('an instant in the future is refused at once, even while the tape is behind', async () => {
  const drawn = [0, 60_000].map((lateMs) => ({ book: 0, afterMs: 1, lateMs }));
  const nowMs = START_MS + 10_000;
  const calls = tapeOf(ticksOf(drawn), () => nowMs);
  const asked = { principal: PRINCIPAL, nowMs, eventId: EVENT, words: {} };
  const codeOf = (atMs: number): Promise<unknown> =>
    calls.odds({ ...asked, at: toIsoText(atMs) }).catch(({ code }: { code: string }) => code);
  expect(await codeOf(nowMs)).toBe('upstream_unavailable');
  expect(await codeOf(nowMs + 1)).toBe('invalid_request');
});

test('a question about a market that the fixture lacks does not search other days for the fixture', async () => {
  const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'];
  const opened = new Set<string>();
  class WatchedFolder extends MemoryFolder {
    override open(path: string) {
      opened.add(path);
      return super.open(path);
    }
  }
  const folder = new WatchedFolder();
  const [{ tick }] = ticksOf([{ book: 0, afterMs: 0, lateMs: 0 }]) as [LateTick];
  const pathOf = (day: string): string => `${dayPrefix(day)}000001.parquet`;
  for (const day of days) {
    const atMs = dayStartMs(day) + 1_000;
    const bytes = encodeTickFile([{ ...tick, atMs, receivedAtMs: atMs }], new Map());
    await folder.write(pathOf(day), bytes);
  }
  const words = { resolution: 'tick', limit: 10, markets: ['asian_handicap'] } as const;
  const range = { from: `${days[2]}T00:00:00Z`, to: `${days[3]}T00:00:00Z` };
  const asked = { words: { ...words, ...range }, principal: PRINCIPAL, nowMs: dayStartMs('2026-03-05') };
  const { bytes } = await tapeCalls(tapeIn(folder)).ticks({ eventId: EVENT, ...asked });
  expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({ series: [] });
  expect([...opened]).not.toContain(pathOf(days[1]!));
});

test('the error about a fixture that is not found states how far back the plan sees', async () => {
  const calls = tapeOf(ticksOf([{ book: 0, afterMs: 1, lateMs: 0 }]), () => START_MS);
  const asked = { eventId: encodeId('event', 987_654), words: {}, nowMs: START_MS };
  const fixOf = async (tier: 'free' | 'enterprise', keyId: string | null): Promise<string> => {
    const caller = { ...asked, principal: { ...PRINCIPAL, tier, keyId } };
    const words = { resolution: 'tick', limit: 10 } as const;
    const answers = [calls.ticks({ ...caller, words }), calls.closing(caller)];
    const fixes = await Promise.all(answers.map((each) => each.catch(({ fix }: { fix: string }) => fix)));
    expect(fixes[0]).toEqual(fixes[1]!);
    return fixes[0] as string;
  };
  expect(await fixOf('free', 'key')).toEndWith('; this plan sees the last seven days');
  expect(await fixOf('free', null)).toEndWith('; this plan sees the last 24 hours');
  expect(await fixOf('enterprise', 'key')).toEndWith('GET /v1/history/events');
});

test('a range that begins in the future is refused with that reason, although the request has no end', async () => {
  const calls = tapeOf(ticksOf([{ book: 0, afterMs: 1, lateMs: 0 }]), () => START_MS);
  const words = { from: toIsoText(START_MS + 1), resolution: 'tick', limit: 10 } as const;
  const asked = calls.ticks({ eventId: EVENT, words, principal: PRINCIPAL, nowMs: START_MS });
  await expect(asked).rejects.toThrow('from is in the future');
});

test('a day without fixtures is refused if it is further back than the plan sees, and otherwise empty', async () => {
  const nowMs = START_MS + HOUR_MS;
  const calls = tapeOf(ticksOf([{ book: 0, afterMs: 1, lateMs: 0 }]), () => nowMs);
  const listed = async (day: string, keyId: string | null, tier: 'free' | 'enterprise' = 'free') => {
    const principal = { ...PRINCIPAL, tier, keyId };
    const { bytes } = await calls.events({ words: { limit: 10, day }, principal, nowMs });
    return (JSON.parse(new TextDecoder().decode(bytes)) as HistoryEventPage).data;
  };
  await expect(listed('2026-02-27', null)).rejects.toMatchObject({
    ...{ code: 'plan_limit', message: 'Cannot look back to day: this plan sees the last 24 hours' },
  });
  await expect(listed('2026-02-21', 'key')).rejects.toMatchObject({ code: 'plan_limit' });
  // The plan sees a part of this day.
  expect(await listed('2026-02-22', 'key')).toEqual([]);
  expect(await listed('2026-02-28', null)).toEqual([]);
  expect(await listed('2026-02-21', 'key', 'enterprise')).toEqual([]);
});

test('a question by the name of a team leaves the thread to others between its steps', async () => {
  const nowMs = START_MS + HOUR_MS;
  const calls = tapeOf(ticksOf([{ book: 0, afterMs: 0, lateMs: 0 }]), () => nowMs);
  const principal: Principal = { tier: 'standard', seesSharp: true, keyId: 'key_1' };
  const turnsFor = (words: { readonly limit: number; readonly q?: string }) =>
    turnsDuring(() => calls.events({ words, principal, nowMs }));
  await turnsFor({ limit: 10, q: 'Home' });
  // One turn before the question begins, then one after each of its steps: fixtures, teams, search.
  expect(await turnsFor({ limit: 10, q: 'Home' })).toBeGreaterThanOrEqual(4);
});

test('a list shows only fixtures with a tick that the plan sees, and no time before', async () => {
  const [{ tick }] = ticksOf([{ book: 0, afterMs: 0, lateMs: 0 }]) as [LateTick];
  const nowMs = dayStartMs('2026-03-02') + 12 * HOUR_MS;
  const at = (number: number, hoursAgo: number): Tick => {
    const receivedAtMs = nowMs - hoursAgo * HOUR_MS;
    return { ...tick, eventId: encodeId('event', number), atMs: receivedAtMs, receivedAtMs };
  };
  const folder = new MemoryFolder();
  // The plan without a key sees 24 hours. Fixture 1 has only older ticks, fixture 2 also a later one.
  const ticks = [at(1, 30), at(2, 30), at(2, 20)];
  await folder.write(`${dayPrefix('2026-03-01')}000001.parquet`, encodeTickFile(ticks, new Map()));
  const calls = tapeCalls(tapeIn(folder));
  const listed = async (principal: Parameters<typeof calls.events>[0]['principal'], atMs = nowMs) => {
    const { bytes } = await calls.events({ words: { limit: 10 }, principal, nowMs: atMs });
    const { data } = JSON.parse(new TextDecoder().decode(bytes)) as HistoryEventPage;
    return data.map(({ event, first_at }) => [event.id, first_at]);
  };
  const ago = (hours: number): string => toIsoText(nowMs - hours * HOUR_MS);
  const [first, second] = [encodeId('event', 1), encodeId('event', 2)];
  expect(await listed(KEYLESS)).toEqual([[second, ago(24)]]);
  expect((await listed(PRINCIPAL)).toSorted()).toEqual(
    [
      [first, ago(30)],
      [second, ago(30)],
    ].toSorted(),
  );
  // The time that the plan sees moves, but the answer only once a minute.
  for (const [atMs, firstAtMs] of [
    [nowMs + 1, MINUTE_MS],
    [nowMs + MINUTE_MS, MINUTE_MS],
    [nowMs + MINUTE_MS + 1, 2 * MINUTE_MS],
    // The only tick that is still seen.
    [nowMs + 4 * HOUR_MS, 4 * HOUR_MS],
  ] as const) {
    const first_at = toIsoText(nowMs - 24 * HOUR_MS + firstAtMs);
    expect(await listed(KEYLESS, atMs)).toEqual([[second, first_at]]);
  }
  const found = (eventId: string) => calls.find({ question: { query: eventId }, principal: KEYLESS, nowMs });
  expect((await found(first))?.status).toBe('not_found');
  expect((await found(second))?.status).toBe('matched');
});
