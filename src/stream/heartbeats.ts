// The heartbeats of one channel at one moment. Readers at the same cursor share the bytes.

import type { Static } from '@sinclair/typebox';
import { toIsoText } from '../clock.ts';
import type { StreamHeartbeat } from '../contract/stream/stream.ts';
import type { Confirmation, OddsChangeReader } from '../query/odds/odds-changes.ts';
import { type Frame, frameOf } from './frames.ts';
import type { StreamReader } from './stream-reader.ts';
import type { StreamChannel } from './stream-tick.ts';

/**
 * @returns a function that sends a heartbeat to a reader of the channel, if the reader can take one. A reader
 * that waits for the next of its long ticks can take one
 */
export function heartbeatsOf(
  changes: OddsChangeReader,
  { view, position, isSending }: StreamChannel,
  nowMs: number,
): (reader: StreamReader) => void {
  const feed = changes.feedTimes();
  const { asOf, isStale } = changes.freshness(view, feed, nowMs);
  const facts = {
    ...{ as_of: asOf, stale: isStale, feed_age_ms: changes.feedAgeMs(nowMs) },
    ...confirmationFields(changes.confirmations(view, feed)),
  };
  // While changes are being sent, only some of the up-to-date readers have them: each has its own cursor.
  const inStepCursor = isSending ? null : changes.cursorOf(view, position);
  const frames = new Map<string, Frame>();
  return (reader) => {
    if (!reader.isReady || (!reader.isInStep && reader.position < 0)) return;
    const cursor = (reader.isInStep ? inStepCursor : null) ?? reader.cursor;
    const frame = frames.get(cursor) ?? frameOf('heartbeat', cursor, { cursor, ...facts });
    frames.set(cursor, frame);
    reader.show(frame, cursor);
  };
}

/** The heartbeat's field about several sources. With a single source, events have no such field. */
function confirmationFields(
  confirmations: readonly Confirmation[] | null,
): Pick<Static<typeof StreamHeartbeat>, 'confirmations'> {
  if (confirmations === null) return {};
  return {
    confirmations: confirmations.map(({ bookmakers, atMs }) => ({
      bookmakers: [...bookmakers],
      as_of: toIsoText(atMs),
    })),
  };
}
