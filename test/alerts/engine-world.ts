// The parts around an alert engine, with a clock, an evaluation and endpoints that the test controls, over a
// real database.

import { expect } from 'bun:test';
import { join } from 'node:path';
import { AccountRepository } from '../../src/accounts/account-repository.ts';
import { AlertEngine } from '../../src/alerts/alert-engine.ts';
import type { AlertNews, Evaluation, WatchedRule } from '../../src/alerts/evaluation/news.ts';
import { Dispatcher } from '../../src/alerts/outbox/dispatcher.ts';
import { OutboxLease } from '../../src/alerts/outbox/lease.ts';
import { OutboxStore } from '../../src/alerts/outbox/outbox-store.ts';
import type { AlertRule } from '../../src/alerts/rules/alert-rule.ts';
import { RuleRepository } from '../../src/alerts/rules/rule-repository.ts';
import type { TierKey } from '../../src/domain/tiers.ts';
import { ALERT_DELIVERIES_KEPT } from '../../src/limits.ts';
import { eventLoopTurn } from '../../src/pause.ts';
import { SQLITE_SCHEMAS } from '../../src/start/data/service-database.ts';
import { openDatabase } from '../../src/storage/database.ts';
import type { SqlDatabase } from '../../src/storage/sql.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export const START_MS = Date.UTC(2026, 2, 1);
export const STEP_MS = 50;
/** The step of a run of at least LONG_RUN_MS, in which a test only waits for retries or cooldowns. */
const LONG_STEP_MS = 250;
const LONG_RUN_MS = 10_000;

export interface Owner {
  readonly accountId: string;
  readonly plan: TierKey;
}

export const CUSTOMER: Owner = { accountId: 'acc_1', plan: 'enterprise' };

export function stranger(number: number): Owner {
  return { accountId: `acc_free_${number}`, plan: 'free' };
}

interface Arrived {
  readonly url: string;
  readonly messageId: string;
  readonly ids: readonly string[];
  readonly merged: number;
}

export type Opened = { readonly sql: SqlDatabase } & AsyncDisposable;

/** Time, the database and the endpoints that all nodes of a test share. */
export class World implements AsyncDisposable {
  readonly arrived: Arrived[] = [];
  /** The status with which each URL answers; 200 for all others. */
  readonly answers = new Map<string, number>();
  readonly stopped: string[] = [];
  /** Rules whose deliveries are answered 401. */
  readonly refused = new Set<string>();
  /** The time at which each attempt began. */
  readonly attempts: number[] = [];
  /** The rule of each alert that was dropped because the outbox was full. */
  readonly full: string[] = [];
  nowMs = START_MS;
  /** How far the wall clock is ahead of the monotonic clock. Waits follow the monotonic clock. */
  setByMs = 0;
  /** By URL, attempts that wait until the test lets them continue. */
  readonly held = new Map<string, PromiseWithResolvers<void>>();
  readonly rules: RuleRepository;
  readonly sql: SqlDatabase;
  readonly #opened: Opened;
  #ids = 0;
  #ruleCount = 0;

  constructor(opened: Opened) {
    this.#opened = opened;
    this.sql = opened.sql;
    this.rules = new RuleRepository(opened.sql);
  }

  get clock() {
    return { wallMs: () => this.nowMs + this.setByMs, monotonicMs: () => this.nowMs };
  }

  async rule(id: string, url = `https://${id}.example/`, max = 50, owner = CUSTOMER): Promise<AlertRule> {
    const { accountId, plan } = owner;
    await new AccountRepository(this.sql).createAccount({
      ...{ id: accountId, email: `${accountId}@example.com`, passwordHash: 'h', plan },
      ...{ verifiedAtMs: START_MS, createdAtMs: START_MS },
    });
    const rule: AlertRule = {
      ...{ id, accountId, name: id, when: { kind: 'match' }, where: {}, names: {} },
      ...{ to: { url, format: 'raw' }, status: 'active', note: null },
      ...{ secretVersion: 1, rotatedAtMs: null, createdAtMs: START_MS + this.#ruleCount++ },
    };
    expect(await this.rules.create(rule, max)).toBe(true);
    return rule;
  }

  async states(ruleId: string): Promise<string[]> {
    return (await this.rules.deliveries(ruleId, { before: null, max: ALERT_DELIVERIES_KEPT }))
      .map(({ state }) => state)
      .reverse();
  }

  /** Attempts at these URLs hang until the returned promise is resolved. */
  hold(...urls: readonly string[]): PromiseWithResolvers<void> {
    const held = Promise.withResolvers<void>();
    for (const url of urls) this.held.set(url, held);
    return held;
  }

  /** The most attempts within a second. */
  get attemptsPerSecond(): number {
    const countFrom = (atMs: number) =>
      this.attempts.filter((other) => other >= atMs && other < atMs + 1_000).length;
    return Math.max(...this.attempts.map(countFrom));
  }

  nextId(): string {
    this.#ids += 1;
    return `msg_${this.#ids}`;
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#opened[Symbol.asyncDispose]();
  }
}

/** Reports the news that a test gives it, to every rule. */
class GivenNews implements Evaluation {
  readonly given: string[] = [];
  /** Thrown by the next step. */
  failure: Error | null = null;
  #rules: readonly WatchedRule[] = [];

  setRules(rules: readonly WatchedRule[]): ReadonlyMap<string, string> {
    this.#rules = rules;
    return new Map();
  }

  step(): readonly AlertNews[] {
    const { failure } = this;
    this.failure = null;
    if (failure !== null) throw failure;
    return this.given.splice(0).flatMap((id) =>
      this.#rules.map((watched) => ({
        watched,
        item: { kind: 'match', change: 'live', id, text: id, event: null, details: {} },
      })),
    );
  }

  close(): void {
    this.#rules = [];
  }
}

export class Node {
  readonly news = new GivenNews();
  readonly engine: AlertEngine;
  readonly lease: OutboxLease;
  readonly #world: World;

  constructor(world: World, holder: string, isAlone = false) {
    this.#world = world;
    const { sql, clock } = world;
    const store = new OutboxStore(sql);
    this.lease = new OutboxLease({ sql, clock, holder, isAlone });
    const dispatcher = new Dispatcher({
      ...{ store, clock, random: () => 0.5 },
      maySend: () => this.lease.isHeld,
      post: async (rule, { messageId, body }) => {
        world.attempts.push(world.nowMs);
        await world.held.get(rule.to.url)?.promise;
        const status = world.refused.has(rule.id) ? 401 : (world.answers.get(rule.to.url) ?? 200);
        if (status !== 200) return { status, error: `answered ${status}`, answer: '' };
        const { data } = JSON.parse(body) as { data: { merged: number; items: { id: string }[] } };
        world.arrived.push({
          ...{ url: rule.to.url, messageId, merged: data.merged },
          ids: data.items.map(({ id }) => id),
        });
        return { status, error: null, answer: '' };
      },
      onStopped: async (rules) => {
        world.stopped.push(...rules.map(({ rule }) => rule.id));
        this.engine.checkSoon();
      },
      onError: (error) => expect(error).toBeNull(),
    });
    this.engine = new AlertEngine({
      ...{ store, lease: this.lease, dispatcher, clock, slateClock: clock },
      openEvaluations: () => [this.news],
      mayWatch: () => true,
      mayLead: () => true,
      nextId: () => world.nextId(),
      onFull: (ruleId) => world.full.push(ruleId),
    });
  }

  /** Gives the news to the engine, then steps the engine until the world's clock is `ms` later. */
  async run(ms: number, ...news: readonly string[]): Promise<void> {
    this.news.given.push(...news);
    const stepMs = ms < LONG_RUN_MS ? STEP_MS : LONG_STEP_MS;
    for (const endMs = this.#world.nowMs + ms; this.#world.nowMs < endMs; this.#world.nowMs += stepMs) {
      await this.engine.step();
      // The continuation of an attempt runs in a later turn of the event loop.
      await eventLoopTurn();
    }
  }
}

/** An empty SQLite database with the tables of the service. */
export async function openSqlite(): Promise<Opened> {
  const folder = temporaryFolder();
  const database = openDatabase({
    path: join(folder.path, 'a.sqlite'),
    schemas: SQLITE_SCHEMAS,
    create: true,
  });
  return {
    sql: sqliteSql(database),
    [Symbol.asyncDispose]: async () => {
      database.close();
      folder[Symbol.dispose]();
    },
  };
}
