// A clock of the machine that can be set, by libfaketime, for servers that are started with its settings.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nowText } from './scripted-feed.ts';

/** From Debian's package faketime; most machines do not have it. */
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/** Why no clock can be set here, or null. */
export const SET_CLOCK_MISSING: string | null = existsSync(LIBRARY) ? null : 'libfaketime is not installed';

export class SetClock {
  offsetMs = 0;
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, 'offset');
    this.set(0);
  }

  /** For the environment. */
  get settings(): Record<string, string> {
    return {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** Sets how far it is ahead of the machine's clock from now on. */
  set(ms: number): void {
    this.offsetMs = ms;
    writeFileSync(this.#file, `${ms < 0 ? '-' : '+'}${Math.abs(ms) / 1_000}s\n`);
  }

  /** Its time as text: an upstream on the same machine has the same clock. */
  readonly text = (): string => nowText(this.offsetMs);
}
