// Small recordings for services under test, in a directory that goes with them.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventWire, helloWire, quoteWire, stateWire, type WireMessage } from '../feed/wire.ts';

export class TestDirectory {
  readonly path = mkdtempSync(join(tmpdir(), 'overround-start-'));

  /** Writes a recording. @returns the FEED setting that replays it */
  recording(name: string, messages: readonly (WireMessage | string)[]): string {
    const path = join(this.path, name);
    const lines = messages.map((message) =>
      typeof message === 'string' ? message : JSON.stringify(message),
    );
    writeFileSync(path, `${lines.join('\n')}\n`);
    return `replay:${path}`;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Hello, one fixture in play with a quote, one that is yet to come with two. */
export function twoFixtures(price = 1.95): WireMessage[] {
  return [
    helloWire(),
    eventWire(1, 'e1', { scheduled_at: '2026-03-01T11:30:00Z' }),
    stateWire(2, 'e1'),
    quoteWire(3, 'e1', { prices: [price, 1.97] }),
    eventWire(4, 'e2'),
    quoteWire(5, 'e2', { prices: [price, 2] }),
    quoteWire(6, 'e2', { bookmaker: 'pinnacle', prices: [price, 2.01] }),
  ];
}
