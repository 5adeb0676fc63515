// Betfair's own stream, if it is beside the checkout, compared with an independent reading of it.

import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { market, play } from './betfair-scene.ts';
import type { Change } from './stand-in.ts';

const SAMPLES = new URL('../../../../shared/data/upstreams/betfair-stream/', import.meta.url).pathname;

describe.skipIf(!existsSync(SAMPLES))(
  "Betfair's own stream (skipped where the samples are not beside the checkout)",
  () => {
    const football = linesOf('football-one-event-filtered.ndjson');
    const catalogue = [
      sampleMarket('1.242971262', '34258228', 'Home FC v Away FC'),
      sampleMarket('1.242971311', '34258228', 'Home FC v Away FC'),
    ];

    test('the order book and the best prices of a football match equal an independent reading, at full speed', async () => {
      const { quotes } = await play(football, { catalogue });
      expect(quotes).toEqual(readIndependently(football));
      expect(quotes.length).toBeGreaterThan(15);
    }, 120_000);

    test('the densest seconds of that match equal an independent reading also at real pace', async () => {
      const windowMs = 2_000;
      let [from, to] = [1, 1];
      for (let start = 1, end = 1; start < football.length; start++) {
        while (end < football.length && football[end]!.pt < football[start]!.pt + windowMs) end++;
        if (end - start > to - from) [from, to] = [start, end];
      }
      const script = football.slice(0, to);
      const { quotes } = await play(script, {
        catalogue,
        after: async (index) => {
          if (index >= from && index + 1 < to) await Bun.sleep(script[index + 1]!.pt - script[index]!.pt);
        },
      });
      expect(to - from).toBeGreaterThan(5);
      expect(quotes).toEqual(readIndependently(script));
    }, 120_000);

    test('in a basketball match the home side is named second, from before kick-off to the end', async () => {
      const script = linesOf('nba-match-odds-2019-12-29-excerpt.ndjson');
      const nba = [sampleMarket('1.166811431', '29635049', 'Cleveland Cavaliers @ Minnesota Timberwolves')];
      const closedAt = script.findIndex(({ mc }) => JSON.stringify(mc).includes('"status":"CLOSED"'));
      const before = script.slice(0, closedAt);
      const open = await play(before, { catalogue: nba });
      expect(open.quotes).toEqual(readIndependently(before));
      expect(Object.values(open.dump)[0]).toMatchObject({
        names: ['Made-up League', 'Minnesota Timberwolves', 'Cleveland Cavaliers'],
      });
      const closed = await play(script, { catalogue: nba });
      expect(closed.quotes).toEqual([]);
      expect(Object.values(closed.dump)[0]).toMatchObject({ facts: { feedStatus: 2 } });
    }, 120_000);
  },
);

function sampleMarket(marketId: string, id: string, name: string) {
  return { ...market(marketId, []), event: { id, name } };
}

function linesOf(name: string): Change[] {
  if (!existsSync(SAMPLES + name)) return [];
  const lines = readFileSync(SAMPLES + name, 'utf8')
    .trim()
    .split('\n');
  // Each line gets a `clk` of its own, because a client that resumes names the last `clk` that it has.
  return lines.map((line, index) => ({ ...(JSON.parse(line) as Change), clk: `clk-${index}` }));
}

/** A plain reading of the file: sizes by price in nested objects, and the highest price with money on it. */
function readIndependently(script: readonly Change[]): string[] {
  type Runner = { id: number; hc?: number; sortPriority: number; status: string };
  const books: Record<string, Record<string, Record<string, number>>> = {};
  const definitions: Record<
    string,
    { status: string; marketType: string; eventTypeId: string; runners: Runner[] }
  > = {};
  for (const { mc = [] } of script) {
    for (const item of mc as {
      id: string;
      img?: boolean;
      marketDefinition?: (typeof definitions)[string];
      rc?: { id: number; hc?: number; atb?: number[][] }[];
    }[]) {
      if (item.img || books[item.id] === undefined) books[item.id] = {};
      if (item.marketDefinition !== undefined) definitions[item.id] = item.marketDefinition;
      for (const { id, hc = 0, atb = [] } of item.rc ?? []) {
        const book = books[item.id]!;
        const ladder = book[`${id} ${hc}`] ?? {};
        book[`${id} ${hc}`] = ladder;
        for (const [price, size] of atb) ladder[String(price)] = size!;
      }
    }
  }
  const quotes: string[] = [];
  for (const [id, { status, marketType, eventTypeId, runners }] of Object.entries(definitions)) {
    const best = (runner: number, hc: number) => {
      const ladder = books[id]![`${runner} ${hc}`] ?? {};
      return Math.max(
        0,
        ...Object.keys(ladder)
          .filter((price) => ladder[price]! > 0)
          .map(Number),
      );
    };
    const add = (line: string, prices: number[]) => {
      if (Math.max(...prices) === 0) return;
      quotes.push(
        `${line}: ${prices.join('/')} ${status === 'OPEN' && Math.min(...prices) > 0 ? 'open' : 'suspended'}`,
      );
    };
    const [first, second, third] = runners
      .toSorted((a, b) => a.sortPriority - b.sortPriority)
      .map((runner) => runner.id);
    if (marketType === 'MATCH_ODDS' && eventTypeId === '1')
      add('1x2 null', [best(first!, 0), best(third!, 0), best(second!, 0)]);
    else if (marketType === 'MATCH_ODDS') add('1x2 null', [best(second!, 0), best(first!, 0)]);
    else {
      for (let quarters = -16; quarters <= 16; quarters++) {
        const line = quarters / 4;
        add(`asian_handicap ${line}`, [best(first!, line), best(second!, line === 0 ? 0 : -line)]);
      }
    }
  }
  return quotes.sort();
}
