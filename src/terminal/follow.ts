// Follows the odds stream until stopped. When the stream ends, breaks or falls silent, it is reopened from
// its last cursor, after pauses that grow to half a minute.

import type { Static } from '@sinclair/typebox';
import { cursorAfter, eventsOf } from '../../clients/typescript/src/events.ts';
import { Backoff, systemRuntime } from '../../clients/typescript/src/runtime.ts';
import { watchdogOf } from '../../clients/typescript/src/watchdog.ts';
import type { STREAM_EVENTS, StreamDelta, StreamSnapshot } from '../contract/stream/stream.ts';
import { messageOf } from '../errors.ts';
import { pause } from '../pause.ts';
import { CommandFailure, EXIT_STATUSES } from './failure.ts';
import type { Parameters, Server } from './server.ts';

const RECONNECT = { firstPauseMs: 1_000, pauseMsMax: 30_000 };
/**
 * Maximum number of characters of one event. After a longer one, the stream counts as broken and is reopened.
 */
const EVENT_CHARS_MAX = 64 * 1024 * 1024;

type Events = typeof STREAM_EVENTS;
/** A stream event by name. Readers ignore unknown names. */
export type FollowedEvent = {
  [Name in keyof Events]: { name: Name; data: Static<Events[Name]> };
}[keyof Events];
export type SlateSnapshot = Static<typeof StreamSnapshot>;
export type Delta = Static<typeof StreamDelta>;

export interface FollowOptions {
  readonly server: Server;
  /** Filters, format and pace, but no cursor. */
  readonly parameters: Parameters;
  /** The cursor to continue from; null starts with a snapshot. */
  readonly since: string | null;
  readonly stop: AbortSignal;
  /** Called before each pause, with a text: why the stream ended, and when it will be reopened. */
  readonly onPause: (text: string) => void;
}

/**
 * Every event until `stop`. A failure before the first event is thrown; a later one only if a retry cannot
 * help.
 * @throws CommandFailure
 */
export async function* follow(options: FollowOptions): AsyncGenerator<FollowedEvent> {
  const { stop } = options;
  let cursor = options.since;
  const backoff = new Backoff(systemRuntime, RECONNECT);
  let wasOpen = false;
  while (!stop.aborted) {
    let reason = 'the stream ended';
    let serverPauseMs = 0;
    try {
      for await (const event of streamOnce(options, cursor)) {
        wasOpen = true;
        backoff.reset();
        cursor = cursorAfter(event) ?? cursor;
        yield event;
        if (event.name === 'bye') {
          reason = `the server ended the stream (${event.data.reason})`;
          serverPauseMs = event.data.reconnect_after_ms;
        }
      }
    } catch (error) {
      if (stop.aborted) return;
      const mayRetry = !(error instanceof CommandFailure) || error.exitStatus === EXIT_STATUSES.unavailable;
      if (!mayRetry || !wasOpen) throw error;
      reason = messageOf(error);
    }
    if (stop.aborted) return;
    const waitMs = backoff.next(serverPauseMs);
    options.onPause(`${reason}; retrying in ${(waitMs / 1_000).toFixed(1)} s`);
    await pause(waitMs, stop);
  }
}

async function* streamOnce(
  { server, parameters, stop }: FollowOptions,
  since: string | null,
): AsyncGenerator<FollowedEvent> {
  const watchdog = watchdogOf(stop, 0);
  try {
    const asked = { ...parameters, since: since ?? undefined };
    const body = await server.open('/v1/stream', asked, watchdog.signal);
    for await (const event of eventsOf(body, requireSize)) {
      watchdog.heard((event.data as { readonly heartbeat_ms?: number }).heartbeat_ms);
      yield event as FollowedEvent;
    }
  } catch (error) {
    throw watchdog.signal.aborted ? watchdog.signal.reason : error;
  } finally {
    watchdog.end();
  }
}

function requireSize(chars: number): void {
  if (chars > EVENT_CHARS_MAX) throw new Error(`an event has more than ${EVENT_CHARS_MAX} characters`);
}
