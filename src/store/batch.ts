// The batch under way, the writer's side: under which versions it will be published, and what each change marks in the
// page that it changes.

import { type StoreViews, WIDE } from './layout.ts';
import { statusOfPage } from './page-columns.ts';
import { nextCommonVersion, nextSharpVersion } from './versions.ts';

export class Batch {
  readonly #views: StoreViews;
  /** Version of this batch if all that it changes are quotes of the sharp bookmaker, and of those quotes in any case. */
  sharpVersion = 0;
  /** Version of this batch if it changes anything else, and of all that. */
  commonVersion = 0;
  /** Pages of this batch of which something changed that their status follows from. */
  readonly #statusDue: number[] = [];

  constructor(views: StoreViews) {
    this.#views = views;
    this.begin(Number(Atomics.load(views.wide, WIDE.slateVersion)));
  }

  /** From here on nothing is published yet of what is done. @param version the slate's */
  begin(version: number): void {
    this.sharpVersion = nextSharpVersion(version);
    this.commonVersion = nextCommonVersion(version);
  }

  /** A message of this source time said something about the fixture that every tier sees. */
  touch(page: number, atMs: number): void {
    const { commonMessageAtMs } = this.#views;
    if (atMs > commonMessageAtMs[page]!) commonMessageAtMs[page] = atMs;
    this.touchSharp(page, atMs);
    this.markCommon(page);
  }

  /** A message of this source time said something about the fixture that only those who see the sharp bookmaker may see. */
  touchSharp(page: number, atMs: number): void {
    const { lastMessageAtMs } = this.#views;
    if (atMs > lastMessageAtMs[page]!) lastMessageAtMs[page] = atMs;
  }

  /** This batch changes something of the fixture that every tier sees. */
  markCommon(page: number): void {
    this.#views.commonVersion[page] = this.commonVersion;
  }

  /** Something changed that the status of the page follows from: `deriveStatuses` looks at it. */
  markStatusDue(page: number): void {
    this.#statusDue.push(page);
  }

  /** Derives the status of each page that was marked. */
  deriveStatuses(nowMs: number): void {
    const views = this.#views;
    for (const page of this.#statusDue) {
      const status = statusOfPage(views, page, nowMs);
      if (status === views.status[page]) continue;
      views.status[page] = status;
      views.statusVersion[page] = this.commonVersion;
      views.stateVersion[page] = this.commonVersion;
    }
    this.#statusDue.length = 0;
  }

  /** The slate has this version now, and the next batch begins. */
  publishVersion(version: number): void {
    Atomics.store(this.#views.wide, WIDE.slateVersion, BigInt(version));
    this.begin(version);
  }
}
