// The parts of the thread for alerts: its reader of the slate and its scoring pool, the outbox over its own
// connection to the database, and the requests to endpoints.

import { lookup } from 'node:dns/promises';
import { AccountRepository } from '../../accounts/account-repository.ts';
import { randomId } from '../../accounts/credentials/secrets.ts';
import type { Mailer } from '../../accounts/mailers.ts';
import { isOperatorOf } from '../../accounts/platform.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../../accounts/schema.ts';
import { AlertEngine } from '../../alerts/alert-engine.ts';
import { failingMail } from '../../alerts/delivery/failing-mail.ts';
import { formedRequest } from '../../alerts/delivery/formats.ts';
import { postAlert } from '../../alerts/delivery/post.ts';
import { signatureHeaders } from '../../alerts/delivery/signature.ts';
import { alertTarget, allowedTargets } from '../../alerts/delivery/target.ts';
import { MatchEvaluation } from '../../alerts/evaluation/match-evaluation.ts';
import type { Evaluation, WatchedRule } from '../../alerts/evaluation/news.ts';
import { PriceEvaluation } from '../../alerts/evaluation/price-evaluation.ts';
import {
  ALERT_VIEWS_MAX,
  ALERT_WATCHES_MAX,
  SignalEvaluation,
} from '../../alerts/evaluation/signal-evaluation.ts';
import { SourceEvaluation } from '../../alerts/evaluation/source-evaluation.ts';
import { Dispatcher, type DispatcherParts } from '../../alerts/outbox/dispatcher.ts';
import { OutboxLease } from '../../alerts/outbox/lease.ts';
import { OutboxStore, type OwnedRule } from '../../alerts/outbox/outbox-store.ts';
import { ALERTS_SCHEMA } from '../../alerts/schema.ts';
import { type Clock, clockOf } from '../../clock.ts';
import { ServiceError, stackOf } from '../../errors.ts';
import { BoundedLog, type Log } from '../../log.ts';
import { BestPriceQueries } from '../../query/markets/best-prices.ts';
import { createPolledQueries } from '../../query/polled.ts';
import type { ScoringOnDemand } from '../../scoring/on-demand.ts';
import { StorageError } from '../../storage/storage-errors.ts';
import { SlateReader } from '../../store/reader.ts';
import { LiveSignals } from '../../stream/signals/live-signals.ts';
import type { NodeNumbers } from '../../telemetry/node-numbers.ts';
import { alertSteps, FAILED_PAUSE_MS } from '../alerts/alert-steps.ts';
import { openSql } from '../data/open-sql.ts';
import { plausibleLimitsOf, windowsOf } from '../record/signal-bounds.ts';
import type { ServedConfig } from '../requirements.ts';
import { alertSecret, openMailer } from './mail-and-secret.ts';
import { fillRandom } from './random.ts';
import { scoringOnDemand } from './scoring.ts';

const FAILURE_LOG = { countMax: 3, windowMs: 60_000 };
/** Connections to Postgres: one that writes, one that reads. */
const ALERT_CONNECTIONS = 2;

export interface AlertsThreadParts {
  readonly config: ServedConfig;
  readonly storeBuffer: SharedArrayBuffer;
  readonly clock: Clock;
  readonly log: Log;
  readonly numbers: NodeNumbers;
  readonly onWork: () => void;
}

export interface Alerts {
  stop(): Promise<void>;
}

/** Opens the database and begins to watch. While the database fails, each step is tried again. */
export async function openAlerts(parts: AlertsThreadParts): Promise<Alerts> {
  const { config, storeBuffer, clock, log, onWork } = parts;
  const { sql, close } = openSql(config, {
    schemas: [ACCOUNTS_SCHEMA, KEYS_SCHEMA, ALERTS_SCHEMA],
    durability: 'power',
    connections: ALERT_CONNECTIONS,
  });
  const reader = new SlateReader(storeBuffer);
  const scoring = scoringOnDemand(storeBuffer, log);
  const failures = new BoundedLog(log, clock, FAILURE_LOG);
  const secret = await untilStored(() => alertSecret(new AccountRepository(sql), config));
  const store = new OutboxStore(sql);
  const lease = new OutboxLease({
    ...{ sql, clock, isAlone: config.databaseUrl === null },
    holder: randomId(fillRandom, 'node_'),
  });
  const dispatcher = new Dispatcher({
    ...{ store, clock, post: poster(config, secret, clock) },
    random: () => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32,
    maySend: () => lease.isHeld,
    onStopped: stopper({ ...parts, onChanged: () => engine.checkSoon() }),
    onError: (error) => failures.warn('alert_not_stored', { error: String(error) }),
  });
  const engine: AlertEngine = new AlertEngine({
    ...{ store, lease, dispatcher, clock },
    slateClock: clockOf(config.feedNowMs),
    openEvaluations: () =>
      evaluationsOf({
        ...{ ...parts, reader, scoring },
        onFailed: ({ message }) => failures.warn('alerts_not_compared', { error: message }),
      }),
    mayLead: () => config.role === 'all' || reader.feed().replication === 'leading',
    mayWatch: () => {
      const feed = reader.feed();
      return feed.connected && feed.snapshotComplete && !feed.isRestored;
    },
    nextId: () => randomId(fillRandom, 'msg_'),
    onFull: (ruleId) => failures.warn('alerts_dropped', { rule: ruleId, because: 'its outbox is full' }),
  });
  const stopSteps = alertSteps(engine, {
    onWork,
    onStep: () => publish(parts.numbers, engine, dispatcher),
    onStorageError: (error) => failures.warn('alerts_wait_for_storage', { error: String(error) }),
    onError: (error) => {
      const text = stackOf(error);
      failures.warn('alerts_begin_again', { error: text });
    },
  });
  return {
    stop: async () => {
      await stopSteps();
      await engine.close().catch((error: unknown) => {
        if (!(error instanceof StorageError)) throw error;
      });
      await scoring.close();
      await close();
    },
  };
}

async function untilStored<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      await Bun.sleep(FAILED_PAUSE_MS);
    }
  }
}

interface EvaluationParts extends AlertsThreadParts {
  readonly reader: SlateReader;
  readonly scoring: ScoringOnDemand;
  readonly onFailed: (error: ServiceError) => void;
}

function evaluationsOf({ config, clock, reader, scoring, onFailed }: EvaluationParts): Evaluation[] {
  const { slate, signals } = createPolledQueries({
    ...{ reader, scorer: scoring, clock },
    windows: windowsOf(config),
  });
  const live = new LiveSignals({ reader, slate, signals, scorer: scoring }, plausibleLimitsOf(config), {
    signals: ALERT_VIEWS_MAX * 40,
    watches: ALERT_WATCHES_MAX,
  });
  const isOperator = ({ email, isVerified }: WatchedRule): boolean =>
    isOperatorOf({ email, verifiedAtMs: isVerified ? 0 : null }, config.operatorEmails);
  return [
    new SignalEvaluation({ live, slate, onFailed }),
    new PriceEvaluation({ slate, prices: new BestPriceQueries(reader) }),
    new MatchEvaluation(slate, () => reader.slateVersion()),
    new SourceEvaluation(slate, isOperator),
  ];
}

function poster(config: ServedConfig, secret: string, clock: Clock): DispatcherParts['post'] {
  const allowed = allowedTargets(config.alertsAllow);
  const resolve = async (host: string) => (await lookup(host, { all: true })).map(({ address }) => address);
  return async (rule, { messageId, body }) => {
    const { url, format } = rule.to;
    try {
      const target = alertTarget(url, allowed);
      const formed = formedRequest(format, target.path, body);
      const signed =
        format === 'raw' ? signatureHeaders(secret, rule, { messageId, atMs: clock.wallMs(), body }) : {};
      const headers = { ...formed.headers, ...signed };
      return await postAlert(target, { ...formed, headers }, { resolve, allowed });
    } catch (error) {
      // The operator may have taken a host off ALERTS_ALLOW since the rule was made. Then the attempt fails.
      if (!(error instanceof ServiceError)) throw error;
      return { status: null, error: error.message, answer: null };
    }
  };
}

/**
 * Returns the function to call when an endpoint was stopped, with the rules of one account that send to it.
 * It logs that and, if the endpoint fails, mails the owner of the rules.
 */
function stopper({
  config,
  clock,
  log,
  onChanged,
}: AlertsThreadParts & { readonly onChanged: () => void }): DispatcherParts['onStopped'] {
  let mailer: Mailer | null | undefined;
  return async (rules: readonly OwnedRule[], isFailing) => {
    onChanged();
    log.warn('alert_endpoint_stopped', {
      rules: rules.length,
      because: isFailing ? 'it fails' : 'it is gone',
    });
    const [first] = rules;
    if (!isFailing || first === undefined) return;
    mailer ??= openMailer(config, clock, log);
    const mail = failingMail(
      first.email,
      rules.map(({ rule }) => rule),
      config.publicUrl,
    );
    await mailer?.send(mail).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error; // the mailer has logged it
    });
  };
}

function publish(numbers: NodeNumbers, engine: AlertEngine, { counts, size }: Dispatcher): void {
  numbers.set('alert_rules', engine.ruleCount);
  numbers.set('alerts_waiting', size);
  numbers.set('alerts_taken', counts.taken);
  numbers.set('alerts_failed', counts.failed);
  numbers.set('alerts_merged', counts.merged);
  numbers.set('alerts_dropped', counts.dropped);
}
