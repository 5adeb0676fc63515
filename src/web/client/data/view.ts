// What the board shows, as the address says it, under the API's own parameter names. Choices of taste (format, zone,
// bookmakers, period) are remembered for addresses that do not say.

import { computed, type Signal, signal } from '@preact/signals';
import { recall, remember } from './choices.ts';
import { OWN_TIME_ZONE } from './number-words.ts';

/** Sent to the API as they are. */
const API_PARAMETERS = ['sport', 'league', 'status', 'markets', 'period', 'bookmakers', 'format'] as const;
/** Of the board alone: the zone that kickoffs are shown in, the searched text, and the tab. */
const BOARD_PARAMETERS = ['timezone', 'query', 'tab'] as const;
const PARAMETERS = [...API_PARAMETERS, ...BOARD_PARAMETERS] as const;
export type Parameter = (typeof PARAMETERS)[number];

const DEFAULTS: Readonly<Partial<Record<Parameter, string>>> = {
  period: 'full_time',
  format: 'decimal',
  tab: 'board',
  timezone: OWN_TIME_ZONE,
};
const REMEMBERED: readonly Parameter[] = ['format', 'timezone', 'bookmakers', 'period', 'sport'];

function initial(): ReadonlyMap<Parameter, Signal<string>> {
  const address = new URLSearchParams(location.search);
  // An address that says something is somebody's view: what this visitor remembers stays out of it.
  const isSent = PARAMETERS.some((name) => address.has(name));
  return new Map(
    PARAMETERS.map((name) => {
      const chosen = address.get(name) ?? (!isSent && REMEMBERED.includes(name) ? recall(name) : null);
      return [name, signal(chosen ?? DEFAULTS[name] ?? '')];
    }),
  );
}

const values = initial();

/** A parameter's value; empty is "all". */
export function parameter(name: Parameter): string {
  return values.get(name)!.value;
}

/** Changes a parameter, the address with it, and what is remembered. */
export function setParameter(name: Parameter, value: string): void {
  values.get(name)!.value = value;
  if (REMEMBERED.includes(name)) remember(name, value === (DEFAULTS[name] ?? '') ? null : value);
  writeAddress();
}

export function clearFilters(): void {
  for (const name of ['sport', 'league', 'status', 'markets', 'bookmakers', 'query'] as const) {
    setParameter(name, '');
  }
}

/** Puts the view into the address, defaults left out. */
function writeAddress(): void {
  const address = new URLSearchParams();
  for (const name of PARAMETERS) {
    const value = values.get(name)!.peek();
    if (value !== (DEFAULTS[name] ?? '')) address.set(name, value);
  }
  const text = address.toString();
  history.replaceState(null, '', location.pathname + (text === '' ? '' : `?${text}`));
}

/** The query of /v1/odds and /v1/stream for this view. */
export const apiQuery = computed(() => {
  const query = new URLSearchParams();
  for (const name of API_PARAMETERS) {
    const value = values.get(name)!.value;
    if (value !== '' && value !== 'all') query.set(name, value);
  }
  return query.toString();
});

/** The part of the view that is about quotes, as the fields of a body. */
export function quoteFields(): Readonly<Record<string, string>> {
  const fields = [...new URLSearchParams(apiQuery.value)];
  return Object.fromEntries(
    fields.filter(([name]) => ['markets', 'bookmakers', 'period', 'format'].includes(name)),
  );
}

/** Chosen entries of a list parameter; empty is all. */
export function listParameter(name: Parameter): readonly string[] {
  const value = parameter(name);
  return value === '' ? [] : value.split(',');
}

/** The ticket that the address brings, which is taken out of it: it is good for one stream. */
export function takeTicket(): string | null {
  const ticket = new URLSearchParams(location.search).get('ticket');
  if (ticket !== null) writeAddress();
  return ticket;
}
