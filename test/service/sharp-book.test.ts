// The sharp bookmaker as each kind of caller sees it: nowhere on the free tier, with or without a key, and
// everywhere above.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { CALLERS, type Caller } from '../support/callers.ts';
import { type Answered, Surface } from '../support/surface.ts';

const SHARP = 'pinnacle';
const FIXTURES_MAX = 12;

interface Quote {
  readonly bookmaker: string;
}

let surface: Surface;
/** Fixtures that the sharp bookmaker quotes now. */
let eventIds: string[];

beforeAll(async () => {
  surface = await Surface.start({ freeKeys: 40 });
  eventIds = [];
  for (const id of surface.eventIds) {
    const { odds } = await surface.running.get<{ odds: Quote[] }>(`/v1/events/${id}/odds`);
    if (odds.some((quote) => quote.bookmaker === SHARP)) eventIds.push(id);
    if (eventIds.length === FIXTURES_MAX) break;
  }
});
afterAll(() => surface[Symbol.asyncDispose]());

/** Every request whose answer has quotes. */
function quoteRequests(suffix: string): { path: string; body: string | null }[] {
  const { bookmakers } = Object.fromEntries(new URLSearchParams(suffix));
  const batch = { event_ids: eventIds, ...(bookmakers === undefined ? {} : { bookmakers }) };
  return [
    ...eventIds.flatMap((id) => [
      { path: `/v1/events/${id}/odds?${suffix}`, body: null },
      { path: `/v1/events/${id}/odds?markets=1x2&period=full_time&format=malay&${suffix}`, body: null },
      { path: `/v1/events/${id}/odds/1x2?${suffix}`, body: null },
      { path: `/v1/events/${id}/opening?${suffix}`, body: null },
    ]),
    { path: '/v1/odds/batch', body: JSON.stringify(batch) },
    { path: '/v1/openings/batch', body: JSON.stringify(batch) },
  ];
}

function ask(caller: Caller, { path, body }: { path: string; body: string | null }): Promise<Answered> {
  return surface.send(caller, { method: body === null ? 'GET' : 'POST', path, body });
}

test('the slate holds quotes of the sharp book', () => {
  expect(eventIds.length).toBeGreaterThan(3);
});

describe.each([...CALLERS])('%s', (caller) => {
  const seesSharp = caller !== 'keyless' && caller !== 'free';

  test(`sees ${seesSharp ? 'the' : 'no'} sharp book in odds, one market, openings and batch`, async () => {
    for (const request of quoteRequests('')) {
      const answered = await ask(caller, request);
      const needsKey = request.path === '/v1/odds/batch' && caller === 'keyless';
      expect(answered.status).toBe(needsKey ? 401 : 200);
      if (!needsKey) expect([request.path, answered.text.includes(SHARP)]).toEqual([request.path, seesSharp]);
    }
  });

  test(`naming it is ${seesSharp ? 'answered with it alone' : '403 forbidden'}, also beside others`, async () => {
    for (const named of [SHARP, `crown,${SHARP}`, `${SHARP},sbobet`]) {
      for (const request of quoteRequests(`bookmakers=${named}`)) {
        const answered = await ask(caller, request);
        if (request.path === '/v1/odds/batch' && caller === 'keyless') expect(answered.status).toBe(401);
        else if (seesSharp) expect([request.path, answered.status]).toEqual([request.path, 200]);
        else {
          expect([request.path, answered.status]).toEqual([request.path, 403]);
          expect(answered.body).toMatchObject({ error: { code: 'forbidden', is_retriable: false } });
        }
      }
    }
  });

  test(`naming it in a tool is ${seesSharp ? 'answered' : '403 forbidden'}`, async () => {
    const tools = surface.document.operations.filter(({ path, body }) => {
      const properties = body === null ? {} : (surface.document.resolve(body).properties ?? {});
      // This service keeps no history.
      const isOfPast = /line_history|get_closing_line/.test(path);
      return path.startsWith('/v1/mcp/') && !isOfPast && 'bookmakers' in properties;
    });
    expect(tools.length).toBeGreaterThan(1);
    for (const tool of tools) {
      const [sample] = surface.samples.good(tool);
      for (const bookmakers of [[SHARP], ['crown', SHARP]]) {
        const body = JSON.stringify({ ...JSON.parse(sample?.body ?? '{}'), bookmakers });
        const answered = await ask(caller, { path: tool.path, body });
        expect([tool.path, answered.status]).toEqual([tool.path, seesSharp ? 200 : 403]);
      }
    }
  });

  test('gets the same quotes of all other books', async () => {
    for (const id of eventIds) {
      const request = { method: 'GET', path: `/v1/events/${id}/odds`, body: null };
      const all = quotesOf(await surface.send('enterprise', request));
      const seen = quotesOf(await surface.send(caller, request));
      expect(seen).toEqual(seesSharp ? all : all.filter((quote) => quote.bookmaker !== SHARP));
    }
  });
});

test('an answer made for one tier is never given to another, in whichever order they ask', async () => {
  for (const id of eventIds) {
    const request = { method: 'GET', path: `/v1/events/${id}/odds?format=hk`, body: null };
    for (const caller of ['keyless', 'enterprise', 'free', 'standard', 'keyless'] as const) {
      const answered = await surface.send(caller, request);
      expect(answered.text.includes(SHARP)).toBe(caller === 'enterprise' || caller === 'standard');
      const etag = answered.headers.get('etag') ?? '';
      const other = caller === 'keyless' || caller === 'free' ? 'enterprise' : 'keyless';
      const revalidated = await surface.send(other, request, { 'if-none-match': etag });
      expect(revalidated.status).toBe(200);
    }
  }
});

test('/health has the same counts for every caller, and nothing about single bookmakers', async () => {
  const answers = await Promise.all(
    CALLERS.map((caller) => surface.send(caller, { method: 'GET', path: '/health', body: null })),
  );
  for (const { text } of answers) expect(text).not.toContain(SHARP);
});

function quotesOf({ body }: Answered): Quote[] {
  return (body as { odds: Quote[] }).odds;
}
