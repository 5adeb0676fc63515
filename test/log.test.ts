import { expect, test } from 'bun:test';
import { BoundedLog, createLog } from '../src/log.ts';

test('a burst of one event does not hide other events, and the number of dropped entries is logged', () => {
  let nowMs = 1_000;
  const clock = { wallMs: () => nowMs, monotonicMs: () => nowMs };
  const lines: string[] = [];
  const log = new BoundedLog(
    createLog({
      clock,
      json: true,
      level: 'info',
      write: (line) => {
        const { event, of, count, n } = JSON.parse(line) as Record<string, unknown>;
        lines.push([event, of, count, n].filter((one) => one !== undefined).join(' '));
      },
    }),
    clock,
    { countMax: 2, windowMs: 60_000 },
  );
  for (let n = 0; n < 5; n++) log.warn('feed_message_rejected', { n });
  log.warn('archive_write_failed', { n: 5 });
  nowMs += 60_000;
  log.warn('archive_write_failed', { n: 6 });
  log.warn('feed_message_rejected', { n: 7 });
  log.warn('feed_message_rejected', { n: 8 });
  expect(lines).toEqual([
    'feed_message_rejected 0',
    'feed_message_rejected 1',
    'archive_write_failed 5',
    'archive_write_failed 6',
    'log_entries_left_out feed_message_rejected 3',
    'feed_message_rejected 7',
    'feed_message_rejected 8',
  ]);
});
