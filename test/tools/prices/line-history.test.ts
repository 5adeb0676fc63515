// The sentence of line_history about the changes on a tape. It uses "now" only for a line that is open and
// whose changes are all known, and "opened" only for the first price of a line. It counts moves from every
// change.

import { expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS, toIsoText } from '../../../src/clock.ts';
import { encodeId, entityNumber } from '../../../src/domain/ids.ts';
import { dayPrefix } from '../../../src/history/files/folder.ts';
import { encodeTickFile } from '../../../src/history/files/parquet-file.ts';
import { compareTickLines, dayOf, NO_PRICES, type Tick } from '../../../src/history/tick.ts';
import { NO_HISTORY } from '../../../src/query/lists/history-calls.ts';
import { tapeCalls, tapeIn } from '../../history/tape-folder.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { football, state, T0 } from '../made-up-slate.ts';
import { toolsOver } from '../scanning-slate.ts';
import { type Wire, WireSlate } from '../wire-slate.ts';

const DAY = dayOf(T0);
const BEGIN_MS = T0 - 11 * HOUR_MS;
const EVENT = encodeId('event', entityNumber('event', 0, 'ars-che'));
const AHEAD = football('ars-che', 'Arsenal', 'Chelsea', '2026-03-02T15:00:00Z');

interface Change {
  readonly atMs: number;
  /** Null: the line was withdrawn. */
  readonly over: number | null;
  readonly bookmaker?: string;
  readonly line?: number;
  readonly status?: Tick['status'];
  readonly inPlay?: boolean;
}

function tickOf({
  atMs,
  over,
  bookmaker = 'crown',
  line = 2.5,
  status = 'open',
  inPlay = false,
}: Change): Tick {
  const prices = over === null ? {} : { over: Math.round(over * 10_000), under: 19_000 };
  return {
    ...{ eventId: EVENT, sport: 'football', league: 'football league', home: 'Arsenal', away: 'Chelsea' },
    ...{ kickoffMs: T0 - 2 * HOUR_MS, bookmaker, marketType: 'totals', period: 'full_time', line },
    status: over === null ? 'withdrawn' : status,
    pricesE4: { ...NO_PRICES, ...prices },
    ...{ atMs, receivedAtMs: atMs, inPlay, standing: false, scoreHome: null, scoreAway: null },
  };
}

/** Asks at T0 for the totals of a match. The tape has these changes of the day. */
async function ask(changes: readonly Change[], input: object = {}, slate: readonly Wire[] = [AHEAD]) {
  const tools = await toolsWith(changes, slate);
  const answer = await tools('line_history', { query: EVENT, market_type: 'totals', ...input });
  return { ...answer, summary: String(answer.summary) } as unknown as {
    readonly summary: string;
    readonly resolution: string;
    readonly series: readonly { readonly ticks: readonly unknown[] }[];
  };
}

async function toolsWith(changes: readonly Change[], slate: readonly Wire[]) {
  const wires = new WireSlate();
  wires.feed(slate, T0);
  const folder = new MemoryFolder();
  const ticks = changes.map(tickOf).sort(compareTickLines);
  await folder.write(`${dayPrefix(DAY)}${BEGIN_MS}.parquet`, encodeTickFile(ticks, new Map()));
  const history = { ...NO_HISTORY, ...tapeCalls(tapeIn(folder)) };
  return toolsOver({ queries: { ...wires.queries, history } });
}

/** Changes of one line, one a minute. */
function minutes(count: number, overOf: (index: number) => number, more: Partial<Change> = {}): Change[] {
  return Array.from({ length: count }, (_, index) => ({
    ...{ atMs: BEGIN_MS + index * MINUTE_MS, over: overOf(index), ...more },
  }));
}

const RISING = minutes(3, (index) => 1.8 + index / 10);
const AT_END = BEGIN_MS + HOUR_MS;

test('the last price is called the current one only while the line is open', async () => {
  const sentence = async (...changes: readonly Change[]) => (await ask([...RISING, ...changes])).summary;
  expect(await sentence()).toEndWith('Crown opened 2.5 at 1.8, 2 moves since, 2 now (high 2, low 1.8).');
  const gone = await sentence({ atMs: AT_END, over: null });
  expect(gone).toEndWith('2 moves since, 2 when it was last open (high 2, low 1.8).');
  expect(await sentence({ atMs: AT_END, over: 2, status: 'suspended' })).toEndWith(gone.slice(-40));
  const [opened] = RISING;
  const still = await ask([opened!, { atMs: AT_END, over: null }]);
  expect(still.summary).toEndWith('opened 2.5 at 1.8, and has not moved since, but is not open now.');
});

test('the choice of the main line, and of the high price, does not depend on the format', async () => {
  const changes = [
    { atMs: BEGIN_MS, over: 1.95 },
    { atMs: BEGIN_MS, over: 1.5, line: 3 },
    { atMs: AT_END, over: 2.05 },
  ];
  const sentence = async (format: string) => (await ask(changes, { format })).summary;
  const opened = 'Crown opened 2.5 at';
  expect(await sentence('decimal')).toEndWith(
    `${opened} 1.95, 1 move since, 2.05 now (high 2.05, low 1.95).`,
  );
  // In malay, prices near even are close to 1 or -1. The higher of two such prices has the lower number.
  expect(await sentence('malay')).toEndWith(
    `${opened} 0.95, 1 move since, -0.95 now (high -0.95, low 0.95).`,
  );
  expect(await sentence('american')).toEndWith(`${opened} -105, 1 move since, 105 now (high 105, low -105).`);
  expect(await sentence('probability')).toEndWith(
    `${opened} 0.5128, 1 move since, 0.4878 now (high 0.5128, low 0.4878).`,
  );
});

test('the weekday of a move is that in the requested zone; without a zone it is that in UTC, and the sentence says UTC', async () => {
  const moved = { atMs: BEGIN_MS + 30 * MINUTE_MS, line: 3, over: 1.9 };
  const changes = [RISING[0]!, { ...RISING[0]!, atMs: moved.atMs, over: 2.5 }, moved];
  expect((await ask(changes)).summary).toContain(', moved to 3 early on Sunday UTC (1 move), ');
  const inNewYork = await ask(changes, { timezone: 'America/New_York' });
  expect(inNewYork.summary).toContain(', moved to 3 on Saturday evening (1 move), ');
});

test('a time zone that does not exist is refused', async () => {
  const refused = { code: 'invalid_request', message: expect.stringContaining('timezone') };
  await expect(ask(RISING, { timezone: 'Mars/Olympus' })).rejects.toMatchObject(refused);
});

test('the sentence is made from every change, although the answer has few points', async () => {
  // The price jumps to 3 and back within a minute, which no point shows.
  const spike = { atMs: BEGIN_MS + 30_000, over: 3 };
  const changes = [...minutes(599, (index) => 1.8 + (index % 2) / 10), spike];
  const found = await ask(changes);
  expect(found.resolution).toBe('5m');
  expect(found.summary).toEndWith('opened 2.5 at 1.8, 599 moves since, 1.8 now (high 3, low 1.8).');
});

test('if there are more points than one answer may have, the current price is still that of the last change', async () => {
  // Lines with a low number come first. The main line is the last one, and so is its change.
  const changes = [0, 1, 2].flatMap((index) =>
    minutes(300, (minute) => 3 + (minute % 2), { line: 2 + index / 4, bookmaker: 'crown' }),
  );
  const last = { atMs: AT_END + 8 * HOUR_MS, over: 1.9, line: 3 };
  expect((await ask([...changes, last], { resolution: 'tick' })).summary).toContain(', 1.9 now (');
});

test('if there are more changes than one answer may have, the sentence uses those of one book, or states that they are coarse', async () => {
  const many = (bookmaker: string, count: number): Change[] =>
    Array.from({ length: count }, (_, index) => ({
      ...{ atMs: BEGIN_MS + index * 3_000, over: 1.8 + (index % 2) / 10, bookmaker },
    }));
  const one = await ask([...many('crown', 7_000), ...many('sbobet', 6_000)]);
  expect(one.summary).toEndWith('Crown opened 2.5 at 1.8, 6999 moves since, 1.9 now (high 1.9, low 1.8).');
  const coarse = await ask(many('crown', 10_001));
  expect(coarse.summary).toMatch(/at least \d+ moves? since|has not moved since/);
  expect(coarse.summary).toEndWith('read in steps of 1m).');
});

test('if a range begins after the opening, the sentence begins with the price of that time, even without a change', async () => {
  const changes = [...RISING, { atMs: AT_END, over: 1.5 }];
  const from = toIsoText(AT_END - MINUTE_MS);
  expect((await ask(changes, { from })).summary).toEndWith(
    'Crown was at 2 on 2.5, 1 move since, 1.5 now (high 2, low 1.5).',
  );
  const unchanged = await ask(changes, { from: toIsoText(AT_END + MINUTE_MS) });
  expect(unchanged.summary).toEndWith('Crown was at 1.5 on 2.5, and has not moved since.');
  const farther = { atMs: AT_END - 2 * MINUTE_MS, over: 3, line: 3 };
  expect((await ask([farther, ...changes], { from })).summary).toEndWith(
    'Crown was at 2 on 2.5, 1 move since, 1.5 now (high 2, low 1.5).',
  );
  const before = await ask(changes, { from: toIsoText(BEGIN_MS - MINUTE_MS) });
  expect(before.summary).toContain('Crown opened 2.5 at 1.8, ');
});

test('the sentence about a match that has begun has a closing price, and a current price only until the match is over', async () => {
  const begun = football('ars-che', 'Arsenal', 'Chelsea', toIsoText(T0 - 2 * HOUR_MS));
  const changes = [...RISING, { atMs: T0 - HOUR_MS, over: 9, inPlay: true }];
  const live = await ask(changes, {}, [begun, state('ars-che', 'live', [1, 0], "60'")]);
  expect(live.summary).toEndWith('2 moves since, closed 2.5 at 2, now 2.5 at 9 (high 2, low 1.8).');
  const finished = await ask(changes, {}, [begun, state('ars-che', 'finished', [1, 0], "90'")]);
  expect(finished.summary).toEndWith('2 moves since, closed 2.5 at 2 (high 2, low 1.8).');
});

test('a range that begins in play has no closing price, because the close was before it', async () => {
  const begun = football('ars-che', 'Arsenal', 'Chelsea', toIsoText(T0 - 2 * HOUR_MS));
  const live = [begun, state('ars-che', 'live', [1, 0], "60'")];
  const inPlay = (minutesAgo: number, over: number): Change => {
    return { atMs: T0 - minutesAgo * MINUTE_MS, over, inPlay: true };
  };
  const changes = [...RISING, inPlay(115, 1.5), inPlay(30, 9)];
  const from = toIsoText(T0 - HOUR_MS);
  const told = await ask(changes, { from }, live);
  expect(told.summary).toEndWith('Crown was at 1.5 on 2.5, 1 move since, 9 now (high 9, low 1.5).');
  const whole = await ask(changes, { from: toIsoText(BEGIN_MS + 1.5 * MINUTE_MS) }, live);
  expect(whole.summary).toEndWith(
    'Crown was at 1.9 on 2.5, 1 move since, closed 2.5 at 2, now 2.5 at 9 (high 2, low 1.9).',
  );
});

test('a line that was suspended when the range began had no price at that time', async () => {
  const suspended = { atMs: AT_END, over: 2, status: 'suspended' } as const;
  const changes = [...RISING, suspended, { atMs: AT_END + HOUR_MS, over: 1.5 }];
  const { summary } = await ask(changes, { from: toIsoText(AT_END + MINUTE_MS) });
  expect(summary).toEndWith('Crown was suspended, then at 1.5 on 2.5, and has not moved since.');
});

test('the answer to a question that no match fits says to name a day, or that the history has none either', async () => {
  const elsewhere = football('eve-ful', 'Everton', 'Fulham', '2026-03-02T15:00:00Z');
  const summary = async (query: string, date?: string) =>
    (await ask(RISING, { query, ...(date === undefined ? {} : { date }) }, [elsewhere])).summary;
  const advice = 'A match that has left the slate is found if you name its day, such as 2026-03-01.';
  expect(await summary('Arsenal vs Chelsea')).toEndWith(advice);
  const none = 'Nor does one of the price history that your plan may see.';
  expect(await summary('Arsenal vs Chelsea', '2026-02-20')).toEndWith(none);
  expect(await summary(encodeId('event', entityNumber('event', 0, 'unknown')))).toEndWith(none);
  const wires = new WireSlate();
  wires.feed([elsewhere], T0);
  const withoutHistory = toolsOver({ queries: { ...wires.queries, history: NO_HISTORY } });
  for (const date of [undefined, '2026-02-20']) {
    const input = {
      query: 'Arsenal vs Chelsea',
      market_type: 'totals',
      ...(date === undefined ? {} : { date }),
    };
    expect(String((await withoutHistory('line_history', input)).summary)).not.toMatch(/history|day/);
  }
});

test('each tool about the past suggests the other one for a match that has left the slate', async () => {
  const elsewhere = football('eve-ful', 'Everton', 'Fulham', '2026-03-02T15:00:00Z');
  const tools = await toolsWith(RISING, [elsewhere]);
  const suggested = async (name: string) => {
    const answer = await tools(name, { query: 'Arsenal vs Chelsea', date: dayOf(T0 - 2 * HOUR_MS) });
    return (answer.decision as { next_action: unknown }).next_action;
  };
  expect(await suggested('line_history')).toMatchObject({ tool: 'get_closing_line', args: { query: EVENT } });
  expect(await suggested('get_closing_line')).toMatchObject({ tool: 'line_history', args: { query: EVENT } });
});
