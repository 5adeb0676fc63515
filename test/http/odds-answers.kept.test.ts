// Whatever the feed and the clock have done, the cached answer of a URL equals the handler's answer at the
// same instant, or the cache has no answer.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { KEYLESS, type Principal } from '../../src/domain/tiers.ts';
import type { FormedAnswer } from '../../src/http/kit/forms.ts';
import { PLAIN } from '../../src/http/kit/representation.ts';
import { OddsAnswers } from '../../src/http/odds-answers.ts';
import { OddsEncoder } from '../../src/query/odds/odds-encoder.ts';
import { oddsFilter } from '../../src/query/odds/odds-filter.ts';
import { FixtureWatch } from '../../src/query/slate/fixture-watch.ts';
import { heartbeatWire, quoteWire, stateWire, wireTime } from '../feed/wire.ts';
import { fixtureWire, SlateDesk, WINDOWS } from '../query/slate-desk.ts';

const START_MS = Date.UTC(2026, 2, 1, 12);
const SEES_SHARP: Principal = { tier: 'standard', seesSharp: true, keyId: 'key_1' };

const step = fc.record({
  what: fc.constantFrom(
    ...['ask', 'ask', 'ask', 'ask', 'ask', 'quote', 'heartbeat', 'heartbeat', 'state', 'leave'],
    ...['return', 'return', 'other'],
  ),
  /** Mostly zero, because many requests come in the same moment. */
  passedMs: fc.oneof(
    { weight: 20, arbitrary: fc.constant(0) },
    { weight: 4, arbitrary: fc.nat(4_000) },
    { weight: 2, arbitrary: fc.nat(70_000) },
    { weight: 1, arbitrary: fc.constant(301_000) },
  ),
  seesSharp: fc.boolean(),
});

/** A slate with one fixture and one quote, and the answers from it. */
function oneFixture() {
  const desk = new SlateDesk();
  const { reader } = desk.ingest;
  desk.snapshot(fixtureWire('e1', '2026-03-01T12:05:00Z'), quoteWire(0));
  const answers = new OddsAnswers({
    slate: desk.slate,
    encoder: new OddsEncoder(reader),
    watch: new FixtureWatch(reader, WINDOWS),
  });
  return { desk, answers, eventId: desk.slate.peek(START_MS)[0]!.view.id };
}

test('KeptOdds.ready returns null or exactly what OddsAnswers.reply answers now', async () => {
  let readyCount = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { desk, answers, eventId } = oneFixture();
      const kept = answers.keep(eventId, {});
      let nowMs = START_MS;
      let monotonicMs = 0;
      for (const { what, passedMs, seesSharp } of steps) {
        nowMs += passedMs;
        monotonicMs += passedMs + 1;
        const at = wireTime(nowMs);
        desk.ingest.nowMs = nowMs;
        if (what === 'quote') desk.send(quoteWire(0, 'e1', { at }));
        else if (what === 'heartbeat') desk.send(heartbeatWire(0, { at }));
        else if (what === 'state') desk.send(stateWire(0, 'e1', { at }));
        else if (what === 'leave') desk.send({ type: 'remove', event: 'e1', at });
        else if (what === 'return') desk.send(fixtureWire('e1', '2026-03-01T12:05:00Z', { at }));
        else if (what === 'other') desk.send(fixtureWire('e2', '2026-03-01T12:05:00Z', { at }));
        const principal = seesSharp ? SEES_SHARP : KEYLESS;
        const ready = kept.ready(principal, { nowMs, monotonicMs });
        // The bytes of the body belong to the encoder until its next use.
        const made = ready === null ? null : { etag: ready.etag, body: await textOf(ready) };
        const answer = answerOf(() => answers.reply(eventId, oddsFilter({}, principal), nowMs));
        if (made === null) continue;
        readyCount += 1;
        expect(made).toEqual({ etag: answer!.etag!, body: await textOf(answer!.body as FormedAnswer) });
      }
    }),
  );
  expect(readyCount).toBeGreaterThan(30);
});

test('a body fits its tag, even if the fixture has moved or left since the answer was found', async () => {
  for (const after of [quoteWire(0, 'e1', { prices: [3, 1.4] }), { type: 'remove', event: 'e1' }]) {
    const { desk, answers, eventId } = oneFixture();
    const filter = oddsFilter({}, KEYLESS);
    const expected = await textOf(answers.find(eventId, filter, START_MS));
    const answer = answers.find(eventId, filter, START_MS);
    desk.send({ ...after, at: wireTime(START_MS + 1_000) });
    expect(await textOf(answer)).toBe(expected);
  }
});

/** Copies the body, which is valid only until the encoder is used again. */
function textOf(answer: FormedAnswer): Promise<string> {
  return new Response(answer.body(PLAIN).body).text();
}

function answerOf<Answer>(ask: () => Answer): Answer | null {
  try {
    return ask();
  } catch {
    return null; // in that case no cached answer may be ready
  }
}
