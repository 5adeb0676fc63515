// The provider's own samples, row by row, compared with the columns that the adapter reads.

import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COLUMNS } from '../../../src/feed/isports/messages.ts';
import { rowOf } from '../../../src/feed/isports/rows.ts';

const SAMPLES = join(import.meta.dir, '../../../../shared/data/upstreams/isports');

describe.skipIf(!existsSync(SAMPLES))(
  "isports' own samples (skipped where they are not beside the checkout)",
  () => {
    test('every row of every endpoint has the columns that the adapter’s table lists', () => {
      const files: Readonly<Record<string, string>> = {
        'getFootballOddsMain.json': 'football/odds/main',
        'getFootballOddsMainChanges.json': 'football/odds/main/changes',
        'getFootballOddsAll.json': 'football/odds/all',
        'getFootballOddsAllChanges.json': 'football/odds/all/changes',
        'getBasketballOddsFulltime.json': 'basketball/odds/fulltime',
        'getBasketballOddsFulltimeChanges.json': 'basketball/odds/fulltime/changes',
        'getBasketballOddsHalf.json': 'basketball/odds/half',
      };
      expect(readdirSync(SAMPLES)).toEqual(expect.arrayContaining(Object.keys(files)));
      expect(Object.keys(COLUMNS).sort()).toEqual(Object.values(files).sort());
      let rowCount = 0;
      for (const [file, endpoint] of Object.entries(files)) {
        const { data } = JSON.parse(readFileSync(join(SAMPLES, file), 'utf8')) as {
          data: Record<string, string[]>;
        };
        for (const [array, rows] of Object.entries(data)) {
          for (const row of rows) {
            const refused: string[] = [];
            const everyone = new Map(Array.from({ length: 1_000 }, (_, id) => [String(id), 'crown']));
            const read = rowOf(array, row, {
              endpoint,
              bookmakers: everyone,
              count: (what) => refused.push(what),
              unmapped: (name) => refused.push(name),
            });
            expect({ row, array, endpoint, refused }).toEqual({ row, array, endpoint, refused: [] });
            expect(read).not.toBeNull();
            // A bookmaker's margin is a few per cent on every market. Prices of a wrong kind would give
            // another margin.
            const sum = read!.prices.reduce((total, price) => total + 1 / price, 0);
            expect(sum).toBeGreaterThan(0.98);
            expect(sum).toBeLessThan(1.35);
            rowCount++;
          }
        }
      }
      expect(rowCount).toBeGreaterThan(80);
    });
  },
);
