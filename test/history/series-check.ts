// Imports one of the real series of shared/data twice (not if the folder has it already), and compares the
// tape's answers with the expected prices that are stored beside the series and with a plain reading of the
// series. Prints what it found as JSON. checked-series.ts runs it in a process of its own, because it needs
// the roster of US bookmakers.

import { bookmakersOf, installRoster } from '../../src/domain/roster.ts';
import { PRICES_PREFIX } from '../../src/history/files/folder.ts';
import * as plain from './plain-series.ts';

const [name = '', series = '', root = ''] = process.argv.slice(2);
const rosterText = await Bun.file(new URL('../../rosters/the-odds-api-us.json', import.meta.url)).text();
installRoster({ origin: 'the-odds-api-us', bookmakers: bookmakersOf(JSON.parse(rosterText)) });

// Imported once the roster is installed, because the catalogue reads it only once.
const { Random } = await import('../../src/domain/random.ts');
const { encodeId, entityNumber } = await import('../../src/domain/ids.ts');
const { importOddsApi } = await import('../../src/start/history/import-to-tape.ts');
const { LocalFolder } = await import('../../src/history/files/local-folder.ts');
const { tapeCalls, tapeIn } = await import('./tape-folder.ts');

const DECODER = new TextDecoder();
const QUERIES = 200;
const CALLER = {
  principal: { tier: 'enterprise', seesSharp: true, keyId: 'key' },
  nowMs: Date.UTC(2026, 10, 23),
} as const;

const path = `${series}/${name}-2026.ndjson.zst`;
const folder = new LocalFolder(root);
const imported = (await folder.list(PRICES_PREFIX)).length === 0 ? await importTwice() : {};
const tape = tapeIn(folder);
const calls = tapeCalls(tape);

const answers = plain.readAnswers(path);
const truth = plain.readTruth(`${series}/truth/truth-${name}-shared.json.gz`);
const sport = name === 'wnba' ? 1 : 0;
const idOf = (event: string): string => encodeId('event', entityNumber('event', sport, event));

async function importTwice(): Promise<object> {
  const { fixtures, leftOut } = await importOddsApi(folder, [path]);
  const files = await folder.list(PRICES_PREFIX);
  const { added: addedAgain } = await importOddsApi(folder, [path]);
  const areFilesSame = Bun.deepEquals(files, await folder.list(PRICES_PREFIX));
  return { fixtures, leftOut: Object.fromEntries(leftOut), addedAgain, areFilesSame };
}

/**
 * What the tape has of one bookmaker's market at an instant, as `line: prices`; empty if there is nothing.
 */
async function pricesAt(event: string, book: string, market: string, atS: number): Promise<string> {
  const words = { bookmakers: [book], markets: [market as '1x2'] };
  const at = new Date(atS * 1_000).toISOString();
  try {
    const { bytes } = await calls.odds({ ...CALLER, eventId: idOf(event), words, at });
    const { odds } = JSON.parse(DECODER.decode(bytes)) as plain.Odds;
    return odds.map(({ line, prices }) => plain.lineText(line, Object.values(prices))).join('; ');
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'not_found' || code === 'invalid_request') return '';
    throw error;
  }
}

const differing: string[] = [];
function compare(what: string, got: string, wanted: string): void {
  if (got !== wanted) differing.push(`${what}: the tape says "${got}", expected "${wanted}"`);
}

for (const [event, book, market, atS, answer] of truth.queries) {
  const wanted = answer === null ? '' : plain.lineText(answer[0], answer[1].map(plain.decimalOf));
  compare(`truth ${event} ${book} ${market} ${atS}`, await pricesAt(event, book, market, atS), wanted);
}
const random = new Random(26);
for (let query = 0; query < QUERIES; query++) {
  const { event, book, market, atS, wanted } = plain.randomQuery(answers, random);
  compare(`plain ${event} ${book} ${market} ${atS}`, await pricesAt(event, book, market, atS), wanted);
}

let openings = 0;
let closings = 0;
const lastS = answers.at(-1)!.atS;
for (const [event, known] of Object.entries(truth.events)) {
  const lines = plain.linesOf(answers, event);
  if (lines.size === 0) continue;
  const eventId = idOf(event);
  const words = { resolution: 'tick', limit: 10_000 } as const;
  const history = JSON.parse(
    DECODER.decode((await calls.ticks({ ...CALLER, eventId, words })).bytes),
  ) as plain.History;
  const bounds = plain.boundsOf(lines, known.kickoff);
  for (const [key, { open }] of bounds) {
    openings += 1;
    const [book, market] = key.split('|');
    const found = history.series.find(
      (one) => `${one.bookmaker}|${one.market_type}|${one.line ?? ''}` === key,
    );
    compare(`opening ${event} ${book} ${market}`, plain.pricesText(found?.ticks[0]), open);
  }
  const closing = JSON.parse(
    DECODER.decode((await calls.closing({ ...CALLER, eventId, words: {} })).bytes),
  ) as plain.Closing;
  const got = closing.closing.map(
    (one) => `${one.bookmaker}|${one.market_type}|${one.line ?? ''} ${plain.pricesText(one)}`,
  );
  const wanted =
    known.kickoff <= lastS
      ? [...bounds].flatMap(([key, { close }]) => (close === null ? [] : [`${key} ${close}`]))
      : [];
  closings += wanted.length;
  compare(`closings ${event}`, got.sort().join('; '), wanted.sort().join('; '));
  // For each market of a bookmaker, the expected prices have the closing price of only one line, the line
  // that was listed last. A postponed match has no closing price there, because it left the list hours before
  // its kickoff.
  if (truth.summary.gone_before_kickoff.includes(event)) continue;
  for (const [key, row] of Object.entries(known.rows)) {
    if (row.close == null || !row.there_at_close) continue;
    const [, line, prices] = row.close;
    const text = `${key}|${line ?? ''} ${prices.map(plain.decimalOf).join(' ')}`;
    compare(`truth's close ${event} ${key}`, String(got.includes(text)), 'true');
  }
}

console.log(
  JSON.stringify({
    ...imported,
    ...{ openings, closings, differing: differing.slice(0, 10), differingCount: differing.length },
  }),
);
