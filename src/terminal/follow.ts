// Follows the odds stream until stopped. When the stream ends, breaks or falls silent, it is reopened from
// its last cursor, after pauses that grow to half a minute.

import type { Static } from '@sinclair/typebox';
import type { STREAM_EVENTS, StreamDelta, StreamSnapshot } from '../contract/stream/stream.ts';
import { pause } from '../pause.ts';
import { CommandFailure, EXIT_STATUSES } from './failure.ts';
import type { Parameters, Server } from './server.ts';

const FIRST_PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 30_000;
/** After this many missed heartbeats the stream counts as dead. */
const MISSED_HEARTBEATS_MAX = 3;
/** Most characters of one event. Full: the stream counts as broken and is reopened. */
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
  /** Called before each pause, with the reason why the stream will be reopened. */
  readonly onPause: (reason: string, pauseMs: number) => void;
}

/**
 * Every event until `stop`. A refusal of the first attempt is thrown; a later one only if a retry cannot
 * help.
 * @throws CommandFailure
 */
export async function* follow(options: FollowOptions): AsyncGenerator<FollowedEvent> {
  const { stop } = options;
  let cursor = options.since;
  let pauseMs = FIRST_PAUSE_MS;
  let wasOpen = false;
  while (!stop.aborted) {
    let reason = 'the stream ended';
    let serverPauseMs = 0;
    try {
      for await (const event of streamOnce(options, cursor)) {
        wasOpen = true;
        pauseMs = FIRST_PAUSE_MS;
        if (event.name === 'snapshot' && event.data.last) cursor = event.data.cursor;
        if (event.name === 'delta') cursor = event.data.to;
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
      reason = error instanceof Error ? error.message : String(error);
    }
    if (stop.aborted) return;
    const waitMs = Math.max(pauseMs, serverPauseMs);
    options.onPause(reason, waitMs);
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX);
    await pause(waitMs, stop);
  }
}

async function* streamOnce(
  { server, parameters, stop }: FollowOptions,
  since: string | null,
): AsyncGenerator<FollowedEvent> {
  const silence = new AbortController();
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let silenceMs = 0;
  const body = await server.open(
    '/v1/stream',
    { ...parameters, since: since ?? undefined },
    AbortSignal.any([stop, silence.signal]),
  );
  try {
    for await (const event of eventsOf(body)) {
      if (event.name === 'hello') silenceMs = event.data.heartbeat_ms * MISSED_HEARTBEATS_MAX;
      clearTimeout(watchdog);
      if (silenceMs > 0) watchdog = setTimeout(() => silence.abort(), silenceMs);
      yield event;
    }
  } catch (error) {
    if (silence.signal.aborted) throw new Error(`the stream was silent for ${silenceMs / 1_000} s`);
    throw error;
  } finally {
    clearTimeout(watchdog);
  }
}

/**
 * The server-sent events of a body, with their data parsed as JSON. @throws Error when the connection breaks
 */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<FollowedEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true });
    rest += text;
    if (rest.length > EVENT_CHARS_MAX)
      throw new Error(`an event has more than ${EVENT_CHARS_MAX} characters`);
    if (!text.includes('\n')) continue;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      const name = lines.find((line) => line.startsWith('event: '))?.slice('event: '.length);
      const data = lines.find((line) => line.startsWith('data: '))?.slice('data: '.length);
      if (name !== undefined && data !== undefined) yield { name, data: JSON.parse(data) } as FollowedEvent;
    }
  }
}
