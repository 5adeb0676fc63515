// Writes an ended segment as a Parquet file, a row group at a time, so that the thread serves questions and
// drains the ring in between.

import { ROW_GROUP_ROWS, TickFileWriter } from '../files/parquet-file.ts';
import type { FixtureIds } from '../tick.ts';
import type { LiveSegment } from './live-segment.ts';

/** The bytes of the file. @param pause called between two row groups */
export async function sealSegment(segment: LiveSegment, pause: () => Promise<void>): Promise<Uint8Array> {
  const order = segment.inFileOrder();
  const writer = new TickFileWriter();
  for (let start = 0; start < order.length; start += ROW_GROUP_ROWS) {
    writer.addGroup(Array.from(order.subarray(start, start + ROW_GROUP_ROWS), (at) => segment.tick(at)));
    await pause();
  }
  const ids = new Map<string, FixtureIds>(segment.fixtures.map(({ fixture, ids }) => [fixture.eventId, ids]));
  return writer.finish(ids);
}
