// Converts a line of a recording into the wire message, with its times mapped to this replay. Pure.

import { isWireTime, wireTimeMs } from '../wire-time.ts';

/**
 * How a recording's time maps to the present. The past keeps its speed, the future runs `speed` times as
 * fast.
 */
export interface TimeMap {
  /** The recording's own `hello` time, Unix ms. */
  readonly helloAtMs: number;
  /** The instant that the hello's time maps to, Unix ms. */
  readonly startMs: number;
  readonly speed: number;
}

/** Recording time to replay time, both Unix ms. */
export function mapTime(map: TimeMap, recordedMs: number): number {
  const offsetMs = recordedMs - map.helloAtMs;
  return map.startMs + (offsetMs > 0 ? offsetMs / map.speed : offsetMs);
}

/** Replay time to recording time: which messages are due at `replayMs`. */
export function unmapTime(map: TimeMap, replayMs: number): number {
  const offsetMs = replayMs - map.startMs;
  return map.helloAtMs + (offsetMs > 0 ? offsetMs * map.speed : offsetMs);
}

const TIME_FIELDS = ['at', 'scheduled_at', 'opened_at', 'finished_at'] as const;

/**
 * The message with each of its times mapped. A value that is not a time is left for the validator to refuse.
 */
export function retime(wire: Readonly<Record<string, unknown>>, map: TimeMap): Record<string, unknown> {
  const message: Record<string, unknown> = { ...wire };
  for (const field of TIME_FIELDS) {
    const recordedMs = wireTimeMs(message[field]);
    if (Number.isNaN(recordedMs)) continue;
    message[field] = mappedText(recordedMs, map);
  }
  return message;
}

function mappedText(recordedMs: number, map: TimeMap): string {
  if (recordedMs === last.recordedMs && map === last.map) return last.text;
  const replayMs = mapTime(map, recordedMs);
  const text = isWireTime(replayMs) ? new Date(replayMs).toISOString() : 'beyond the calendar';
  last = { recordedMs, map, text };
  return text;
}

/** The time mapped last. It is kept, because messages that were recorded together have the same time. */
let last: { readonly recordedMs: number; readonly map: TimeMap | null; readonly text: string } = {
  recordedMs: Number.NaN,
  map: null,
  text: '',
};
