// If an imported answer lists a fixture without a line, the fixture is on the slate of that instant, as it
// would be on a live slate: odds, closing prices and history answer for it. A plain model determines when the
// fixture is listed. Callers who do not see the sharp bookmaker get the same bytes whatever it quoted.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import { encodeId, entityNumber } from '../../../src/domain/ids.ts';
import { addToTape } from '../../../src/history/imports/add-to-tape.ts';
import { footballDataTape } from '../../../src/history/imports/football-data.ts';
import type { ImportedTape } from '../../../src/history/imports/imported-tape.ts';
import { OddsApiImport, oddsAnswerOf } from '../../../src/history/imports/the-odds-api.ts';
import { dayOf } from '../../../src/history/tick.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { tapeCalls, tapeIn } from '../tape-folder.ts';

const START_MS = Date.UTC(2026, 5, 19);
const BOOKMAKERS = new Map([
  ['common', 'crown'],
  ['sharp', 'pinnacle'],
]);
const FIXTURES = 3;
const MISSED_MAX = 4;

/**
 * For each fixture, what an answer lists: null if the fixture is missing, otherwise the price of each
 * bookmaker, null if it has none.
 */
type DrawnAnswer = readonly (null | { readonly common: number | null; readonly sharp: number | null })[];

const price = fc.constantFrom(null, null, 1.9, 2);
const drawnAnswers = fc.array(
  fc.tuple(
    fc.constantFrom(1, 1, 1, 4, 40),
    fc.tuple(
      ...Array.from({ length: FIXTURES }, () =>
        fc.option(fc.record({ common: price, sharp: price }), { freq: 2 }),
      ),
    ),
  ),
  { minLength: 2, maxLength: 18 },
);

const drawnTurn = fc.record({
  sharpTurn: fc.integer({ min: 1, max: 3 }),
  aloneAfterHours: fc.integer({ min: 2, max: 60 }),
  renamedAfterHours: fc.integer({ min: 2, max: 60 }),
});

interface Answer {
  readonly atMs: number;
  readonly listed: DrawnAnswer;
}

function answersOf(drawn: readonly (readonly [hours: number, listed: DrawnAnswer])[]): Answer[] {
  let atMs = START_MS;
  return drawn.map(([hours, listed]) => {
    atMs += hours * HOUR_MS;
    return { atMs, listed };
  });
}

/**
 * The differences between the imported answers and the drawn ones. If `sharpTurn` is not 0, the sharp
 * bookmaker has a price exactly where it has none in the drawn answers. After `aloneAfterHours`, no other
 * bookmaker has prices.
 */
interface Turn {
  readonly sharpTurn: number;
  readonly aloneAfterHours: number;
  /**
   * The clubs get other names after this number of hours. Answers after that are imported in a separate run.
   */
  readonly renamedAfterHours: number;
}

function bodyOf({ atMs, listed }: Answer, { sharpTurn, aloneAfterHours, renamedAfterHours }: Turn): unknown {
  const timestamp = new Date(atMs).toISOString();
  // This fixture is in every answer, so that every answer names its sport.
  const all = [...listed, { common: 1.5 + atMs / HOUR_MS / 1e6, sharp: null }];
  const isAlone = atMs >= START_MS + aloneAfterHours * HOUR_MS;
  return {
    timestamp,
    data: all.flatMap((one, fixture) => {
      if (one === null) return [];
      const isRenamed = atMs >= START_MS + renamedAfterHours * HOUR_MS;
      const names = [`${isRenamed ? 'Town' : 'Home'} ${fixture}`, `Away ${fixture}`] as const;
      const books = [
        ['common', isAlone ? null : one.common],
        ['sharp', sharpTurn === 0 ? one.sharp : one.sharp === null ? 2 + sharpTurn / 10 : null],
      ] as const;
      return {
        ...{ id: `fixture${fixture}`, sport_key: 'basketball_wnba', sport_title: 'WNBA' },
        ...{ home_team: names[0], away_team: names[1] },
        commence_time: new Date(START_MS + 400 * HOUR_MS).toISOString(),
        bookmakers: books.flatMap(([key, home]) => {
          if (home === null) return [];
          const outcomes = [
            { name: names[0], price: home },
            { name: names[1], price: 1.8 },
          ];
          const markets = [{ key: 'h2h', last_update: timestamp, outcomes }];
          return [{ key, title: key, last_update: timestamp, markets }];
        }),
      };
    }),
  };
}

const NO_TURN: Turn = { sharpTurn: 0, aloneAfterHours: Infinity, renamedAfterHours: Infinity };

function tapeOf(answers: readonly Answer[], turn = NO_TURN) {
  const splitMs = START_MS + turn.renamedAfterHours * HOUR_MS;
  const runs = Map.groupBy(answers, ({ atMs }) => atMs >= splitMs);
  const imports = Array.from(runs.values(), (some) => {
    const reading = new OddsApiImport(BOOKMAKERS);
    for (const each of some) {
      const answer = oddsAnswerOf(bodyOf(each, turn))!;
      reading.add(answer.timestampMs, [answer]);
    }
    return reading.finish();
  });
  return callsOf(...imports);
}

async function callsOf(...imports: readonly ImportedTape[]) {
  const folder = new MemoryFolder();
  for (const imported of imports) await addToTape(folder, imported);
  const tape = tapeIn(folder);
  return tapeCalls(tape);
}

const eventIdOf = (fixture: number): string =>
  encodeId('event', entityNumber('event', 1, `fixture${fixture}`));

/**
 * Whether a fixture is on the slate: it was listed, and fewer than four answers have lacked it since then.
 * After the day of the last answer nothing is on the slate.
 */
function isListedAt(answers: readonly Answer[], fixture: number, atMs: number): boolean {
  const given = answers.filter((answer) => answer.atMs <= atMs);
  const last = given.findLastIndex(({ listed }) => listed[fixture] !== null);
  const isOn = last >= 0 && given.length - 1 - last < MISSED_MAX;
  return isOn && dayOf(atMs) <= dayOf(answers.at(-1)!.atMs);
}

const NOW_MS = START_MS + 500 * HOUR_MS;
const PAID = { principal: { tier: 'enterprise', seesSharp: true, keyId: 'key' }, nowMs: NOW_MS } as const;
/** A caller whose plan reaches back far enough and who does not see the sharp bookmaker. */
const BLIND = { principal: { tier: 'standard', seesSharp: false, keyId: 'key' }, nowMs: NOW_MS } as const;

async function answerOf(
  call: Promise<{ readonly bytes: Uint8Array; readonly etag: string }>,
): Promise<string> {
  try {
    const { bytes, etag } = await call;
    return `${etag} ${new TextDecoder().decode(bytes)}`;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test('a fixture is on the slate while imported answers list it, with or without a line', async () => {
  let bare = 0;
  await fc.assert(
    fc.asyncProperty(drawnAnswers, async (drawn) => {
      const answers = answersOf(drawn);
      const calls = await tapeOf(answers);
      const instants = answers.flatMap(({ atMs }) => [atMs, atMs + HOUR_MS / 2, atMs + 24 * HOUR_MS]);
      const bareIds = new Set<string>();
      for (const atMs of instants) {
        const at = new Date(atMs).toISOString();
        const slate = await answerOf(calls.slate({ ...PAID, words: {}, at }));
        for (let fixture = 0; fixture < FIXTURES; fixture++) {
          const eventId = eventIdOf(fixture);
          const answer = await answerOf(calls.odds({ ...PAID, eventId, words: {}, at }));
          const isListed = isListedAt(answers, fixture, atMs);
          expect([at, fixture, answer === 'not_found']).toEqual([at, fixture, !isListed]);
          expect(slate.includes(eventId)).toBe(isListed);
          if (!isListed || !answer.includes('"odds":[]')) continue;
          bare++;
          bareIds.add(eventId);
        }
      }
      for (const eventId of bareIds) {
        const words = { resolution: 'tick', limit: 10 } as const;
        expect(await answerOf(calls.ticks({ ...PAID, eventId, words }))).toContain('"series":[');
        expect(await answerOf(calls.closing({ ...PAID, eventId, words: {} }))).toContain('"closing":[]');
      }
    }),
    { numRuns: 25, endOnFailure: true },
  );
  expect(bare).toBeGreaterThan(50);
});

test('after the last imported answer nothing is known: an empty slate is stale, and so are the lines of the last day', async () => {
  const listed = [{ common: 1.9, sharp: null }, null, null];
  const first = START_MS + HOUR_MS;
  const calls = await tapeOf([first, first + 30 * HOUR_MS].map((atMs) => ({ atMs, listed })));
  const staleAfter = async (hours: number): Promise<boolean[]> => {
    const at = new Date(first + hours * HOUR_MS).toISOString();
    const slate = await answerOf(calls.slate({ ...PAID, words: {}, at }));
    const one = await answerOf(calls.odds({ ...PAID, eventId: eventIdOf(0), words: {}, at }));
    return [slate.includes('"stale":true'), one.includes('"stale":true')];
  };
  for (const hours of [0, 10, 25, 29, 30]) expect(await staleAfter(hours)).toEqual([false, false]);
  expect(await staleAfter(31)).toEqual([true, true]);
  expect(await staleAfter(60)).toEqual([true, false]); // on the next day the fixture is not on the slate
});

test('on days without an answer between two imports nothing is known, and the lines of the first are stale', async () => {
  const listed = [{ common: 1.9, sharp: null }, null, null];
  // The second import begins on the fifth day.
  const answers = [1, 20, 30, 100, 110].map((hours) => ({ atMs: START_MS + hours * HOUR_MS, listed }));
  const calls = await tapeOf(answers, { ...NO_TURN, renamedAfterHours: 90 });
  const isStaleAt = async (hours: number): Promise<boolean> => {
    const at = new Date(START_MS + hours * HOUR_MS).toISOString();
    const { bytes, isFinal } = await calls.odds({ ...PAID, eventId: eventIdOf(0), words: {}, at });
    const { stale, odds } = JSON.parse(new TextDecoder().decode(bytes)) as { stale: boolean; odds: object[] };
    expect([odds.length, isFinal]).toEqual([1, !stale]);
    return stale;
  };
  for (const hours of [1, 10, 22, 30, 97, 100, 110])
    expect([hours, await isStaleAt(hours)]).toEqual([hours, false]);
  for (const hours of [31, 47, 49, 80, 95.9, 111])
    expect([hours, await isStaleAt(hours)]).toEqual([hours, true]);
});

test('whatever the sharp bookmaker quoted, other callers read the same bytes about listed fixtures', async () => {
  await fc.assert(
    fc.asyncProperty(drawnAnswers, drawnTurn, async (drawn, turn) => {
      const answers = answersOf(drawn);
      const tapes = [await tapeOf(answers, { ...turn, sharpTurn: 0 }), await tapeOf(answers, turn)];
      const instants = answers.map(({ atMs }) => new Date(atMs + 1).toISOString());
      const [withoutSharp, withSharp] = await Promise.all(
        tapes.map(async (calls) => {
          const texts: string[] = [];
          for (const at of instants) texts.push(await answerOf(calls.slate({ ...BLIND, words: {}, at })));
          texts.push(await answerOf(calls.coverage(BLIND)));
          for (let fixture = 0; fixture < FIXTURES; fixture++) {
            const asked = { ...BLIND, eventId: eventIdOf(fixture), words: {} };
            for (const at of instants) texts.push(await answerOf(calls.odds({ ...asked, at })));
            const words = { resolution: 'tick', limit: 10 } as const;
            texts.push(await answerOf(calls.ticks({ ...asked, words })));
            texts.push(await answerOf(calls.closing(asked)));
          }
          return texts;
        }),
      );
      expect(withSharp).toEqual(withoutSharp);
    }),
    { numRuns: 24, endOnFailure: true },
  );
});

test('a day that only has prices of the sharp bookmaker looks to other callers like a day without an import', async () => {
  const match = (date: string, names: string, prices: Record<string, string>) => {
    const teams = { HomeTeam: `${names} United`, AwayTeam: `${names} City` };
    return new Map(Object.entries({ Div: 'E0', Date: date, Time: '18:00', ...teams, ...prices }));
  };
  const common = { B365H: '2', B365D: '3.5', B365A: '3.4' };
  const sharp = { PSH: '2', PSD: '3.6', PSA: '3.5' };
  const slates = await Promise.all(
    [[], [match('21/06/2026', 'Sharp', sharp)]].map(async (between) => {
      const rows = [match('10/06/2026', 'First', common), ...between, match('30/06/2026', 'Last', common)];
      const bookmakers = new Map(Object.entries({ B365: 'crown', PS: 'pinnacle' }));
      const calls = await callsOf(footballDataTape(rows, bookmakers));
      const slateOf = (asked: typeof BLIND | typeof PAID) =>
        answerOf(calls.slate({ ...asked, words: {}, at: '2026-06-21T15:00:00Z' }));
      return [await slateOf(BLIND), await slateOf(PAID)];
    }),
  );
  expect(slates[0]![0]).toEqual(slates[1]![0]!);
  expect(slates[0]![1]).not.toEqual(slates[1]![1]!);
});

test('an answer after the kickoff settles the closing prices, even if it changes no price', async () => {
  const listed = [{ common: 1.9, sharp: null }, null, null];
  const closingAfter = async (hours: readonly number[]) => {
    const calls = await tapeOf(hours.map((hour) => ({ atMs: START_MS + hour * HOUR_MS, listed })));
    return answerOf(calls.closing({ ...PAID, eventId: eventIdOf(0), words: {} }));
  };
  expect(await closingAfter([398, 399])).toContain('"closing":[]');
  expect(await closingAfter([398, 399, 401])).toContain('"closing":[{');
});

test('an empty answer counts for the sport of the answer before it: the slate is not stale, and the fourth empty answer removes the fixtures', async () => {
  const reading = new OddsApiImport(BOOKMAKERS);
  const listed = [{ common: 1.9, sharp: null }, null, null];
  for (let hour = 1; hour <= 5; hour++) {
    const atMs = START_MS + hour * HOUR_MS;
    const empty = { timestamp: new Date(atMs).toISOString(), data: [] };
    const answer = oddsAnswerOf(hour === 1 ? bodyOf({ atMs, listed }, NO_TURN) : empty)!;
    reading.add(answer.timestampMs, [answer]);
  }
  const calls = await callsOf(reading.finish());
  const oddsAt = (hour: number) => {
    const at = new Date(START_MS + hour * HOUR_MS).toISOString();
    return answerOf(calls.odds({ ...PAID, eventId: eventIdOf(0), words: {}, at }));
  };
  expect(await oddsAt(4.5)).toContain('"odds":[]');
  expect(await oddsAt(5)).toBe('not_found');
  const at = new Date(START_MS + 5 * HOUR_MS).toISOString();
  expect(await answerOf(calls.slate({ ...PAID, words: {}, at }))).toContain('"stale":false,"fixtures":[]');
});

test('an answer that lists only one broken fixture of a sport withdraws the lines of the other fixtures', async () => {
  const reading = new OddsApiImport(BOOKMAKERS);
  const listed = [{ common: 1.9, sharp: null }, null, null];
  for (let hour = 1; hour <= 2; hour++) {
    const atMs = START_MS + hour * HOUR_MS;
    const body = bodyOf({ atMs, listed }, NO_TURN) as { readonly data: readonly object[] };
    const broken = { ...body, data: [{ ...body.data[0], id: 'broken', commence_time: 'soon' }] };
    reading.add(atMs, [oddsAnswerOf(hour === 1 ? body : broken)!]);
  }
  const calls = await callsOf(reading.finish());
  const at = new Date(START_MS + 2 * HOUR_MS).toISOString();
  const odds = await answerOf(calls.odds({ ...PAID, eventId: eventIdOf(0), words: {}, at }));
  expect(odds).toContain('"odds":[]');
});

test('an answer without fixtures withdraws no line of another sport', async () => {
  const atOf = (hour: number): string => new Date(START_MS + hour * HOUR_MS).toISOString();
  const answersOfSports = (isLinked: boolean) =>
    ['basketball_wnba', 'basketball_euroleague'].flatMap((sport, turn) =>
      [1, 3, 5].map((hour) => {
        const answer = bodyOf(
          { atMs: START_MS + (hour + turn) * HOUR_MS, listed: [{ common: 1.9, sharp: null }] },
          NO_TURN,
        ) as { readonly timestamp: string; readonly data: readonly { readonly id: string }[] };
        const data = answer.data.map((event) => ({ ...event, id: `${sport} ${event.id}`, sport_key: sport }));
        const next = isLinked ? { next_timestamp: atOf(hour + turn + 2) } : {};
        return { ...answer, ...next, data: turn === 1 && hour > 1 ? [] : data };
      }),
    );
  const oddsOf = async (isLinked: boolean) => {
    const reading = new OddsApiImport(BOOKMAKERS);
    const sorted = answersOfSports(isLinked).toSorted((left, right) =>
      left.timestamp < right.timestamp ? -1 : 1,
    );
    for (const each of sorted) {
      const answer = oddsAnswerOf(each)!;
      reading.add(answer.timestampMs, [answer]);
    }
    const tape = reading.finish();
    const calls = await callsOf(tape);
    const prices = ['basketball_wnba', 'basketball_euroleague'].map(async (sport) => {
      const eventId = encodeId('event', entityNumber('event', 1, `${sport} fixture0`));
      const odds = await answerOf(calls.odds({ ...PAID, eventId, words: {}, at: atOf(4.5) }));
      return odds.includes('"odds":[{');
    });
    return [...(await Promise.all(prices)), tape.leftOut.get('empty_answer') ?? 0];
  };
  expect(await oddsOf(true)).toEqual([true, false, 0]);
  // The time of the next answer is missing, so the sport of the empty answer is unknown.
  expect(await oddsOf(false)).toEqual([true, true, 2]);
});

test('of the answers of one instant, one without fixtures withdraws nothing of another sport, in any order', async () => {
  const answerOf = (sport: string, hour: number, isEmpty = false) => {
    const atMs = START_MS + hour * HOUR_MS;
    const { data, ...rest } = bodyOf({ atMs, listed: [{ common: 1.9, sharp: null }] }, NO_TURN) as {
      readonly data: readonly { readonly id: string }[];
    };
    const events = data.map((event) => ({ ...event, id: `${sport} ${event.id}`, sport_key: sport }));
    const next_timestamp = new Date(atMs + HOUR_MS).toISOString();
    return oddsAnswerOf({ ...rest, next_timestamp, data: isEmpty ? [] : events })!;
  };
  const [wnba, euroleague] = ['basketball_wnba', 'basketball_euroleague'];
  for (const isEmptyFirst of [true, false]) {
    const reading = new OddsApiImport(BOOKMAKERS, new Set([wnba!, euroleague!]));
    reading.add(START_MS + HOUR_MS, [answerOf(wnba!, 1), answerOf(euroleague!, 1)]);
    const second = [answerOf(wnba!, 2, true), answerOf(wnba!, 2)];
    reading.add(START_MS + 2 * HOUR_MS, isEmptyFirst ? second : second.toReversed());
    const tape = reading.finish();
    expect(tape.leftOut.get('empty_answer')).toBe(1);
    expect(tape.ticks.filter(({ status }) => status === 'withdrawn')).toEqual([]);
  }
});

/**
 * Imports answers about one match, which list it until `untilMinutes`, and reads its status.
 * @param prices at which minutes it has a line; all times are minutes after a midnight
 */
async function statusesOf(
  {
    fromMinutes,
    untilMinutes,
    kickoffMinutes,
  }: Record<'fromMinutes' | 'untilMinutes' | 'kickoffMinutes', number>,
  priceAt: (minutes: number) => number | null,
) {
  const reading = new OddsApiImport(BOOKMAKERS);
  const midnightMs = Math.ceil(START_MS / DAY_MS) * DAY_MS + DAY_MS;
  const msOf = (minutes: number): number => midnightMs + minutes * MINUTE_MS;
  const commence_time = new Date(msOf(kickoffMinutes)).toISOString();
  for (let minutes = fromMinutes; minutes <= untilMinutes + 45; minutes += 15) {
    const common = priceAt(minutes);
    const listed = [{ common, sharp: null }];
    const { data, ...rest } = bodyOf({ atMs: msOf(minutes), listed }, NO_TURN) as { data: object[] };
    const match = { ...data[0], commence_time, ...(common === null ? { bookmakers: [] } : {}) };
    const answer = oddsAnswerOf({ ...rest, data: [...(minutes <= untilMinutes ? [match] : []), data[1]] })!;
    reading.add(answer.timestampMs, [answer]);
  }
  const calls = await callsOf(reading.finish());
  return async (minutes: number): Promise<string | undefined> => {
    const at = new Date(msOf(minutes)).toISOString();
    const slate = await answerOf(calls.slate({ ...PAID, words: {}, at }));
    return slate
      .split('"event_id"')
      .find((text) => text.includes(eventIdOf(0)))
      ?.match(/"status":"(\w+)"/)?.[1];
  };
}

test('a match whose lines were all withdrawn in play stays live until it leaves the slate, also after midnight', async () => {
  // The match begins at 22:30. Its line is withdrawn at 23:15, and midnight's answer is the last to list it.
  const times = { fromMinutes: -105, untilMinutes: 0, kickoffMinutes: -90 };
  const statusAt = await statusesOf(times, (minutes) => (minutes > -60 ? null : minutes < -90 ? 1.9 : 2.1));
  expect(await statusAt(-100)).toBe('scheduled');
  expect(await statusAt(-70)).toBe('live');
  expect(await statusAt(-20)).toBe('live');
  expect(await statusAt(10)).toBe('live');
});

test('a match that never has a line is live from the first answer after its kickoff that lists it', async () => {
  const kickoffs = [-65, -60, 5].map(async (kickoffMinutes) => {
    const statusAt = await statusesOf({ fromMinutes: -105, untilMinutes: 30, kickoffMinutes }, () => null);
    return await Promise.all([-100, -62, -55, -10, 10, 20, 40].map(statusAt));
  });
  const [before, live] = ['scheduled', 'live'];
  expect(await Promise.all(kickoffs)).toEqual([
    [before, before, live, live, live, live, live],
    [before, before, live, live, live, live, live],
    [before, before, before, before, before, live, live],
  ]);
});
