// A clock that a test can set, by libfaketime, for servers that are started with these settings.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nowText } from './scripted-feed.ts';

/** The library of Debian's package faketime, which most machines do not have. */
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/** Why no clock can be set on this machine, or null. */
export const SET_CLOCK_MISSING: string | null = existsSync(LIBRARY) ? null : 'libfaketime is not installed';

export class SetClock {
  offsetMs = 0;
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, 'offset');
    this.set(0);
  }

  /** For the environment of the server. */
  get settings(): Record<string, string> {
    return {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** From now on, this clock is ahead of the machine's by this much. */
  set(ms: number): void {
    this.offsetMs = ms;
    writeFileSync(this.#file, `${ms < 0 ? '-' : '+'}${Math.abs(ms) / 1_000}s\n`);
  }

  /** The time of this clock as text, for an upstream on the same machine, which would have the same clock. */
  readonly text = (): string => nowText(this.offsetMs);
}
