// Everything that a caller can ask about the past, as text. Tests compare what a caller reads from two tapes.

import { HOUR_MS } from '../../../src/clock.ts';
import type { Principal } from '../../../src/domain/tiers.ts';
import type { TapeCalls } from '../../../src/history/past/history-answers.ts';
import { dayOf } from '../../../src/history/tick.ts';
import type { PastAnswer } from '../../../src/query/lists/history-calls.ts';

/** The answer to each question: its body, its tag and whether it never changes; or its error. */
export async function surface(
  calls: TapeCalls,
  caller: { readonly principal: Principal; readonly nowMs: number },
  { instants, events }: { readonly instants: readonly number[]; readonly events: readonly string[] },
): Promise<string[]> {
  const answers: string[] = [];
  const note = async (what: string, answer: Promise<PastAnswer | object | null>): Promise<void> => {
    try {
      const found = await answer;
      const text =
        found !== null && 'bytes' in found
          ? `${found.etag} ${found.isFinal} ${new TextDecoder().decode(found.bytes)}`
          : JSON.stringify(found);
      answers.push(`${what}: ${text}`);
    } catch (error) {
      const { code, message, fix } = error as { code?: string; message: string; fix?: string };
      if (code === undefined) throw error;
      answers.push(`${what}: ${code} ${message} ${fix}`);
    }
  };
  const words = { resolution: 'tick', limit: 5 } as const;
  for (const at of instants.map((ms) => new Date(ms).toISOString())) {
    for (const eventId of events) await note(`odds ${at}`, calls.odds({ ...caller, eventId, words: {}, at }));
    await note(`batch ${at}`, calls.batch({ ...caller, eventIds: events, words: {}, at }));
    await note(`slate ${at}`, calls.slate({ ...caller, words: {}, at }));
    await note(`status ${at}`, calls.slate({ ...caller, words: { status: 'live', league: 'League 1' }, at }));
  }
  for (const eventId of events) {
    await note('ticks', calls.ticks({ ...caller, eventId, words }));
    await note('hours', calls.ticks({ ...caller, eventId, words: { ...words, resolution: '1h' } }));
    const to = new Date(caller.nowMs - 2 * HOUR_MS).toISOString();
    await note('range', calls.ticks({ ...caller, eventId, words: { ...words, to, limit: 1_000 } }));
    const from = new Date(caller.nowMs - 100 * HOUR_MS).toISOString();
    await note('from', calls.ticks({ ...caller, eventId, words: { ...words, from, limit: 1_000 } }));
    await note('closing', calls.closing({ ...caller, eventId, words: {} }));
    await note('settlement', calls.settlement({ ...caller, eventId }));
    await note('find', calls.find({ ...caller, question: { query: eventId } }));
  }
  await note('by day', calls.find({ ...caller, question: { query: 'Home 1', date: dayOf(caller.nowMs) } }));
  await note('events', calls.events({ ...caller, words: { limit: 2 } }));
  await note('named', calls.events({ ...caller, words: { limit: 50, q: 'Home 2' } }));
  await note('league', calls.events({ ...caller, words: { limit: 50, league: 'League 0' } }));
  await note('coverage', calls.coverage(caller));
  return answers;
}
