// `overround watch`: prints prices as they move. In a terminal it redraws a table; otherwise it prints a line
// for each change.

import { findFixture } from '../../terminal/find-fixture.ts';
import { countText, marketText, priceText, titleOf } from '../../terminal/fixture-text.ts';
import { follow } from '../../terminal/follow.ts';
import { priceOf } from '../../terminal/price-grid.ts';
import { choiceNamed } from '../../terminal/prices-asked.ts';
import { Server } from '../../terminal/server.ts';
import { type QuoteChange, WatchedSlate } from '../../terminal/slate.ts';
import { plainText } from '../../terminal/text.ts';
import type { Command, CommandInput } from '../command.ts';
import { choiceOf, FOLLOW_FLAGS, filtersOf, slateParameters, stopOf } from '../server-flags.ts';
import { type Watched, WatchScreen } from '../watch-screen.ts';

export const watchCommand: Command = {
  name: 'watch',
  summary: 'Follows prices live: the slate, or every price of one fixture; q ends it',
  arguments: ['[event|words...]'],
  flags: FOLLOW_FLAGS,
  examples: [
    'watch --status live --market totals',
    'watch arsenal chelsea',
    'watch "arsenal over 2.5"',
    'watch --json --for 60 | jq -c "[.home_team, .bookmaker, .prices]"',
  ],
  run: watch,
};

async function watch(input: CommandInput): Promise<number> {
  const server = new Server(input);
  const words = input.arguments['event|words']?.replaceAll('\n', ' ');
  const only = words === undefined ? null : await findFixture(server, words);
  const choice =
    words === undefined || words === only?.eventId ? {} : await choiceNamed(server, words, filtersOf(input));
  const isPlain = input.flags.json !== undefined || process.stdout.isTTY !== true;
  const market = choiceOf(input, 'market');
  const parameters = {
    ...slateParameters(input),
    // The board shows one market, so the stream need not send the others.
    ...(only === null && !isPlain
      ? { markets: market ?? '1x2', period: choiceOf(input, 'period') ?? 'full_time' }
      : {}),
    ...(only === null ? {} : { league: only.event.league.id }),
  };
  const watched = { input, server, parameters, only, choice };
  if (isPlain) await watchLines(watched);
  else await new WatchScreen(watched, slateOf(watched)).run();
  return 0;
}

function slateOf({ only, choice }: Watched): WatchedSlate {
  return new WatchedSlate(only === null ? undefined : (id) => id === only.eventId, choice);
}

async function watchLines(watched: Watched): Promise<void> {
  const { input, server, parameters } = watched;
  const slate = slateOf(watched);
  const stop = stopOf(input);
  // Stop when the reader of the pipe has gone, as with `| head -n 1`.
  process.stdout.on('error', () => stop.abort());
  let isFilled = false;
  const onPause = (text: string) => input.writeError(plainText(text));
  for await (const { name, data } of follow({
    server,
    parameters,
    since: null,
    stop: stop.signal,
    onPause,
  })) {
    if (name !== 'snapshot' && name !== 'delta') continue;
    const changes = slate.take(data, input.clock.wallMs());
    // The first snapshot is not a change.
    if (isFilled)
      for (const change of changes) {
        await print(changeLine(change, input.flags.json !== undefined), stop.signal);
      }
    if (!isFilled && name === 'snapshot' && data.last) {
      isFilled = true;
      input.writeError(
        `Following ${countText(slate.fixtures().length, 'fixture')} of ${server.url}; prices that move are printed`,
      );
    }
  }
}

/**
 * Prints a line, and waits while the reader of standard output is slower than the prices. Meanwhile the
 * server merges changes, so only the last state is sent.
 */
async function print(line: string, stop: AbortSignal): Promise<void> {
  if (stop.aborted || process.stdout.write(`${line}\n`)) return;
  await new Promise<void>((resolve) => {
    process.stdout.once('drain', resolve);
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** For example `22:10:09  Inter vs Napoli  1x2  crown  home 2.1 (2.05)  draw 3.4  away 3.6`. */
function changeLine({ fixture, quote, former }: QuoteChange, isJson: boolean): string {
  const { event } = fixture;
  const names = { home_team: event.home_team.name, away_team: event.away_team.name };
  const { moves: _, ...odds } = quote;
  if (isJson)
    return JSON.stringify({ event_id: event.id, ...names, ...odds, former_prices: former?.prices ?? null });
  const prices = Object.keys(quote.prices).map((outcome) => {
    const now = priceText(priceOf(quote, outcome), quote.format);
    const before = former === null ? now : priceText(priceOf(former, outcome), former.format);
    return `${outcome} ${now}${before === now ? '' : ` (${before})`}`;
  });
  const status = quote.status === 'open' ? '' : `  ${quote.status}`;
  const parts = [quote.as_of.slice(11, 19), titleOf(names), marketText(quote), quote.bookmaker, ...prices];
  return plainText(parts.join('  ')) + status;
}
