// `overround watch`: prices as they move. In a terminal a table that is drawn anew; elsewhere a line for each change.

import type { EventStatus } from '../domain/catalogue.ts';
import { boardLines } from '../terminal/board.ts';
import { type FoundFixture, findFixture } from '../terminal/find-fixture.ts';
import { countText, marketText, priceText, stateText, titleOf } from '../terminal/fixture-text.ts';
import { type Delta, follow, type Snapshot } from '../terminal/follow.ts';
import { priceGrid, priceOf } from '../terminal/price-grid.ts';
import { type Key, Screen } from '../terminal/screen.ts';
import { Server } from '../terminal/server.ts';
import { HeldSlate, type QuoteChange } from '../terminal/slate.ts';
import { type Look, lookOf, plainText, styled } from '../terminal/text.ts';
import type { Command, CommandInput } from './command.ts';
import { choiceOf, FOLLOW_FLAGS, slateParameters, stopOf } from './server-flags.ts';

/** The screen is drawn at most this often, and once a second so that what is live looks so. */
const DRAW_MS = 200;
const TICK_MS = 1_000;
/** Rows of the screen that are no fixture: title, head of the table, footer. */
const FRAME_ROWS = 3;
const ENDED: EventStatus = 'finished';

export const watchCommand: Command = {
  name: 'watch',
  summary: 'Follows prices live: the slate, or every price of one fixture; q ends it',
  arguments: ['[event|words...]'],
  flags: FOLLOW_FLAGS,
  examples: [
    'watch --status live --market totals',
    'watch arsenal chelsea',
    'watch --json --for 60 | jq -c "[.home_team, .bookmaker, .prices]"',
  ],
  run: watch,
};

async function watch(input: CommandInput): Promise<number> {
  const server = new Server(input);
  const words = input.arguments['event|words']?.replaceAll('\n', ' ');
  const only = words === undefined ? null : await findFixture(server, words);
  const isPlain = input.flags.json !== undefined || process.stdout.isTTY !== true;
  const market = choiceOf(input, 'market');
  const parameters = {
    ...slateParameters(input),
    // The board shows one market; the stream need not send the others.
    ...(only === null && !isPlain
      ? { markets: market ?? '1x2', period: choiceOf(input, 'period') ?? 'full_time' }
      : {}),
    ...(only === null ? {} : { league: only.event.league.id }),
  };
  const watched = { input, server, parameters, only };
  return isPlain ? await watchLines(watched) : await watchScreen(watched);
}

interface Watched {
  readonly input: CommandInput;
  readonly server: Server;
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly only: FoundFixture | null;
}

function slateOf({ only }: Watched): HeldSlate {
  return new HeldSlate(only === null ? undefined : (id) => id === only.eventId);
}

async function watchLines(watched: Watched): Promise<number> {
  const { input, server, parameters } = watched;
  const slate = slateOf(watched);
  const stop = stopOf(input);
  // The reader of a pipe is gone: `| head -n 1`.
  process.stdout.on('error', () => stop.abort());
  let isFilled = false;
  const onPause = (reason: string, pauseMs: number) =>
    input.writeError(`${plainText(reason)}; asking again in ${pauseMs / 1_000} s`);
  for await (const { name, data } of follow({
    server,
    parameters,
    since: null,
    stop: stop.signal,
    onPause,
  })) {
    if (name !== 'snapshot' && name !== 'delta') continue;
    const changes = slate.apply(data, input.clock.wallMs());
    // The first picture is no news.
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
  return 0;
}

/** Waits while the reader of standard output is slower than the prices: the server then sends the last state once. */
async function print(line: string, stop: AbortSignal): Promise<void> {
  if (stop.aborted || process.stdout.write(`${line}\n`)) return;
  await new Promise<void>((resolve) => {
    process.stdout.once('drain', resolve);
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** `22:10:09  Inter vs Napoli  1x2  crown  home 2.1 (2.05)  draw 3.4  away 3.6` */
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

async function watchScreen(watched: Watched): Promise<number> {
  const { input, server, parameters, only } = watched;
  const slate = slateOf(watched);
  const stop = stopOf(input);
  const view = { top: 0, state: 'connecting' };
  let drawTimer: ReturnType<typeof setTimeout> | null = null;
  const draw = () => {
    drawTimer = null;
    screen.draw(screenLines());
  };
  const soon = () => {
    drawTimer ??= setTimeout(draw, DRAW_MS);
  };
  const screen = new Screen({
    onKey: (key) => {
      if (key === 'quit') stop.abort();
      else view.top = Math.max(0, view.top + rowsOf(key, screen.height - FRAME_ROWS));
      soon();
    },
    onResize: soon,
  });

  function screenLines(): string[] {
    const look = lookOf(input.environment);
    const nowMs = input.clock.wallMs();
    const body = only === null ? boardOf(nowMs, look) : gridOf(only.eventId, nowMs, look);
    const [head = '', ...rows] = body;
    const room = Math.max(1, screen.height - FRAME_ROWS);
    view.top = Math.min(view.top, Math.max(0, rows.length - room));
    const shown = rows.slice(view.top, view.top + room);
    const place = rows.length > room ? `${view.top + 1}-${view.top + shown.length} of ${rows.length}, ` : '';
    const title = `${only === null ? 'Overround' : titleOfFound(only)}  ${view.state}`;
    const foot = `${place}${new Date(nowMs).toISOString().slice(11, 19)} UTC  ↑↓ scroll  q quit`;
    const filler = Array.from({ length: room - shown.length }, () => '');
    return [styled(plainText(title), 'bold', look), head, ...shown, ...filler, styled(foot, 'dim', look)];
  }

  function boardOf(nowMs: number, look: Look): string[] {
    const wantsEnded = input.flags.status === ENDED;
    const fixtures = slate.fixtures().filter(({ state }) => wantsEnded || state.status !== ENDED);
    const market = choiceOf(input, 'market') ?? '1x2';
    return boardLines(fixtures, { market, period: choiceOf(input, 'period') ?? 'full_time' }, look, nowMs);
  }

  function gridOf(eventId: string, nowMs: number, look: Look): string[] {
    const fixture = slate.fixtures().find(({ id }) => id === eventId);
    if (fixture === undefined) return ['This fixture is not on the slate.'];
    view.state = stateText(fixture.event, fixture.state);
    return priceGrid(fixture.quotes.values(), look, nowMs);
  }

  const ticking = setInterval(soon, TICK_MS);
  screen.open();
  try {
    draw();
    const onPause = (reason: string, pauseMs: number) => {
      view.state = `${reason}; asking again in ${pauseMs / 1_000} s`;
      soon();
    };
    for await (const { name, data } of follow({
      server,
      parameters,
      since: null,
      stop: stop.signal,
      onPause,
    })) {
      if (name === 'hello') view.state = `live from ${server.url}`;
      if (name === 'snapshot' || name === 'delta')
        slate.apply(data as Snapshot | Delta, input.clock.wallMs());
      soon();
    }
    return 0;
  } finally {
    clearInterval(ticking);
    if (drawTimer !== null) clearTimeout(drawTimer);
    screen.close();
  }
}

function rowsOf(key: Exclude<Key, 'quit'>, page: number): number {
  if (key === 'up' || key === 'down') return key === 'up' ? -1 : 1;
  return key === 'page up' ? -page : page;
}

function titleOfFound({ event }: FoundFixture): string {
  return titleOf({ home_team: event.home_team.name, away_team: event.away_team.name });
}
