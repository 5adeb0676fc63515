// How often a source's liquidity is sent: not with every order, but the last state is always sent.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Picture, type PolledFixture } from '../../../src/feed/poll/picture.ts';

const APART_MS = 5_000;
const TEAMS = {
  ...{ sport: 'football', league: { key: 'l', name: 'League' }, scheduledAtMs: 1_000_000 },
  ...{ home: { key: 'h', name: 'Home' }, away: { key: 'a', name: 'Away' } },
} as const;

function updateOf(size: number): PolledFixture {
  const row = { market: '1x2', period: 'full_time', line: null, sizes: [size, size, size], matched: null };
  return {
    ...{ event: 'e', fixture: TEAMS },
    liquidity: { bookmaker: 'kalshi', currency: 'USD', rows: size === 0 ? [] : [row] },
  } as PolledFixture;
}

test('liquidity is sent at most every five seconds, and its last state is always sent', () => {
  const step = fc.record({ afterMs: fc.nat(7_000), size: fc.nat(3) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      const picture = new Picture(() => undefined);
      const sent: { readonly atMs: number; readonly sizes: unknown }[] = [];
      let nowMs = 1_000;
      const take = (drafts: ReturnType<Picture['dueLiquidity']>): void => {
        for (const draft of drafts) {
          if (draft.type === 'liquidity') sent.push({ atMs: nowMs, sizes: draft.rows[0]?.sizes[0] ?? 0 });
        }
      };
      for (const { afterMs, size } of steps) {
        nowMs += afterMs;
        take(picture.apply(updateOf(size), nowMs));
        take(picture.dueLiquidity(nowMs));
        const whole = picture.whole(nowMs).find(({ type }) => type === 'liquidity');
        expect(whole?.type === 'liquidity' && (whole.rows[0]?.sizes[0] ?? 0)).toBe(size);
      }
      const dueAtMs = picture.liquidityDueAtMs();
      expect(dueAtMs === Number.POSITIVE_INFINITY || dueAtMs <= nowMs + APART_MS).toBe(true);
      nowMs += APART_MS;
      take(picture.dueLiquidity(nowMs));
      expect(picture.liquidityDueAtMs()).toBe(Number.POSITIVE_INFINITY);
      expect(sent.at(-1)!.sizes).toBe(steps.at(-1)!.size);
      for (const [index, { atMs }] of sent.entries()) {
        if (index > 0) expect(atMs - sent[index - 1]!.atMs).toBeGreaterThanOrEqual(APART_MS);
      }
    }),
  );
});
