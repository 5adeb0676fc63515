// Days as agents name them, who seldom know the date: words for them mean the same as the date, in the zone asked for.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { NAMED_NOW, namedWires } from './named-slate.ts';
import { type Args, ToolService } from './tool-service.ts';

let service: ToolService;

beforeAll(async () => {
  service = await ToolService.play(namedWires(), NAMED_NOW);
  while ((await service.answer('enterprise', 'list_results', {})).count === 0) await Bun.sleep(10);
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
])('%s is %s in every tool that takes a day', async (word, date) => {
  expect(await ask('list_events', { date: word })).toEqual(await ask('list_events', { date }));
  for (const tool of ['find_match', 'match_info', 'find_value', 'get_sharp_line']) {
    const asked = { query: 'Arsenal' };
    expect([tool, await ask(tool, { ...asked, date: word })]).toEqual([
      tool,
      await ask(tool, { ...asked, date }),
    ]);
  }
});

test('of results a weekday is the last one, and a range has a beginning', async () => {
  expect(await ask('list_results', { date: 'Saturday' })).toEqual(
    await ask('list_results', { date: '2026-02-28' }),
  );
  const today = await ask('list_results', { date: 'today' });
  expect(today.count).toBe(1);
  expect(await ask('list_results', { date: 'last monday', date_to: 'today' })).toEqual(today);
  // The match kicked off at 08:00 UTC, still Saturday in Honolulu.
  expect((await ask('list_results', { date: 'today', timezone: 'Pacific/Honolulu' })).count).toBe(0);
  expect((await ask('list_results', { date: '2026-02-28', timezone: 'Pacific/Honolulu' })).count).toBe(1);
  for (const args of [{ date_to: 'today' }, { date: 'today', date_to: 'yesterday' }, { date: 'someday' }]) {
    const { status, body } = await service.ask('enterprise', 'list_results', args);
    expect([args, status]).toEqual([args, 400]);
    expect((body as { error: { fix: string } }).error.fix).toContain('date');
  }
});
