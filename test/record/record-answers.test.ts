// Answers from the record: they take turns with all answers about the past, and end once nobody waits for
// them.

import { expect, test } from 'bun:test';
import { SignalRecord } from '../../src/archive/signal-record.ts';
import type { Principal } from '../../src/domain/tiers.ts';
import { KEYLESS } from '../../src/domain/tiers.ts';
import { recordAnswers } from '../../src/record/record-answers.ts';
import type { RecordedSignal } from '../../src/record/recorded-signal.ts';
import { rowOf } from '../../src/record/signal-row.ts';
import { untimedTurns } from '../history/tape-folder.ts';
import { emptyDatabase } from './record-world.ts';

const BEGIN_MS = Date.UTC(2026, 2, 1);
/** Three pages of 2,000. */
const SIGNALS = 5_000;
const FREE_KEY: Principal = { tier: 'free', seesSharp: false, keyId: 'key', ownerId: 'owner' };

function signalAt(index: number): RecordedSignal {
  return {
    ...{ id: `s${index}`, kind: 'value', event_id: '', league: 'L', sport: 0, market_type: 'totals' },
    ...{ period: 'full_time', line: 2.5, outcome: 'over', bookmaker: 'crown', price: 2, fair_price: 1.9 },
    ...{ reference: 'consensus', edge_pct: 5, ev_pct: 5, in_play: false, from_score: { home: 0, away: 0 } },
    ...{ opened_at: new Date(BEGIN_MS + index).toISOString(), closed_at: null },
  } as RecordedSignal;
}

/**
 * A full store. `pages` gets an entry for each page that is read: the `minEdgePct` of the question that it is
 * read for.
 */
async function fullStore() {
  const record = new SignalRecord(emptyDatabase());
  await record.begin('writer');
  const signals = Array.from({ length: SIGNALS }, (_, index) =>
    rowOf(signalAt(index), { eventNumber: index >> 3, seesSharp: false }),
  );
  await record.write('writer', { signals, halfTimes: [], seenAtMs: BEGIN_MS });
  const pages: number[] = [];
  const page: SignalRecord['page'] = (filter, after, limit) => {
    pages.push(filter.minEdgePct);
    return record.page(filter, after, limit);
  };
  return { pages, page };
}

function asked(principal: Principal, question: number, signal?: AbortSignal) {
  return { words: { kind: 'value', min_edge_pct: question } as const, principal, nowMs: 0, signal };
}

for (const [caller, principal] of [
  ['callers without a key', KEYLESS],
  ['free keys', FREE_KEY],
] as const) {
  test(`questions of ${caller} are read one after another, however many wait`, async () => {
    const { pages, page } = await fullStore();
    const turns = untimedTurns();
    const { record } = recordAnswers({ store: { page }, turns });
    const answers = await Promise.all([1, 2, 3].map((question) => record(asked(principal, question))));
    expect(pages).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3]);
    for (const { bytes } of answers) {
      const { since, data } = JSON.parse(new TextDecoder().decode(bytes));
      expect([since, data[0].signals]).toEqual([new Date(BEGIN_MS).toISOString(), SIGNALS]);
    }
  });
}

test('an answer in groups also has the row of all signals if it is requested, from the same read', async () => {
  const { pages, page } = await fullStore();
  const { record } = recordAnswers({ store: { page }, turns: untimedTurns() });
  const read = async (words: object) => {
    const { bytes } = await record({ ...asked(KEYLESS, 1), words: { ...asked(KEYLESS, 1).words, ...words } });
    return JSON.parse(new TextDecoder().decode(bytes));
  };
  const whole = await read({});
  expect('total' in whole).toBe(false);
  pages.length = 0;
  const grouped = await read({ group_by: 'bookmaker', total: true });
  expect(pages).toEqual([1, 1, 1]);
  expect(grouped.total).toEqual(whole.data);
  expect(grouped.data).toHaveLength(1);
  expect('total' in (await read({ group_by: 'reference', total: true }))).toBe(false);
});

test('an answer takes its turn with the other answers about the past', async () => {
  const { pages, page } = await fullStore();
  const turns = untimedTurns();
  const { record } = recordAnswers({ store: { page }, turns });
  const slate = Promise.withResolvers<void>();
  const first = turns.run({ principal: KEYLESS }, async () => {
    await slate.promise;
    expect(pages).toEqual([]);
  });
  const second = record(asked(KEYLESS, 1));
  slate.resolve();
  await Promise.all([first, second]);
  expect(pages).toEqual([1, 1, 1]);
});

test('an answer that nobody waits for any more ends at its next page', async () => {
  const { pages, page } = await fullStore();
  const turns = untimedTurns();
  const left = new AbortController();
  const store = {
    page: (...read: Parameters<typeof page>) => {
      const rows = page(...read);
      left.abort();
      return rows;
    },
  };
  const { record } = recordAnswers({ store, turns });
  await expect(record(asked(KEYLESS, 1, left.signal))).rejects.toMatchObject({
    code: 'upstream_unavailable',
  });
  expect(pages).toEqual([1]);
});
