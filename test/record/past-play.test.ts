// All batches of one instant are evaluated together, as one batch would be.

import { expect, test } from 'bun:test';
import { toIsoText } from '../../src/clock.ts';
import { type PastBatch, PastPlay } from '../../src/record/past-play.ts';

const START_MS = Date.UTC(2026, 5, 19);
const at = toIsoText(START_MS);
const named = (name: string) => ({ key: name, name });

function fixture(event: string, seq: number): unknown {
  const names = { league: named('League'), home: named(`Home ${event}`), away: named(`Away ${event}`) };
  return { type: 'event', at, event, sport: 'football', ...names, scheduled_at: at, seq };
}

test('an instant is evaluated only once, after its last batch', async () => {
  const seen: number[] = [];
  const play = new PastPlay({
    ...{ windows: { liveMs: 1e9, prematchMs: 1e9 }, kinds: [], minEdgePct: 0, maxEdgePct: 100 },
    onMoment: async ({ reader }) => {
      seen.push(reader.slotCount());
    },
  });
  async function* batches(): AsyncGenerator<PastBatch> {
    yield { atMs: START_MS, messages: [{ type: 'hello', protocol: 1, source: 'history', at }] };
    yield { atMs: START_MS, messages: [fixture('one', 1)], continues: true };
    yield { atMs: START_MS, messages: [fixture('two', 2)] };
  }
  await play.play(batches());
  expect(seen).toEqual([2]);
});
