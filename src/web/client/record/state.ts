// The state of the record page: the rows that its address requests, and the answer of the API.

import { effect, signal, untracked } from '@preact/signals';
import type { SignalRecordAnswer } from '../../../contract/record/signal-record.ts';
import type { RecordGroup } from '../../../domain/signal-gate.ts';
import { ApiFailure, callJson } from '../data/api.ts';
import { apiKey } from '../data/choices.ts';

/** What rows can be grouped by; `none` means one row for all signals. */
export const GROUPS = [
  'none',
  'bookmaker',
  'league',
  'market_type',
  'edge',
  'day',
] as const satisfies readonly (RecordGroup | 'none')[];
export type RowGroup = (typeof GROUPS)[number];

export type RecordState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'answer'; readonly answer: SignalRecordAnswer }
  | { readonly kind: 'failed'; readonly failure: ApiFailure };

export const group = signal<RowGroup>(groupOfAddress());
export const shown = signal<RecordState>({ kind: 'loading' });

/** Answers by group, so that going back to a tab costs nothing. They are dropped when the key changes. */
const answers = new Map<RowGroup, SignalRecordAnswer>();

function groupOfAddress(): RowGroup {
  const asked = new URLSearchParams(location.search).get('group_by');
  return GROUPS.find((one) => one === asked) ?? 'none';
}

export function choose(chosen: RowGroup): void {
  group.value = chosen;
  history.replaceState(null, '', `/record${queryOf(chosen)}`);
}

/** The API path that returns the rows and charts of a group. */
function pathOf(chosen: RowGroup): string {
  return `/v1/signals/record?series=true${chosen === 'none' ? '' : `&group_by=${chosen}`}`;
}

function queryOf(chosen: RowGroup): string {
  return chosen === 'none' ? '' : `?group_by=${chosen}`;
}

/** Loads the chosen rows again, whether they are known or not. */
export function reload(): void {
  answers.clear();
  void load(group.peek());
}

/** Loads the rows when the page opens, and when the tab or the key changes. */
export function start(): void {
  let keyOfAnswers = apiKey.peek();
  effect(() => {
    const chosen = group.value;
    if (apiKey.value !== keyOfAnswers) {
      keyOfAnswers = apiKey.value;
      answers.clear();
    }
    untracked(() => void load(chosen));
  });
}

/** Rises with every load, so that the answer of an earlier load is dropped. */
let newest = 0;

async function load(chosen: RowGroup): Promise<void> {
  const own = ++newest;
  const known = answers.get(chosen);
  if (known !== undefined) {
    shown.value = { kind: 'answer', answer: known };
    return;
  }
  shown.value = { kind: 'loading' };
  try {
    const answer = await callJson<SignalRecordAnswer>(pathOf(chosen));
    if (own !== newest) return;
    answers.set(chosen, answer);
    shown.value = { kind: 'answer', answer };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (own === newest) shown.value = { kind: 'failed', failure: error };
  }
}
