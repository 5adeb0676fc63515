// The writer's record of the batch in progress: the versions it will be published under, and which pages each
// change marks.

import { type StoreViews, WIDE } from '../layout.ts';
import { nextCommonVersion, nextSharpVersion } from '../versions.ts';
import { statusOfPage } from './page-columns.ts';

export class Batch {
  readonly #views: StoreViews;
  /**
   * The version of this batch if it changes only quotes of the sharp bookmaker. Those quotes get this version
   * in every batch.
   */
  sharpVersion = 0;
  /** The version of this batch if it changes anything but sharp quotes. All such changes get this version. */
  commonVersion = 0;
  /** Pages of this batch with a change that can alter the match status. */
  readonly #statusDue: number[] = [];

  constructor(views: StoreViews) {
    this.#views = views;
    this.begin(Number(Atomics.load(views.wide, WIDE.slateVersion)));
  }

  /** Starts a batch with nothing to publish yet. @param version the slate's current version */
  begin(version: number): void {
    this.sharpVersion = nextSharpVersion(version);
    this.commonVersion = nextCommonVersion(version);
  }

  /** Records the source time of a message about the fixture that every tier may see. */
  touch(page: number, atMs: number): void {
    const { commonMessageAtMs } = this.#views;
    if (atMs > commonMessageAtMs[page]!) commonMessageAtMs[page] = atMs;
    this.touchSharp(page, atMs);
    this.markCommon(page);
  }

  /**
   * Records the source time of a message about the fixture that only tiers with the sharp bookmaker may see.
   */
  touchSharp(page: number, atMs: number): void {
    const { lastMessageAtMs } = this.#views;
    if (atMs > lastMessageAtMs[page]!) lastMessageAtMs[page] = atMs;
  }

  /** Notes that this batch changes something about the fixture that every tier sees. */
  markCommon(page: number): void {
    this.#views.commonVersion[page] = this.commonVersion;
  }

  /** Marks a page whose status may have changed; `deriveStatuses` derives it again. */
  markStatusDue(page: number): void {
    this.#statusDue.push(page);
  }

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

  /**
   * Sets the slate's version and starts the next batch. Call it after the pages of this batch were published.
   */
  publishVersion(version: number): void {
    Atomics.store(this.#views.wide, WIDE.slateVersion, BigInt(version));
    this.begin(version);
  }
}
