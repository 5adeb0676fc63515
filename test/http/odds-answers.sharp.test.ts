// A caller without the sharp bookmaker cannot detect from tags or stamps that it moves.

import { expect, test } from 'bun:test';
import { encodeId, entityNumber } from '../../src/domain/ids.ts';
import type { Principal } from '../../src/domain/tiers.ts';
import type { FormedAnswer } from '../../src/http/kit/forms.ts';
import { PLAIN } from '../../src/http/kit/representation.ts';
import { OddsAnswers } from '../../src/http/odds-answers.ts';
import { OddsEncoder } from '../../src/query/odds/odds-encoder.ts';
import { oddsFilter } from '../../src/query/odds/odds-filter.ts';
import { FixtureWatch } from '../../src/query/slate/fixture-watch.ts';
import { quoteWire } from '../feed/wire.ts';
import { fixtureWire, SlateDesk, WINDOWS } from '../query/slate-desk.ts';

const FREE: Principal = { tier: 'free', seesSharp: false, keyId: null };
const STANDARD: Principal = { tier: 'standard', seesSharp: true, keyId: 'key_1' };
const EVENT_ID = encodeId('event', entityNumber('event', 0, 'e1'));

test('a quote of the sharp bookmaker changes the tag and the stamp only for callers who see it', async () => {
  const desk = new SlateDesk();
  desk.snapshot(
    fixtureWire('e1', '2026-03-01T15:00:00Z'),
    quoteWire(0),
    quoteWire(0, 'e1', { bookmaker: 'pinnacle' }),
  );
  const encoder = new OddsEncoder(desk.ingest.reader);
  const watch = new FixtureWatch(desk.ingest.reader, WINDOWS);
  const answers = new OddsAnswers({ slate: desk.slate, encoder, watch });
  async function seenBy(principal: Principal): Promise<unknown[]> {
    const { etag, body } = answers.reply(EVENT_ID, oddsFilter({}, principal), desk.nowMs);
    const ready = answers.keep(EVENT_ID, {}).ready(principal, { nowMs: desk.nowMs, monotonicMs: 0 });
    expect(ready?.etag).toBe(etag!);
    return [etag, await new Response((body as FormedAnswer).body(PLAIN).body).text()];
  }
  const before = [await seenBy(FREE), await seenBy(STANDARD)];
  desk.ingest.nowMs = Date.UTC(2026, 2, 1, 12, 0, 1);
  const later = { at: '2026-03-01T12:00:01Z', prices: [1.9, 2] };
  desk.send(quoteWire(0, 'e1', { ...later, bookmaker: 'pinnacle' }));
  const after = [await seenBy(FREE), await seenBy(STANDARD)];
  expect(after[0]).toEqual(before[0]!);
  expect(after[1]![0]).not.toBe(before[1]![0]);
  expect(after[1]![1]).toContain('"as_of":"2026-03-01T12:00:01.000Z","stale"');
  desk.send(quoteWire(0, 'e1', later));
  expect((await seenBy(FREE))[0]).not.toBe(before[0]![0]);
});
