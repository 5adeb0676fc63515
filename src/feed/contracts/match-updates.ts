// What the push side of a prediction market sends to the service. Many frames come at once, so the books that
// they change are collected for a moment, and each match is then read once.

import type { PolledFixture } from '../poll/picture.ts';

/** How long to collect changed books before their matches are read together. */
const GATHER_MS = 50;

export class MatchUpdates {
  readonly #updateOf: (event: string) => PolledFixture | null;
  readonly #moved = new Set<string>();
  #publish: (updates: readonly PolledFixture[]) => void = () => {};
  #gather: ReturnType<typeof setTimeout> | undefined;

  /** @param updateOf reads a match with its changed books; null if the match is no longer held */
  constructor(updateOf: (event: string) => PolledFixture | null) {
    this.#updateOf = updateOf;
  }

  /** Before this call, updates are dropped. */
  start(publish: (updates: readonly PolledFixture[]) => void): void {
    this.#publish = publish;
  }

  publish(updates: readonly PolledFixture[]): void {
    this.#publish(updates);
  }

  /** Publishes a match a moment later, with all books that change until then. */
  moved(event: string): void {
    this.#moved.add(event);
    this.#gather ??= setTimeout(() => this.#publishMoved(), GATHER_MS);
  }

  close(): void {
    clearTimeout(this.#gather);
  }

  #publishMoved(): void {
    this.#gather = undefined;
    const updates = [...this.#moved].flatMap((event) => this.#updateOf(event) ?? []);
    this.#moved.clear();
    this.#publish(updates);
  }
}
