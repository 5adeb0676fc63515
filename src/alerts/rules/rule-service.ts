// Alert rules of accounts, as their owners manage them. A rule of another account is answered as 404.

import { type FillRandom, randomId } from '../../accounts/credentials/secrets.ts';
import type { AccountRecord } from '../../accounts/records.ts';
import { type Clock, toIsoText } from '../../clock.ts';
import type { AlertDelivery } from '../../contract/alerts/alert-deliveries.ts';
import type { AlertPreviewRequest } from '../../contract/alerts/alert-preview.ts';
import type {
  Alert,
  AlertTo,
  AlertWithSecret,
  ChangeAlertRequest,
  CreateAlertRequest,
} from '../../contract/alerts/alert-rules.ts';
import { ALERT_WHEN_FIELDS, ALERT_WHERE_FIELDS } from '../../domain/alerts/alert-fields.ts';
import { principalOf, type TierKey } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import {
  ALERT_DELIVERIES_KEPT,
  ALERTS_PER_ACCOUNT_MAX,
  FREE_ALERTS_FEW,
  FREE_ALERTS_MAX,
} from '../../limits.ts';
import { testBody } from '../delivery/payload.ts';
import { secretTextOf } from '../delivery/signature.ts';
import { type AllowedTargets, alertTarget } from '../delivery/target.ts';
import { toAlertDelivery } from '../outbox/delivery.ts';
import type { AlertNames, AlertRule } from './alert-rule.ts';
import type { RuleRepository } from './rule-repository.ts';
import { checkRuleWords, planNote } from './rule-words.ts';
import { sentenceOf } from './sentence.ts';

/**
 * Maximum bytes of one list of deliveries. It is made in one piece on a thread that serves others too. The
 * rest is in the next list.
 */
export const DELIVERIES_BYTES_MAX = 256 * 1024;
/**
 * Number of deliveries that are read from the database by one query. ALERT_DELIVERIES_KEPT is a multiple of
 * it.
 */
const DELIVERIES_PER_READ = 20;

/** The part of FREE_ALERTS_MAX that is kept for accounts with few rules. */
const FREE_ALERTS_KEPT = 1 / 4;
/** Retry-After, in seconds, while all places for rules without a paid plan are taken. */
const FULL_RETRY_S = 3_600;

export interface RuleServiceOptions {
  readonly rules: RuleRepository;
  readonly allowed: AllowedTargets;
  readonly clock: Clock;
  readonly fillRandom: FillRandom;
  /** The secret from which signing secrets are derived. */
  readonly serviceSecret: string;
  readonly isOperator: (account: AccountRecord) => boolean;
  /**
   * Counts a change of a rule, or a delivery that its owner requests. @throws ServiceError
   * rate_limit_exceeded
   */
  readonly throttle: (accountId: string) => Promise<void>;
  /** Counts a search for the names in a rule. @throws ServiceError rate_limit_exceeded */
  readonly throttleNames: (accountId: string) => Promise<void>;
}

/** The names for the ids in `where`, as looked up by the caller of the service. */
export interface Named {
  readonly names: AlertNames;
}

export interface CheckedRule {
  readonly plan: TierKey;
  readonly sentence: string;
}

export class RuleService {
  readonly #options: RuleServiceOptions;

  constructor(options: RuleServiceOptions) {
    this.#options = options;
  }

  async list(account: AccountRecord): Promise<Alert[]> {
    return (await this.#options.rules.list(account.id)).map(toAlert);
  }

  /** @throws ServiceError not_found */
  async read(account: AccountRecord, id: string): Promise<Alert> {
    return toAlert(await this.#own(account, id));
  }

  /**
   * Admits an account whose rule is about to be checked. Call it before the names of the rule are looked up,
   * because that takes time of the caller's thread.
   * @throws ServiceError forbidden for an unverified account, rate_limit_exceeded
   */
  async admit(account: AccountRecord): Promise<Pick<AccountRecord, 'id' | 'plan'>> {
    requireVerified(account);
    await this.#options.throttleNames(account.id);
    return { id: account.id, plan: account.plan };
  }

  /**
   * @throws ServiceError invalid_request for words that do not go together or a URL that is not allowed,
   * forbidden for an unverified account or a rule about something that the account may not see, plan_limit
   * for too many rules, rate_limit_exceeded, upstream_unavailable
   */
  async create(account: AccountRecord, body: CreateAlertRequest & Named): Promise<AlertWithSecret> {
    const { rules, clock, fillRandom, throttle } = this.#options;
    requireVerified(account);
    const { name, when, where = {}, names } = body;
    const author = this.#author(account);
    checkRuleWords(when, where, author);
    const rule: AlertRule = {
      ...{ id: randomId(fillRandom, 'alr_'), accountId: account.id, name, when, where, names },
      to: this.#checked(body.to),
      ...{ status: 'active', note: planNote(when, author.principal), secretVersion: 1, rotatedAtMs: null },
      createdAtMs: clock.wallMs(),
    };
    await throttle(account.id);
    if (account.plan === 'free') await this.#requireFreeRoom(account);
    if (!(await rules.create(rule, ALERTS_PER_ACCOUNT_MAX))) {
      throw new ServiceError(
        'plan_limit',
        `Cannot create rule: the account has ${ALERTS_PER_ACCOUNT_MAX} rules`,
        { fix: 'Delete a rule that is no longer used' },
      );
    }
    return { alert: toAlert(rule), secret: this.#secretOf(rule) };
  }

  /**
   * The account's rule with this name, these conditions and this target; created if there is none.
   * @throws ServiceError as `create`
   */
  async ensure(account: AccountRecord, body: CreateAlertRequest & Named): Promise<AlertWithSecret> {
    const { name, when, where = {} } = body;
    const to = this.#checked(body.to);
    const same = (await this.#options.rules.list(account.id)).find((rule) =>
      Bun.deepEquals([rule.name, rule.when, rule.where, rule.to], [name, when, where, to]),
    );
    return same === undefined ? this.create(account, body) : { alert: toAlert(same), secret: null };
  }

  /**
   * Checks what a rule watches, without creating it.
   * @throws ServiceError invalid_request, forbidden (for an unverified account too), rate_limit_exceeded
   */
  async check(
    account: AccountRecord,
    { when, where = {}, names }: AlertPreviewRequest & Named,
  ): Promise<CheckedRule> {
    requireVerified(account);
    checkRuleWords(when, where, this.#author(account));
    await this.#options.throttle(account.id);
    return { plan: account.plan, sentence: sentenceOf({ when, where, names }) };
  }

  /** @throws ServiceError not_found, invalid_request, forbidden, rate_limit_exceeded */
  async change(account: AccountRecord, id: string, body: ChangeAlertRequest & Named): Promise<Alert> {
    const { rules, throttle } = this.#options;
    await throttle(account.id);
    const changed = await rules.change(account.id, id, (rule) => {
      const author = this.#author(account);
      const isActivated = body.status === 'active' && rule.status !== 'active';
      // The note of a stopped rule says why it was stopped, so it stays.
      const isNoted = isActivated || (body.when !== undefined && rule.status === 'active');
      const next: Omit<AlertRule, 'note'> = {
        ...rule,
        name: body.name ?? rule.name,
        when: body.when ?? rule.when,
        where: body.where ?? rule.where,
        names: body.where === undefined ? rule.names : body.names,
        to: body.to === undefined ? rule.to : this.#checked(body.to),
        status: body.status ?? rule.status,
      };
      checkRuleWords(next.when, next.where, author);
      return { ...next, note: isNoted ? planNote(next.when, author.principal) : rule.note };
    });
    if (changed === null) throw unknownRule();
    return toAlert(changed);
  }

  /** @throws ServiceError not_found */
  async delete(account: AccountRecord, id: string): Promise<void> {
    if (!(await this.#options.rules.delete(account.id, id))) throw unknownRule();
  }

  /**
   * Gives a rule a new secret. For a day, deliveries are signed with the former secret too.
   * @throws ServiceError not_found, invalid_request for a rule that signs nothing
   */
  async rotate(account: AccountRecord, id: string): Promise<AlertWithSecret> {
    const { rules, throttle, clock } = this.#options;
    await throttle(account.id);
    const changed = await rules.change(account.id, id, (rule) => {
      if (rule.to.format !== 'raw') {
        throw new ServiceError('invalid_request', `Cannot rotate secret: ${rule.to.format} is not signed`, {
          fix: 'Only deliveries of the format raw are signed',
        });
      }
      return { ...rule, secretVersion: rule.secretVersion + 1, rotatedAtMs: clock.wallMs() };
    });
    if (changed === null) throw unknownRule();
    return { alert: toAlert(changed), secret: this.#secretOf(changed) };
  }

  /** Sends a made-up alert. @returns the id of the delivery @throws ServiceError not_found */
  async test(account: AccountRecord, id: string): Promise<string> {
    const { rules, clock, fillRandom, throttle } = this.#options;
    const rule = await this.#own(account, id);
    await throttle(account.id);
    const messageId = randomId(fillRandom, 'msg_');
    const atMs = clock.wallMs();
    const body = testBody(rule, atMs);
    const test = { messageId, ruleId: rule.id, life: `test:${messageId}`, body, atMs };
    if (!(await rules.addTest(test))) throw unknownRule();
    return messageId;
  }

  /**
   * The deliveries of a rule, newest first, until the list is DELIVERIES_BYTES_MAX long.
   * @param before the id of a delivery: returns only older ones
   * @throws ServiceError not_found; invalid_request when the rule no longer has the delivery `before`
   */
  async deliveries(account: AccountRecord, id: string, before: string | null): Promise<AlertDelivery[]> {
    const { rules } = this.#options;
    const rule = await this.#own(account, id);
    // The next read starts from the number of a row, because the row itself may be deleted meanwhile.
    let lastRow = before === null ? null : await this.#rowOf(rule, before);
    const listed: AlertDelivery[] = [];
    let bytes = 0;
    while (listed.length < ALERT_DELIVERIES_KEPT) {
      const rows = await rules.deliveries(rule.id, { before: lastRow, max: DELIVERIES_PER_READ });
      for (const row of rows) {
        const delivery = toAlertDelivery(row);
        bytes += Buffer.byteLength(JSON.stringify(delivery));
        if (bytes > DELIVERIES_BYTES_MAX && listed.length > 0) return listed;
        listed.push(delivery);
        lastRow = row.id;
      }
      if (rows.length < DELIVERIES_PER_READ) break;
    }
    return listed;
  }

  /** @throws ServiceError invalid_request */
  async #rowOf(rule: AlertRule, messageId: string): Promise<number> {
    const row = await this.#options.rules.delivery(rule.id, messageId);
    if (row !== null) return row.id;
    throw new ServiceError('invalid_request', 'Cannot list before this delivery: the rule no longer has it', {
      fix: 'Start again from the newest delivery, without the parameter before',
    });
  }

  /** Sends a delivery again, under the same id. @throws ServiceError not_found, invalid_request */
  async resend(account: AccountRecord, id: string, messageId: string): Promise<void> {
    const { rules, clock, throttle } = this.#options;
    const rule = await this.#own(account, id);
    if ((await rules.delivery(rule.id, messageId)) === null) {
      throw new ServiceError('not_found', 'Cannot send again: the rule has no such delivery', {
        fix: `List them with GET /platform/alerts/${rule.id}/deliveries`,
      });
    }
    await throttle(account.id);
    const resent = await rules.resend(rule, messageId, clock.wallMs());
    if (resent === 'queued') return;
    const isFull = resent === 'full';
    const why = isFull ? 'many deliveries of the account are' : 'the delivery is';
    throw new ServiceError('invalid_request', `Cannot send again: ${why} still being tried`, {
      fix: `Wait until ${isFull ? 'some are accepted or have' : 'it is accepted or has'} failed`,
    });
  }

  /** @throws ServiceError upstream_unavailable when all accounts without a paid plan have too many rules */
  async #requireFreeRoom(account: AccountRecord): Promise<void> {
    const { own, ofPlan } = await this.#options.rules.count(account);
    const max = own < FREE_ALERTS_FEW ? FREE_ALERTS_MAX : FREE_ALERTS_MAX * (1 - FREE_ALERTS_KEPT);
    if (ofPlan < max) return;
    throw new ServiceError(
      'upstream_unavailable',
      'Cannot create rule: this server has no room for more rules without a paid plan',
      { fix: 'Change a rule that exists, or choose a paid plan', retryAfterSeconds: FULL_RETRY_S },
    );
  }

  async #own(account: AccountRecord, id: string): Promise<AlertRule> {
    const rule = await this.#options.rules.find(account.id, id);
    if (rule === null) throw unknownRule();
    return rule;
  }

  #author(account: AccountRecord) {
    return { principal: principalOf(account.plan), isOperator: this.#options.isOperator(account) };
  }

  /** The target as it is stored. @throws ServiceError invalid_request */
  #checked({ url, format }: AlertTo): AlertTo {
    const { href } = alertTarget(url, this.#options.allowed);
    if (format === 'telegram' && !new URL(href).searchParams.has('chat_id')) {
      throw new ServiceError('invalid_request', 'Cannot send to Telegram: the URL has no chat_id', {
        fix: 'Send https://api.telegram.org/bot<token>/sendMessage?chat_id=<id>',
      });
    }
    return { url: href, format };
  }

  #secretOf(rule: AlertRule): string | null {
    return rule.to.format === 'raw' ? secretTextOf(this.#options.serviceSecret, rule) : null;
  }
}

/** A rule as its owner sees it. */
function toAlert(rule: AlertRule): Alert {
  const { id, name, when, where, to, status, note } = rule;
  const created_at = toIsoText(rule.createdAtMs);
  return {
    id,
    name,
    sentence: sentenceOf(rule),
    when: shownFields(ALERT_WHEN_FIELDS, when),
    where: shownFields(ALERT_WHERE_FIELDS, where),
    to,
    status,
    note,
    created_at,
  };
}

/** A part of a rule as answers show it: with every field, null when the field is not set. */
function shownFields(names: readonly string[], value: object): Record<string, unknown> {
  const given = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.map((name) => [name, given[name] ?? null]));
}

function requireVerified({ verifiedAtMs }: AccountRecord): void {
  if (verifiedAtMs !== null) return;
  throw new ServiceError('forbidden', 'Cannot use rule: the account is not verified', {
    fix: 'Enter the code from the mail with POST /platform/verify',
  });
}

function unknownRule(): ServiceError {
  return new ServiceError('not_found', 'Cannot find rule: the account has no rule with this id', {
    fix: 'List the rules with GET /platform/alerts',
  });
}
