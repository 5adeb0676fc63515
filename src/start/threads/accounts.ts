// Accounts, for the thread that runs them: the repositories on this thread's own connection, the configured
// mailer, and the services that use them.

import { availableParallelism } from 'node:os';
import { networkTextOf, subjectTextOf } from '../../access/client-address.ts';
import { SharedUsage } from '../../access/counts/usage.ts';
import { EpochWatch } from '../../access/heartbeat.ts';
import { type AccessMemory, attachAccessMemory } from '../../access/quotas/memory.ts';
import { SeenSessions } from '../../access/seen-sessions.ts';
import { AccountRepository } from '../../accounts/account-repository.ts';
import { createPeople } from '../../accounts/account-service.ts';
import { Attempts, takeAttempt } from '../../accounts/credentials/attempts.ts';
import { hashesAtOnce, PasswordHasher } from '../../accounts/credentials/passwords.ts';
import { KeyRepository } from '../../accounts/keys/key-repository.ts';
import { KeyService } from '../../accounts/keys/key-service.ts';
import { SqliteKeyDirectory } from '../../accounts/keys/sqlite-key-directory.ts';
import { createPlatform, isOperatorOf } from '../../accounts/platform.ts';
import type { AccountRecord } from '../../accounts/records.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../../accounts/schema.ts';
import { Sessions } from '../../accounts/sessions/session.ts';
import { SessionUses } from '../../accounts/sessions/session-uses.ts';
import { SavedViews } from '../../accounts/views/saved-views.ts';
import { type AlertCaller, createAlertCalls } from '../../alerts/alert-calls.ts';
import { allowedTargets } from '../../alerts/delivery/target.ts';
import { RuleRepository } from '../../alerts/rules/rule-repository.ts';
import { RuleService, type RuleServiceOptions } from '../../alerts/rules/rule-service.ts';
import { ALERTS_SCHEMA } from '../../alerts/schema.ts';
import type { Clock } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { PostgresPool } from '../../storage/postgres.ts';
import { postgresSql } from '../../storage/postgres-sql.ts';
import type { SqlDatabase } from '../../storage/sql.ts';
import { sqliteSql } from '../../storage/sqlite-sql.ts';
import { StorageError } from '../../storage/storage-errors.ts';
import { openPreparedFile } from '../data/open-sql.ts';
import type { RemoteKeys } from '../data/remote-keys.ts';
import type { ServedConfig } from '../requirements.ts';
import { alertSecret, openMailer } from './mail-and-secret.ts';
import { fillRandom } from './random.ts';

export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

export interface AccountsOptions {
  readonly config: ServedConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly accessMemory: SharedArrayBuffer;
  /** The Postgres pool, or null if accounts are in the SQLite file of the data folder. */
  readonly pool: PostgresPool | null;
  /** If keys are in Postgres, notifies all threads of changed keys; otherwise null. */
  readonly keys: RemoteKeys | null;
}

type Repositories = ReturnType<typeof openRepositories>;

interface OpeningOptions {
  /**
   * Makes one attempt. @throws StorageError if the disk or Postgres fails; after any other error there is no
   * further attempt
   */
  readonly openOnce: () => Promise<Accounts>;
  /** Resolves when it is time for the next attempt. */
  readonly pause: () => Promise<void>;
  readonly onStorageError: (cause: unknown) => void;
  /** Called when there will be no further attempt. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Opens accounts, and retries while the storage fails: at the start of the thread a disk may be full or
 * Postgres unavailable.
 * @returns a function that returns the promise of the latest attempt; between two attempts, that is the
 * rejected promise of the failed one
 */
export function keepOpening({
  openOnce,
  pause,
  onStorageError,
  onFailure,
}: OpeningOptions): () => Promise<Accounts> {
  let latest = openOnce();
  const open = async (): Promise<void> => {
    for (;;) {
      try {
        await latest;
        return;
      } catch (error) {
        if (!(error instanceof StorageError)) return onFailure(error);
        onStorageError(error.cause);
      }
      await pause();
      latest = openOnce();
    }
  };
  void open();
  return () => latest;
}

/** Opens accounts in one attempt. */
export async function openAccounts(options: AccountsOptions) {
  const { config, clock, log } = options;
  const memory = attachAccessMemory(options.accessMemory);
  const seenSessions = new SeenSessions(memory.sessions);
  const opened = openRepositories(options, memory);
  const { accounts, attempts, uses, keys: repository, rules, onKeysChanged, close } = opened;
  const hasher = new PasswordHasher({ atOnce: hashesAtOnce(availableParallelism()) });
  const people = await createPeople({
    accounts,
    attempts,
    uses,
    hasher,
    mailer: openMailer(config, clock, log),
    clock,
    fillRandom,
    subjectOf: subjectTextOf,
    networkOf: networkTextOf,
    publicUrl: config.publicUrl,
    isProduction: config.production,
    onKeysChanged,
    onLogin: ({ accountId, outcome }) => log.info('login', { account: accountId, outcome }),
    onSession: (tokenHash, plan) => seenSessions.note(tokenHash, plan),
    onLateFailure: (error) => log.error('reset_failed', { error: String(error) }),
  }).catch((error: unknown) => {
    close();
    throw error;
  });
  const keys = new KeyService({
    attempts,
    keys: repository,
    usage: new SharedUsage(memory),
    clock,
    fillRandom,
    onKeysChanged,
  });
  const { publicUrl, sessionIdleMs: idleMs } = config;
  const sessions = new Sessions({ accounts, uses, clock, publicUrl, idleMs });
  const timer = setInterval(() => endUnused(sessions, log), sessions.stepMs);
  const platform = createPlatform({
    people,
    keys,
    sessions,
    views: opened.views,
    operator: { emails: config.operatorEmails, count: () => accounts.countAccounts() },
  });
  const alerts = createAlertCalls(
    new RuleService(await ruleParts(options, { accounts, attempts, rules })),
    accountOfCaller({ sessions, keys: repository, accounts }),
  );
  return {
    platform,
    alerts,
    close: () => {
      clearInterval(timer);
      close();
    },
  };
}

async function ruleParts(
  { config, clock }: AccountsOptions,
  { accounts, attempts, rules }: Pick<Repositories, 'accounts' | 'attempts' | 'rules'>,
): Promise<RuleServiceOptions> {
  return {
    rules,
    allowed: allowedTargets(config.alertsAllow),
    ...{ clock, fillRandom },
    serviceSecret: await alertSecret(accounts, config),
    isOperator: (account) => isOperatorOf(account, config.operatorEmails),
    throttle: (accountId) => takeAttempt({ attempts, clock }, 'alertsPerAccount', `alerts ${accountId}`),
    throttleNames: (accountId) =>
      takeAttempt({ attempts, clock }, 'alertNamesPerAccount', `alert names ${accountId}`),
  };
}

interface CallerParts {
  readonly sessions: Sessions;
  readonly keys: KeyRepository;
  readonly accounts: AccountRepository;
}

/** Finds the account of a session or a key. @throws ServiceError unauthorized, forbidden */
function accountOfCaller({ sessions, keys, accounts }: CallerParts) {
  return async (caller: AlertCaller): Promise<AccountRecord> => {
    if ('credentials' in caller) return (await sessions.authenticate(caller.credentials)).account;
    const accountId = (await keys.findKey(caller.keyId))?.accountId ?? null;
    const account = accountId === null ? null : await accounts.findAccount(accountId);
    if (account !== null) return account;
    throw new ServiceError('forbidden', 'Cannot use alerts: the key belongs to no account', {
      fix: 'Sign up and create a key with POST /platform/keys',
    });
  };
}

function endUnused(sessions: Sessions, log: Log): void {
  sessions.endUnused().catch((error: unknown) => {
    if (!(error instanceof StorageError)) throw error;
    // The next run will end the sessions that this one could not.
    log.warn('unused_sessions_not_ended', { error: String(error.cause) });
  });
}

function openRepositories(options: AccountsOptions, memory: AccessMemory) {
  const { config, pool, keys, clock } = options;
  if (pool !== null) {
    const repositories = repositoriesOf(postgresSql(pool), clock);
    return { ...repositories, onKeysChanged: () => keys?.check(), close: () => {} };
  }
  const database = openPreparedFile(config.dataDir, {
    schemas: [ACCOUNTS_SCHEMA, KEYS_SCHEMA, ALERTS_SCHEMA],
    durability: 'power',
  });
  const epoch = new EpochWatch(memory, new SqliteKeyDirectory(database));
  const repositories = repositoriesOf(sqliteSql(database), clock);
  return { ...repositories, onKeysChanged: () => epoch.check(), close: () => database.close() };
}

function repositoriesOf(sql: SqlDatabase, clock: Clock) {
  const attempts = new Attempts(sql);
  return {
    accounts: new AccountRepository(sql),
    attempts,
    uses: new SessionUses(sql),
    keys: new KeyRepository(sql),
    rules: new RuleRepository(sql),
    views: new SavedViews({ sql, attempts, clock, fillRandom }),
  };
}
