// Betfair's handicaps in play, which need a score that Betfair does not send.

import { describe, expect, test } from 'bun:test';
import { type ChangeMessage, catalogueOf, streamMessageOf } from '../../../src/feed/betfair/messages.ts';
import { BetfairBooks } from '../../../src/feed/betfair/parse.ts';
import type { Draft } from '../../../src/feed/poll/drafts.ts';
import { CATALOGUE, change, handicap, IMAGE, START_MS } from './betfair-scene.ts';
import type { Change } from './stand-in.ts';

describe('BetfairBooks', () => {
  test('in play, handicaps of football are sent as lines on the remaining goals once the score is known', () => {
    const books = new BetfairBooks({ bookmaker: 'sbobet', commission: 0 });
    books.learn(catalogueOf(CATALOGUE)!);
    const apply = (message: Change) =>
      books.apply(streamMessageOf({ op: 'mcm', ...message }) as ChangeMessage);
    const lines = (drafts: readonly Draft[]) =>
      drafts.flatMap((draft) => ('quote' in draft ? [`${draft.type} ${draft.quote.line}`] : [])).sort();
    expect(lines(apply(IMAGE))).toContain('quote -0.5');
    const kickOff = change(1, { id: '1.2', marketDefinition: handicap({ inPlay: true }) });
    expect(lines(apply(kickOff))).toEqual(['close -0.5', 'close 0']);
    // Two goals up, -0.5 on the whole match is +1.5 on the remaining goals.
    expect(lines(books.setScore('betfair-900', [2, 0], START_MS))).toEqual(['quote 1.5', 'quote 2']);
    expect(lines(books.setScore('betfair-900', [2, 3], START_MS))).toEqual([
      'close 1.5',
      'close 2',
      'quote -1',
      'quote -1.5',
    ]);
  });
});
