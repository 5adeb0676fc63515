// The content of an alert in the raw format. The outbox stores this text. For another format, the request is
// made from it when the alert is sent.

import { toIsoText } from '../../clock.ts';
import type { AlertKind } from '../../contract/alerts/alert-rules.ts';
import type { AlertRule } from '../rules/alert-rule.ts';

/** One thing that a rule reports. */
export interface AlertItem {
  readonly kind: AlertKind;
  /** What happened, such as `opened`, `closed`, `score`, `lost`. */
  readonly change: string;
  /** Id of the subject, such as a signal; items with the same id are sent in order. */
  readonly id: string;
  /** The item as a sentence. */
  readonly text: string;
  /** The match, null for a source. */
  readonly event: AlertedEvent | null;
  /** For a rule about signals, the signal as streams send it; for other kinds, the facts of the change. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface AlertedEvent {
  readonly id: string;
  readonly sport: string;
  readonly league: string;
  readonly home: string;
  readonly away: string;
  readonly scheduled_at: string | null;
  readonly status: string;
}

export interface AlertBody {
  readonly type: 'alert';
  readonly timestamp: string;
  readonly data: {
    readonly alert: { readonly id: string; readonly name: string };
    /** How many alerts were merged into this delivery; 1 for one that was not merged. */
    readonly merged: number;
    /** How many of the merged alerts are not in `items`, because a delivery has at most ITEMS_MAX items. */
    readonly left_out: number;
    readonly items: readonly AlertItem[];
  };
}

/** Maximum number of items of one delivery. Further ones are only counted (`left_out`). */
export const ITEMS_MAX = 20;

export function bodyOf(
  rule: Pick<AlertRule, 'id' | 'name'>,
  items: readonly AlertItem[],
  atMs: number,
): string {
  const body: AlertBody = {
    type: 'alert',
    timestamp: toIsoText(atMs),
    data: {
      alert: { id: rule.id, name: rule.name },
      merged: items.length,
      left_out: Math.max(0, items.length - ITEMS_MAX),
      items: items.slice(0, ITEMS_MAX),
    },
  };
  return JSON.stringify(body);
}

/** Merges several deliveries into one and keeps their order. */
export function mergedBody(texts: readonly string[]): string {
  const bodies = texts.map(parseBody);
  const [first] = bodies;
  const items = bodies.flatMap(({ data }) => data.items);
  const merged = bodies.reduce((count, { data }) => count + data.merged, 0);
  const shown = items.slice(0, ITEMS_MAX);
  return JSON.stringify({
    ...first!,
    data: { ...first!.data, merged, left_out: merged - shown.length, items: shown },
  } satisfies AlertBody);
}

export function parseBody(text: string): AlertBody {
  return JSON.parse(text) as AlertBody;
}

/** A test delivery, which the owner of a rule requests to see whether alerts arrive. */
export function testBody(rule: Pick<AlertRule, 'id' | 'name' | 'when'>, atMs: number): string {
  const item: AlertItem = {
    kind: rule.when.kind,
    change: 'test',
    id: `test:${rule.id}`,
    text: `Test of the rule "${rule.name}": alerts arrive here.`,
    event: null,
    details: {},
  };
  return bodyOf(rule, [item], atMs);
}
