// Keys in Postgres, for the one thread of a node that reads them: it polls for changes and publishes them to
// all threads in shared memory.

import { EpochWatch } from '../../access/heartbeat.ts';
import { KEY_CHANGES_EVERY_MS, KEYS_TRUSTED_MS } from '../../access/limits.ts';
import { attachAccessMemory } from '../../access/quotas/memory.ts';
import type { RemoteKeyDirectory } from '../../accounts/keys/key-directory.ts';
import { PostgresKeyDirectory } from '../../accounts/keys/postgres-key-directory.ts';
import type { Clock } from '../../clock.ts';
import type { PostgresPool } from '../../storage/postgres.ts';

export interface RemoteKeys extends RemoteKeyDirectory {
  /** Polls at once, because this node changed keys. After a failure the next poll tries again. */
  check(): Promise<void>;
  /** Stops polling. */
  close(): void;
}

export interface RemoteKeysOptions {
  readonly pool: PostgresPool;
  readonly accessMemory: SharedArrayBuffer;
  readonly clock: Clock;
  /** Called when Postgres does not answer a poll. */
  readonly onError: (error: unknown) => void;
}

/** Polls every KEY_CHANGES_EVERY_MS from now on. */
export function watchRemoteKeys({ pool, accessMemory, clock, onError }: RemoteKeysOptions): RemoteKeys {
  const watch = new EpochWatch(attachAccessMemory(accessMemory), null);
  const directory = new PostgresKeyDirectory(
    pool,
    () => clock.wallMs() - watch.heardAtS() * 1_000 < KEYS_TRUSTED_MS,
  );
  let checking: Promise<void> | null = null;
  async function checkOnce(): Promise<void> {
    try {
      const askedAtMs = clock.wallMs();
      watch.publish(await directory.check(), askedAtMs);
    } catch (error) {
      onError(error);
    }
  }
  function tick(): void {
    checking ??= checkOnce().finally(() => {
      checking = null;
    });
  }
  const timer = setInterval(tick, KEY_CHANGES_EVERY_MS);
  tick();
  return {
    fetchLive: async (hash) => {
      // Wait for the first poll: until it has been answered, what is read counts as out of date, and the
      // request would be refused.
      if (watch.heardAtS() === 0) await checking;
      return directory.fetchLive(hash);
    },
    check: async () => {
      // A poll in progress may have read before the change, so start another one after it.
      await checking;
      tick();
      await checking;
    },
    close: () => clearInterval(timer),
  };
}
