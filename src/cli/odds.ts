// `overround odds`: every price of one fixture.

import type { Event, EventState } from '../contract/event.ts';
import type { OddsBlock } from '../contract/odds.ts';
import { findFixture } from '../terminal/find-fixture.ts';
import { titleOf, whenTextWithZone } from '../terminal/fixture-text.ts';
import { priceGrid } from '../terminal/price-grid.ts';
import { Server } from '../terminal/server.ts';
import { lookOf, plainText, styled } from '../terminal/text.ts';
import type { Command, CommandInput } from './command.ts';
import { JSON_FLAG, PRICE_FLAGS, priceParameters } from './server-flags.ts';

export const oddsCommand: Command = {
  name: 'odds',
  summary: 'Shows every price of one fixture, bookmaker beside bookmaker',
  arguments: ['event|words...'],
  flags: {
    ...PRICE_FLAGS,
    json: JSON_FLAG,
  },
  examples: ['odds arsenal chelsea', 'odds evt_tb6aCmXS --market totals --format american --json'],
  run: odds,
};

async function odds(input: CommandInput): Promise<number> {
  const parameters = priceParameters(input);
  const server = new Server(input);
  const { eventId, event } = await findFixture(server, input.arguments['event|words']!.replaceAll('\n', ' '));
  const block = await server.get<OddsBlock>(`/v1/events/${eventId}/odds`, parameters);
  if (input.flags.json !== undefined) {
    input.writeOutput(JSON.stringify({ event, ...block }));
    return 0;
  }
  const state = await server.get<EventState>(`/v1/events/${eventId}/state`);
  const look = lookOf(input.environment);
  for (const line of headLines(event, state, block.stale)) input.writeOutput(styled(line, undefined, look));
  input.writeOutput('');
  const grid = priceGrid(block.odds, look, input.clock.wallMs());
  for (const line of block.odds.length === 0 ? ['No prices.'] : grid) input.writeOutput(line);
  return 0;
}

function headLines(event: Event, state: EventState, isStale: boolean): string[] {
  const title = titleOf({ home_team: event.home_team.name, away_team: event.away_team.name });
  const when = whenTextWithZone({ scheduled_at: event.scheduled_at, ...state });
  return [
    plainText(title),
    plainText(`${event.league.name}, ${when}, ${event.id}${isStale ? ', stale' : ''}`),
  ];
}
