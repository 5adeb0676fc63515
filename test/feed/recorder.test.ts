// A recording begins its next file after the set number of bytes, whatever script the names are in.

import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Recorder } from '../../src/feed/recorder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const AT = '2026-03-01T12:00:00Z';
const ROTATE_BYTES = 4_000;

test.each(['Real Madrid', 'レアル・マドリード'])(
  'a file ends after the set number of bytes, with names such as %p',
  async (name) => {
    using folder = temporaryFolder();
    let wantedCount = 0;
    const recorder = new Recorder({
      ...{ path: join(folder.path, 'day.ndjson'), rotateBytes: ROTATE_BYTES, rotateMs: null },
      requestSnapshot: () => void wantedCount++,
      onError: (error) => {
        throw error;
      },
    });
    recorder.offer({ type: 'hello', protocol: 1, seq: 1, at: AT });
    recorder.offer({ type: 'snapshot_begin', seq: 2, at: AT });
    recorder.offer({ type: 'snapshot_end', seq: 3, at: AT });
    const message = { type: 'fixture', at: AT, event: 'e1', home: name };
    while (wantedCount === 0) recorder.offer(message);
    await recorder.finish();
    const { size } = statSync(recorder.paths[0]!);
    expect(size).toBeGreaterThanOrEqual(ROTATE_BYTES);
    expect(size).toBeLessThan(ROTATE_BYTES + 200);
  },
);
