// Season files of football-data.co.uk as recordings: made-up rows of the provider's shape, and a real season
// if it is beside the checkout.

import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { rowsOf } from '../../../src/feed/football-data/csv.ts';
import { DEFAULT_BOOKMAKERS, recordingOf } from '../../../src/feed/football-data/recording.ts';
import { parseMessage } from '../../../src/feed/parse-message.ts';

const SEASON = new URL(
  '../../../../shared/data/upstreams/football-data-co-uk/E0_2025-26.csv',
  import.meta.url,
).pathname;
const options = { bookmakers: DEFAULT_BOOKMAKERS, helloAtMs: null };

const HEADER =
  'Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,HR,AR,B365H,B365D,B365A,PSH,PSD,PSA,P>2.5,P<2.5,AHh,PAHH,PAHA,PSCH,PSCD,PSCA,PC>2.5,PC<2.5,AHCh,PCAHH,PCAHA,,';
const PLAYED =
  'E0,16/08/2025,12:30,"Red, FC",Blue,4,2,0,1,1.3,6,8.5,1.28,6.56,9.07,1.37,3.26,-1.5,1.9,2.03,1.29,6.55,9.75,1.41,2.95,-1.75,2.07,1.85,,';
const COMING = 'E0,20/12/2025,15:00,Blue,"Red, FC",,,,,1.3,6,8.5,,,,,,,,,,,,,,,,,,';

describe('recordingOf', () => {
  const season = recordingOf(
    rowsOf(`\uFEFF${HEADER}\r\n${PLAYED}\r\n${COMING}\r\nE0,31/02/2025,12:00,A,B,,\r\n\r\n`),
    options,
  );
  const brief = season.messages.map(({ at, type, market_type, line, prices, status, score }) =>
    [at, type, market_type, line, prices, status, score]
      .filter((part) => part !== undefined && part !== null)
      .join(' '),
  );

  test('the recording has the openings of the first line, the closing prices of the last line, and the result', () => {
    expect(brief).toEqual([
      '2025-12-20T12:00:00.000Z hello',
      '2025-08-14T11:30:00.000Z event',
      '2025-08-14T11:30:00.000Z quote 1x2 1.28,6.56,9.07 open',
      '2025-08-14T11:30:00.000Z quote totals 2.5 1.37,3.26 open',
      '2025-08-14T11:30:00.000Z quote asian_handicap -1.5 1.9,2.03 open',
      '2025-08-16T11:25:00.000Z close asian_handicap -1.5',
      '2025-08-16T11:25:00.000Z quote 1x2 1.29,6.55,9.75 open',
      '2025-08-16T11:25:00.000Z quote totals 2.5 1.41,2.95 open',
      '2025-08-16T11:25:00.000Z quote asian_handicap -1.75 2.07,1.85 open',
      '2025-08-16T11:30:00.000Z quote 1x2 1.29,6.55,9.75 suspended', // kick-off, British summer time
      '2025-08-16T11:30:00.000Z quote totals 2.5 1.41,2.95 suspended',
      '2025-08-16T11:30:00.000Z quote asian_handicap -1.75 2.07,1.85 suspended',
      '2025-08-16T11:30:00.000Z state live 0,0',
      '2025-08-16T13:20:00.000Z result 4,2',
      '2025-08-16T16:20:00.000Z remove',
      '2025-12-18T15:00:00.000Z event', // and winter time
    ]);
    expect(season.messages[1]).toMatchObject({ home: { key: 'E0-red-fc', name: 'Red, FC' } });
    expect(season).toMatchObject({ matches: 2, quotes: 9, refused: 1 });
    expect([...season.unmapped]).toEqual([['B365', 2]]);
  });

  test('refuses a file that is not a season file', () => {
    expect(() => rowsOf('<html>')).toThrow('the header has no Div');
  });

  test.skipIf(!existsSync(SEASON))(
    'reads a whole season, and every message is well-formed (skipped where the file is not beside the checkout)',
    async () => {
      const rows = rowsOf(await Bun.file(SEASON).text());
      const { messages, matches, refused, unmapped } = recordingOf(rows, options);
      expect({ matches, refused }).toEqual({ matches: 380, refused: 0 });
      expect(messages.map(parseMessage).filter((message) => typeof message === 'string')).toEqual([]);
      const times = messages.slice(1).map(({ at }) => String(at));
      expect(times).toEqual(times.toSorted());
      // The file itself shows how many closing prices there must be: one for each row that has the three
      // cells.
      const header = (await Bun.file(SEASON).text()).split('\n')[0]!.split(',');
      const column = header.indexOf('PSCH');
      const priced = (await Bun.file(SEASON).text())
        .trim()
        .split('\n')
        .slice(1)
        .filter((line) => line.split(',')[column] !== '');
      const closing = messages.filter(
        ({ type, market_type, status }) =>
          type === 'quote' && market_type === '1x2' && status === 'suspended',
      );
      expect(closing.length).toBeGreaterThanOrEqual(priced.length);
      expect(unmapped.get('B365')).toBe(380);
    },
  );
});
