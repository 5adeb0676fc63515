// The sign of life of a worker: its supervisor replaces one that has not given it for a while, because its event loop
// stands still.

/** How often a worker says that it lives. */
export const BEAT_EVERY_MS = 500;
/** Longer silence, and a worker counts as hung and is replaced: with the next look that is five seconds. */
export const HUNG_AFTER_MS = 4_500;

/** Begins to beat, for the life of the worker. */
export function beatTo(main: { postMessage(message: unknown): void }): void {
  setInterval(() => main.postMessage({ type: 'beat' }), BEAT_EVERY_MS).unref();
}
