// Which source each bookmaker comes from when several run, and the text about prices that visitors do not
// see.

import { describe, expect, test } from 'bun:test';
import { CONTRACT_ROSTER, type RosterBookmaker } from '../../src/domain/roster.ts';
import { bookmakersByFeed, hiddenPricesText } from '../../src/feed/bookmaker-owners.ts';
import { loadConfig } from '../../src/settings/config.ts';
import type { FeedSetting } from '../../src/settings/feed-settings.ts';
import { ServerProcess } from '../support/server-process.ts';

const { betfair } = loadConfig({});
const kinds = (...names: readonly string[]) => names.map((kind) => ({ kind }) as FeedSetting);

function owned(names: readonly string[], roster: readonly RosterBookmaker[], exchange: string | null = null) {
  const settings = { feeds: kinds(...names), betfair: { ...betfair, bookmaker: exchange } };
  return bookmakersByFeed(settings, roster).map((keys) => [...keys].join(' '));
}

function book(key: string, sources: RosterBookmaker['sources'], feed?: readonly string[]): RosterBookmaker {
  return { key, name: key, class: 'sharp', sources, ...(feed === undefined ? {} : { feed }) };
}

describe('bookmakersByFeed', () => {
  test('a single source has every bookmaker that it can have', () => {
    expect(owned(['simulator'], CONTRACT_ROSTER.bookmakers)).toEqual([
      'crown sbobet macau m8bet pinnacle nova88 hkjc',
    ]);
    expect(owned(['isports'], CONTRACT_ROSTER.bookmakers)).toEqual(['crown sbobet macau pinnacle hkjc']);
  });

  test('the default roster needs no `feed` for any pair of upstreams', () => {
    expect(owned(['isports', 'the-odds-api'], CONTRACT_ROSTER.bookmakers)).toEqual([
      'crown sbobet macau hkjc',
      'pinnacle',
    ]);
    expect(owned(['api-football', 'isports'], CONTRACT_ROSTER.bookmakers)).toEqual([
      'pinnacle',
      'crown sbobet macau hkjc',
    ]);
    expect(owned(['api-football', 'the-odds-api'], CONTRACT_ROSTER.bookmakers)).toEqual([
      'sbobet',
      'pinnacle',
    ]);
  });

  test('if one source has keys of its own and another uses ours, the first gets its bookmakers and the other gets the rest', () => {
    const roster = [book('a', { isports: 1 }), book('b', {})];
    expect(owned(['websocket', 'isports'], roster)).toEqual(['b', 'a']);
    expect(owned(['websocket', 'isports'], [book('a', { isports: 1 }, ['websocket'])])).toEqual(['a', '']);
    expect(owned(['isports', 'betfair'], roster, 'b')).toEqual(['a', 'b']);
  });

  test('two sources of one bookmaker are refused unless `feed` names one of them that runs', () => {
    const both = { isports: 1, 'the-odds-api': 'x' };
    expect(() => owned(['isports', 'the-odds-api'], [book('a', both)])).toThrow(
      'Bookmaker "a" may come from isports and the-odds-api: give it "feed": "isports" (or another of these) in the roster',
    );
    expect(() => owned(['isports', 'the-odds-api'], [book('a', both, ['betfair'])])).toThrow('may come from');
    expect(owned(['isports', 'the-odds-api'], [book('a', both, ['betfair', 'the-odds-api'])])).toEqual([
      '',
      'a',
    ]);
    expect(() => owned(['websocket', 'websocket'], [book('a', {})])).toThrow('websocket and websocket-2');
  });
});

describe('hiddenPricesText', () => {
  const oddsApi = (key: string, bookmakerClass: RosterBookmaker['class'] = 'sharp'): RosterBookmaker => ({
    ...book(key, { 'the-odds-api': key }),
    class: bookmakerClass,
  });
  const hidden = (names: readonly string[], roster: readonly RosterBookmaker[]) =>
    hiddenPricesText({ feeds: kinds(...names), betfair }, roster);

  test('reports when every bookmaker of the sources is sharp, whatever else the roster has', () => {
    const roster = [oddsApi('one'), oddsApi('two'), { ...book('crown', {}), class: 'asian' as const }];
    expect(hidden(['the-odds-api'], roster)).toContain(
      'the-odds-api brings only sharp books here (one, two)',
    );
    for (const other of ['asian', 'retail'] as const)
      expect(hidden(['the-odds-api'], [...roster, oddsApi('three', other)])).toBeNull();
    expect(hidden([], roster)).toBeNull();
    // A source that speaks the feed protocol has all bookmakers that no other source has.
    expect(hidden(['the-odds-api', 'websocket'], roster)).toBeNull();
  });

  test('a server on The Odds API with the default roster explains why a visitor sees no price', async () => {
    await using server = new ServerProcess({
      FEED: 'the-odds-api',
      THE_ODDS_API_KEY: 'test',
      THE_ODDS_API_URL: 'http://127.0.0.1:1',
    });
    const url = await server.listening();
    await server.logged(/prices_are_hidden .*\(Pinnacle\)/);
    const answer = await fetch(`${url}/v1/mcp/list_bookmakers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await answer.text()).toContain('the-odds-api brings only sharp books here (Pinnacle)');
  });
});
