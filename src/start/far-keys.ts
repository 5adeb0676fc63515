// Keys in Postgres, for the one thread of a node that reads them: it asks what has changed, and tells all threads.

import { EpochWatch } from '../access/beat.ts';
import { KEY_CHANGES_EVERY_MS, KEYS_TRUSTED_MS } from '../access/limits.ts';
import { attachAccessMemory } from '../access/memory.ts';
import type { FarKeyDirectory } from '../accounts/key-directory.ts';
import { PostgresKeyDirectory } from '../accounts/postgres-key-directory.ts';
import type { Clock } from '../clock.ts';
import type { PostgresPool } from '../postgres.ts';

export interface FarKeys extends FarKeyDirectory {
  /** Asks at once, because keys were changed here. A failure is left to the next time. */
  look(): Promise<void>;
  /** Asks no more. */
  close(): void;
}

export interface FarKeysOptions {
  readonly pool: PostgresPool;
  readonly accessMemory: SharedArrayBuffer;
  readonly clock: Clock;
  /** Told whenever Postgres cannot be asked. */
  readonly onError: (error: unknown) => void;
}

/** Asks every KEY_CHANGES_EVERY_MS from now on. */
export function watchFarKeys({ pool, accessMemory, clock, onError }: FarKeysOptions): FarKeys {
  const watch = new EpochWatch(attachAccessMemory(accessMemory), null);
  const directory = new PostgresKeyDirectory(
    pool,
    () => clock.wallMs() - watch.heardAtS() * 1_000 < KEYS_TRUSTED_MS,
  );
  let looking: Promise<void> | null = null;
  async function lookOnce(): Promise<void> {
    try {
      const askedAtMs = clock.wallMs();
      watch.tell(await directory.look(), askedAtMs);
    } catch (error) {
      onError(error);
    }
  }
  function beat(): void {
    looking ??= lookOnce().finally(() => {
      looking = null;
    });
  }
  const timer = setInterval(beat, KEY_CHANGES_EVERY_MS);
  beat();
  return {
    fetchLive: (hash) => directory.fetchLive(hash),
    look: async () => {
      // One that is under way may have asked before the change.
      await looking;
      beat();
      await looking;
    },
    close: () => clearInterval(timer),
  };
}
