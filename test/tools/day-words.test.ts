// Agents seldom know the date, so tools accept words for days, and read them in the requested time zone.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { NAMED_NOW, namedWires } from './named-slate.ts';
import { randomSlate } from './random-slate.ts';
import { type Args, ToolService } from './tool-service.ts';

let service: ToolService;

beforeAll(async () => {
  service = await ToolService.play(namedWires(), NAMED_NOW);
  await service.untilResults(1);
});
afterAll(() => service[Symbol.asyncDispose]());

async function ask(tool: string, args: Args): Promise<Record<string, unknown>> {
  return service.answer('enterprise', tool, args);
}

// NAMED_NOW is Sunday, 2026-03-01, at noon UTC.
test.each([
  ['today', '2026-03-01'],
  ['tonight', '2026-03-01'],
  ['tomorrow', '2026-03-02'],
  ['yesterday', '2026-02-28'],
  ['Sunday', '2026-03-01'],
  ['saturday', '2026-03-07'],
  ['last saturday', '2026-02-28'],
  ['sonntag', '2026-03-01'],
  ['mañana', '2026-03-02'],
  ['1 March', '2026-03-01'],
  ['28.02.2026', '2026-02-28'],
])('%s means %s in every tool that accepts a day', async (word, date) => {
  expect(await ask('list_events', { date: word })).toEqual(await ask('list_events', { date }));
  for (const tool of ['find_match', 'match_info', 'find_value', 'get_sharp_line']) {
    const asked = { query: 'Arsenal' };
    expect([tool, await ask(tool, { ...asked, date: word })]).toEqual([
      tool,
      await ask(tool, { ...asked, date }),
    ]);
  }
});

test('a weekend is two days in every tool that lists matches; for a date with two readings the tool asks which is meant', async () => {
  for (const tool of ['list_events', 'list_leagues', 'scan_slate', 'list_results']) {
    const weekend = { date: '2026-02-28', date_to: '2026-03-01' };
    for (const date of ['this weekend', 'weekend', 'Wochenende'])
      expect([tool, await ask(tool, { date })]).toEqual([tool, await ask(tool, weekend)]);
    const { status, body } = await service.ask('enterprise', tool, { date: '02/03' });
    const { fix } = (body as { error: { fix: string } }).error;
    expect([tool, status, fix]).toEqual([tool, 400, 'Send 2026-03-02 or 2026-02-03']);
  }
});

test('for results a weekday means the last such day, and a range needs a beginning', async () => {
  expect(await ask('list_results', { date: 'Saturday' })).toEqual(
    await ask('list_results', { date: '2026-02-28' }),
  );
  const today = await ask('list_results', { date: 'today' });
  expect(today.count).toBe(1);
  expect(await ask('list_results', { date: 'last monday', date_to: 'today' })).toEqual(today);
  // The match kicked off at 08:00 UTC, when it was still Saturday in Honolulu.
  expect((await ask('list_results', { date: 'today', timezone: 'Pacific/Honolulu' })).count).toBe(0);
  expect((await ask('list_results', { date: '2026-02-28', timezone: 'Pacific/Honolulu' })).count).toBe(1);
  for (const args of [{ date_to: 'today' }, { date: 'today', date_to: 'yesterday' }, { date: 'someday' }]) {
    const { status, body } = await service.ask('enterprise', 'list_results', args);
    expect([args, status]).toEqual([args, 400]);
    expect((body as { error: { fix: string } }).error.fix).toContain('date');
  }
});

const ZONES = [
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kolkata',
  'America/New_York',
  'Europe/London',
];

test('a fixture is found by its UTC date, in `date` or in the query, whatever the timezone', async () => {
  await using many = await ToolService.play(randomSlate(1, Date.parse(NAMED_NOW), 160), NAMED_NOW);
  const events = (await many.events()).filter(({ scheduled_at }) => scheduled_at !== null);
  expect(events.length).toBeGreaterThan(100);
  for (const [index, { id, home_team, away_team, scheduled_at }] of events.entries()) {
    const date = scheduled_at!.slice(0, 10);
    const query = `${home_team.name} vs ${away_team.name}`;
    const timezone = ZONES[index % ZONES.length]!;
    const ways = [
      { query, date, timezone },
      { query: `${query} ${date}`, timezone },
      { query, date },
    ];
    const args = ways[index % ways.length]!;
    const answer = await many.answer('enterprise', 'match_info', args);
    expect([args, (answer.match as { event_id: string } | null)?.event_id]).toEqual([args, id]);
  }
  // Lists use the local day if the call names a zone.
  for (const timezone of ZONES) {
    const local = (instant: string) =>
      Temporal.Instant.from(instant).toZonedDateTimeISO(timezone).toPlainDate().toString();
    const date = local(events[Math.floor(events.length / 2)]!.scheduled_at!);
    const listed = await many.answer('enterprise', 'list_events', { date, timezone, limit: 200 });
    expect((listed.matches as { event_id: string }[]).map(({ event_id }) => event_id).sort()).toEqual(
      events.flatMap((event) => (local(event.scheduled_at!) === date ? [event.id] : [])).sort(),
    );
  }
}, 120_000);
