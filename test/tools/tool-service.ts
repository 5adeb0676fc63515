// Tools that a test calls over HTTP as any tier, without limit: the tools of a running service, or of a desk
// (tool-desk.ts). Budgets do not refill while the clock is stopped, so each call without a key comes from a
// new address, and keys are created as they are needed.

import { join } from 'node:path';
import { type Answered, call } from '../support/call.ts';
import { addressOf, createKeys, PROXY_SETTINGS } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { writeLines } from '../support/recording-file.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import type { NamedEvent } from './oracle/slate.ts';
import { type DeskLimits, openToolDesk, type ToolDesk } from './tool-desk.ts';
import type { Wire } from './wire-slate.ts';

export const ASKERS = ['keyless', 'free', 'standard', 'enterprise'] as const;
export type Asker = (typeof ASKERS)[number];
export type Args = Readonly<Record<string, unknown>>;

/** How many requests are sent with one key: less than the burst of its tier. */
const USES_MAX = { free: 28, standard: 110, enterprise: 1_900 } as const;
const KEYS_AT_ONCE = { free: 20, standard: 5, enterprise: 2 } as const;

const RECORDING_NAME = 'wires.ndjson';

interface KeyRing {
  readonly keys: string[];
  usesLeft: number;
}

export function seesSharp(asker: Asker): boolean {
  return asker === 'standard' || asker === 'enterprise';
}

export class ToolService {
  readonly #site: RunningService | ToolDesk;
  readonly #folder: TemporaryFolder | null;
  readonly #rings = new Map<Asker, KeyRing>();
  #addresses = 0;

  private constructor(site: RunningService | ToolDesk, folder: TemporaryFolder | null) {
    this.#site = site;
    this.#folder = folder;
  }

  static async start(settings: Record<string, string>): Promise<ToolService> {
    return new ToolService(await runService({ ...settings, ...PROXY_SETTINGS }), null);
  }

  /**
   * A service that plays these wire messages as a recording that is stopped at `now`. Their times may be
   * anywhere in the past.
   */
  static async serve(wires: readonly Wire[], now: string, settings: Record<string, string> = {}) {
    const folder = record(wires, now);
    const feed = { FEED: `replay:${join(folder.path, RECORDING_NAME)}`, FEED_NOW: now };
    return new ToolService(await runService({ ...feed, ...settings, ...PROXY_SETTINGS }), folder);
  }

  /** The same messages without a service: only the tools, on this thread. */
  static async play(wires: readonly Wire[], now: string, limits?: DeskLimits) {
    const folder = record(wires, now);
    return new ToolService(await openToolDesk(join(folder.path, RECORDING_NAME), now, limits), folder);
  }

  /** The same for an existing recording. */
  static async playFile(path: string, now: string) {
    return new ToolService(await openToolDesk(path, now), null);
  }

  /** The recording that is played. */
  get recordingPath(): string | null {
    return this.#folder === null ? null : join(this.#folder.path, RECORDING_NAME);
  }

  get url(): string {
    return this.#site.url;
  }

  async ask(asker: Asker, tool: string, args: Args): Promise<Answered> {
    return call(`${this.url}/v1/mcp/${tool}`, {
      method: 'POST',
      headers: { ...(await this.headersOf(asker)), 'content-type': 'application/json' },
      body: JSON.stringify(args),
    });
  }

  /** The answer as an object. @throws Error on a status other than 200 */
  async answer(asker: Asker, tool: string, args: Args): Promise<Record<string, unknown>> {
    const { status, text, body } = await this.ask(asker, tool, args);
    if (status !== 200) throw new Error(`${tool} ${JSON.stringify(args)} answered ${status}: ${text}`);
    return body as Record<string, unknown>;
  }

  async headersOf(asker: Asker): Promise<Record<string, string>> {
    this.#addresses += 1;
    const headers = { 'x-forwarded-for': addressOf(this.#addresses) };
    return asker === 'keyless' ? headers : { ...headers, authorization: `Bearer ${await this.keyOf(asker)}` };
  }

  /** @throws Error if there is no service */
  get running(): RunningService {
    if (!('dataDir' in this.#site)) throw new Error('These tools run without a service');
    return this.#site;
  }

  /** A key of the tier that is not used up. */
  async keyOf(tier: Exclude<Asker, 'keyless'>): Promise<string> {
    if (!('dataDir' in this.#site)) return tier; // the keys of a desk are the names of tiers
    const ring = this.#rings.get(tier) ?? { keys: [], usesLeft: 0 };
    this.#rings.set(tier, ring);
    if (ring.usesLeft === 0) {
      ring.keys.shift();
      if (ring.keys.length === 0) {
        ring.keys.push(...(await createKeys(this.#site.dataDir, tier, KEYS_AT_ONCE[tier])));
      }
      ring.usesLeft = USES_MAX[tier];
    }
    ring.usesLeft -= 1;
    return ring.keys[0]!;
  }

  /** Waits until this many results are archived, which happens after the feed has sent them. */
  async untilResults(count: number): Promise<void> {
    await until(`${count} results are archived`, async () => {
      const answer = await this.answer('enterprise', 'list_results', { limit: 200 });
      return (answer.count as number) >= Math.min(200, count);
    });
  }

  /** Every fixture that the service lists. */
  async events(): Promise<NamedEvent[]> {
    const events: NamedEvent[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const suffix: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await call(`${this.url}/v1/events?limit=200${suffix}`, {
        headers: await this.headersOf('enterprise'),
      });
      const page = body as { data: NamedEvent[]; page: { next_cursor: string | null } };
      events.push(...page.data);
      cursor = page.page.next_cursor;
    }
    return events;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#site[Symbol.asyncDispose]();
    this.#folder?.[Symbol.dispose]();
  }
}

/** Writes the messages into a recording in a new folder. */
function record(wires: readonly Wire[], now: string): TemporaryFolder {
  const folder = temporaryFolder();
  const hello = { type: 'hello', protocol: 1, source: 'test', at: now };
  const messages = wires.map((wire, index) => ({ ...wire, seq: index + 1 }));
  writeLines(join(folder.path, RECORDING_NAME), [hello, ...messages]);
  return folder;
}
