// `overround odds`: every price of one fixture.

import type { Event, EventState } from '../../contract/event.ts';
import type { OddsBlock } from '../../contract/odds.ts';
import { findFixture } from '../../terminal/find-fixture.ts';
import { titleOfEvent, whenTextWithZone } from '../../terminal/fixture-text.ts';
import { priceGrid } from '../../terminal/price-grid.ts';
import { pricesAsked } from '../../terminal/prices-asked.ts';
import { Server } from '../../terminal/server.ts';
import { displayOf, plainText, styled } from '../../terminal/text.ts';
import type { Command, CommandInput } from '../command.ts';
import { filtersOf, JSON_FLAG, PRICE_FLAGS, priceParameters } from '../server-flags.ts';

export const oddsCommand: Command = {
  name: 'odds',
  summary: 'Shows every price of one fixture, bookmaker beside bookmaker',
  arguments: ['event|words...'],
  flags: {
    ...PRICE_FLAGS,
    json: JSON_FLAG,
  },
  examples: [
    'odds arsenal chelsea',
    'odds "arsenal over 2.5"',
    'odds evt_tb6aCmXS --market totals --format american --json',
  ],
  run: odds,
};

async function odds(input: CommandInput): Promise<number> {
  const parameters = priceParameters(input);
  const server = new Server(input);
  const words = input.arguments['event|words']!.replaceAll('\n', ' ');
  const { eventId, event } = await findFixture(server, words);
  const block =
    eventId === words
      ? await server.get<OddsBlock>(`/v1/events/${eventId}/odds`, parameters)
      : await pricesAsked(server, words, filtersOf(input));
  if (input.flags.json !== undefined) {
    input.writeOutput(JSON.stringify({ event, ...block }));
    return 0;
  }
  const state = await server.get<EventState>(`/v1/events/${eventId}/state`);
  const display = displayOf(input.environment);
  for (const line of headLines(event, state, block.stale))
    input.writeOutput(styled(line, undefined, display));
  input.writeOutput('');
  const grid = priceGrid(block.odds, display, input.clock.wallMs());
  const hidden = block.odds.length === 0 ? await server.hiddenPrices() : null;
  const none = hidden === null ? 'No prices.' : plainText(`No prices. ${hidden}`);
  for (const line of block.odds.length === 0 ? [none] : grid) input.writeOutput(line);
  return 0;
}

function headLines(event: Event, state: EventState, isStale: boolean): string[] {
  const title = titleOfEvent(event);
  const when = whenTextWithZone({ scheduled_at: event.scheduled_at, ...state });
  return [
    plainText(title),
    plainText(`${event.league.name}, ${when}, ${event.id}${isStale ? ', stale' : ''}`),
  ];
}
