// The state of the match page: the fixture, kept up to date by the stream of its league, or the result.

import { effect, signal, untracked } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import type { Event } from '../../../contract/event.ts';
import type { Result } from '../../../contract/results.ts';
import { ApiFailure, callJson } from '../data/api.ts';
import { apiKey } from '../data/choices.ts';
import { Follower } from '../data/follow.ts';
import { Mirror } from '../data/mirror.ts';
import { SignalBook } from '../data/signal-book.ts';
import { parameter } from '../data/view.ts';
import { Staleness } from '../parts/staleness.ts';
import { PriceLog } from './price-log.ts';

export const eventId = decodeURIComponent(location.pathname.split('/')[2] ?? '');
export const mirror = new Mirror();
export const signalBook = new SignalBook();
export const follower = new Follower(mirror, signalBook);
export const staleness = new Staleness(mirror, follower);
export const log = new PriceLog();

export type Found =
  | { readonly kind: 'loading' }
  | { readonly kind: 'fixture'; readonly event: Event }
  | { readonly kind: 'result'; readonly result: Static<typeof Result> }
  | { readonly kind: 'failed'; readonly failure: ApiFailure };

export const found = signal<Found>({ kind: 'loading' });

/**
 * Loads the match, which costs two units: one for the fixture, which gives its league, and one for the
 * league's stream with prices and scores.
 */
export async function start(): Promise<void> {
  try {
    const event = await callJson<Event>(`/v1/events/${encodeURIComponent(eventId)}`);
    found.value = { kind: 'fixture', event };
    effect(() => {
      void apiKey.value;
      const query = new URLSearchParams({ league: event.league.id, format: parameter('format') });
      const at = parameter('at');
      if (at !== '') untracked(() => void follower.show(query.toString(), at));
      else untracked(() => follower.follow(query.toString(), { first: 'stream' }));
    });
    effect(() => {
      void mirror.listVersion.value;
      const fixture = mirror.get(eventId);
      if (fixture === undefined) return;
      void fixture.version.value;
      if (parameter('at') !== '') return;
      untracked(() => log.record(fixture));
    });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 404) await loadResult(error);
    else found.value = { kind: 'failed', failure: error };
  }
}

async function loadResult(unknown: ApiFailure): Promise<void> {
  try {
    const result = await callJson<Static<typeof Result>>(`/v1/results/${encodeURIComponent(eventId)}`);
    found.value = { kind: 'result', result };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    found.value = { kind: 'failed', failure: error.status === 404 ? unknown : error };
  }
}
