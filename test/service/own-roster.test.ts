// A server with its operator's roster, started as an operator would. The tests check what every answer shows
// about its bookmakers, and what the server refuses.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const OWN = {
  bookmakers: [
    { key: 'corner_shop', name: 'Corner Shop', class: 'retail' },
    { key: 'pinnacle', name: 'Pinnacle', class: 'sharp' },
    { key: 'exchange', name: 'The Exchange', class: 'sharp' },
    { key: 'crown', name: 'Crown', class: 'asian' },
  ],
};

interface Quote {
  readonly bookmaker: string;
}

test('lists, filters, tiers and documents show the roster in use', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'roster.json');
  await Bun.write(path, JSON.stringify(OWN));
  await using server = new ServerProcess({ BOOKMAKERS: path, SIMULATOR_FOOTBALL_FIXTURES: '20' });
  const url = await server.serving();
  const [, key] = await server.logged(/key="(isk_\w+)"/);
  const ask = async (path: string, headers: Record<string, string> = {}, body?: unknown) => {
    const answer = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const authorized = { authorization: `Bearer ${key}` };

  const { data: listed } = JSON.parse((await ask('/v1/bookmakers')).text);
  expect(listed.map((book: { key: string; class: string }) => [book.key, book.class])).toEqual(
    OWN.bookmakers.map((book) => [book.key, book.class]),
  );
  expect(listed[1].id).toBe('bk_c50eBQmh'); // Pinnacle has the contract's id on any roster.

  const { data: events } = JSON.parse((await ask('/v1/events?status=scheduled&limit=1')).text);
  const odds = `/v1/events/${events[0].id}/odds`;
  const booksIn = (text: string) =>
    new Set((JSON.parse(text).odds as Quote[]).map(({ bookmaker }) => bookmaker));
  expect(booksIn((await ask(odds, authorized)).text)).toEqual(
    new Set(['corner_shop', 'pinnacle', 'exchange', 'crown']),
  );
  expect(booksIn((await ask(odds)).text)).toEqual(new Set(['corner_shop', 'crown']));
  expect(booksIn((await ask(`${odds}?bookmakers=exchange`, authorized)).text)).toEqual(new Set(['exchange']));
  expect((await ask(`${odds}?bookmakers=crown,exchange`)).status).toBe(403);
  const unknown = await ask(`${odds}?bookmakers=sbobet`, authorized);
  expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('corner_shop')]);

  const openapi = (await ask('/openapi.json')).text;
  expect(openapi).toContain('"enum":["corner_shop","pinnacle","exchange","crown"]');
  expect(openapi).toContain('"enum":["sharp","asian","retail"]');
  for (const text of [openapi, (await ask('/llms.txt')).text, (await ask('/v1/mcp/tools')).text]) {
    expect(text).toContain('four bookmakers');
    expect(text).not.toContain('seven bookmakers');
    expect(text).not.toContain('sbobet');
  }
});

test.each([
  ['no-such-roster', /BOOKMAKERS is "no-such-roster", allowed is betfair, isports/],
  ['package.json', /BOOKMAKERS is "package.json", allowed is a roster file .*"bookmakers"/],
])('BOOKMAKERS=%s stops the start, and the error says why', async (value, message) => {
  await using server = new ServerProcess({ BOOKMAKERS: value });
  expect(await server.exited()).toBe(1);
  expect(server.log).toMatch(message);
});

test('a polled source needs a bookmaker on the roster', async () => {
  await using server = new ServerProcess({ BOOKMAKERS: 'betfair', FEED: 'isports', ISPORTS_API_KEY: 'k' });
  expect(await server.exited()).toBe(1);
  expect(server.log).toMatch(
    /BOOKMAKERS is "betfair", allowed is a roster with a bookmaker that isports has/,
  );
});
