// What the board shows, as given by the address, with the API's parameter names. Some choices (REMEMBERED)
// are remembered and used when the address has no parameter.

import { computed, type Signal, signal } from '@preact/signals';
import { recall, remember } from './choices.ts';
import { OWN_TIME_ZONE } from './number-words.ts';
import { pageSettings } from './page-settings.ts';
import type { SignalKind } from './signal-book.ts';

/** Parameters that are sent to the API unchanged. */
const API_PARAMETERS = ['sport', 'league', 'status', 'period', 'format'] as const;
/**
 * Parameters of the board only. The board follows all markets and bookmakers. So a change of what is shown
 * needs no request, and fair prices do not depend on what is shown.
 */
const BOARD_PARAMETERS = [
  'at',
  'markets',
  'bookmakers',
  'reference',
  'sort',
  'finished',
  'starts',
  'starred',
  'stars',
  'signal_sort',
  'min_edge',
  'in_play',
  'density',
  'timezone',
  'query',
  'tab',
] as const;
const PARAMETERS = [...API_PARAMETERS, ...BOARD_PARAMETERS] as const;
export type Parameter = (typeof PARAMETERS)[number];

const DEFAULTS: Readonly<Partial<Record<Parameter, string>>> = {
  period: 'full_time',
  format: 'decimal',
  tab: 'board',
  markets: '1x2',
  sort: 'league',
  density: 'compact',
  timezone: OWN_TIME_ZONE,
};
const REMEMBERED: readonly Parameter[] = [
  'format',
  'timezone',
  'bookmakers',
  'period',
  'sport',
  'density',
  'sort',
];

function initial(): ReadonlyMap<Parameter, Signal<string>> {
  const address = new URLSearchParams(location.search);
  // An address with parameters is a view that somebody shared, so this visitor's remembered choices do not
  // apply. The visitor's stars still do, if the address has no stars.
  const isSent = PARAMETERS.some((name) => address.has(name));
  return new Map(
    PARAMETERS.map((name) => {
      const isRecalled = name === 'stars' || (!isSent && REMEMBERED.includes(name));
      const chosen = address.get(name) ?? (isRecalled ? recall(name) : null);
      return [name, signal(chosen ?? DEFAULTS[name] ?? '')];
    }),
  );
}

const values = initial();

/** A parameter's value; empty when it is not set, which for a filter means all. */
export function parameter(name: Parameter): string {
  return values.get(name)!.value;
}

/**
 * The address of a match's page, in this view's format, time zone and bookmakers. Without parameters, that
 * page uses the remembered choices.
 */
export function matchPath(eventId: string): string {
  const path = `/events/${encodeURIComponent(eventId)}`;
  const names = ['format', 'timezone', 'bookmakers'] as const;
  const isUsual = names.every((name) => parameter(name) === (recall(name) ?? DEFAULTS[name] ?? ''));
  if (isUsual && parameter('at') === '') return path;
  // If an address has one of these parameters, its page ignores the remembered choices. So the address always
  // has the format, and every other parameter whose value is not the default.
  const address = new URLSearchParams({ format: parameter('format') });
  if (parameter('timezone') !== DEFAULTS.timezone) address.set('timezone', parameter('timezone'));
  for (const name of ['bookmakers', 'at'] as const) {
    if (parameter(name) !== '') address.set(name, parameter(name));
  }
  return `${path}?${address}`;
}

/** Changes a parameter, the address, and the remembered choice. */
export function setParameter(name: Parameter, value: string): void {
  values.get(name)!.value = value;
  if (REMEMBERED.includes(name)) remember(name, value === (DEFAULTS[name] ?? '') ? null : value);
  writeAddress();
}

export function clearFilters(): void {
  for (const name of [
    'sport',
    'league',
    'status',
    'finished',
    'starts',
    'starred',
    'bookmakers',
    'query',
  ] as const) {
    setParameter(name, '');
  }
}

/** The address of a tab of the board, in this view. */
export function boardPath(tab: 'board' | SignalKind): string {
  const address = viewAddress();
  address.delete('tab');
  if (tab !== DEFAULTS.tab) address.set('tab', tab);
  return `/${address.size === 0 ? '' : `?${address}`}`;
}

/**
 * This view as the query of an address, without an instant of the past. It is never empty, because an address
 * without parameters shows the remembered choices.
 */
export function savedQuery(): string {
  const address = viewAddress();
  address.delete('at');
  return address.toString() || `tab=${DEFAULTS.tab}`;
}

/** Writes the view into the address, without defaults. */
function writeAddress(): void {
  const text = viewAddress().toString();
  history.replaceState(null, '', location.pathname + (text === '' ? '' : `?${text}`));
}

function viewAddress(): URLSearchParams {
  const address = new URLSearchParams();
  for (const name of PARAMETERS) {
    const value = values.get(name)!.peek();
    if (value !== (DEFAULTS[name] ?? '')) address.set(name, value);
  }
  return address;
}

/** This view as the query of /v1/odds and /v1/stream. */
export const apiQuery = computed(() => {
  const query = new URLSearchParams();
  for (const name of API_PARAMETERS) {
    const value = values.get(name)!.value;
    if (value !== '' && value !== 'all') query.set(name, value);
  }
  return query.toString();
});

/** The part of the view that filters quotes, as fields of a request body. */
export function quoteFields(): Readonly<Record<string, string>> {
  const fields = [...new URLSearchParams(apiQuery.value)];
  return Object.fromEntries(fields.filter(([name]) => ['period', 'format'].includes(name)));
}

/** The chosen entries of a list parameter; empty means all. */
function listParameter(name: Parameter): readonly string[] {
  const value = parameter(name);
  return value === '' ? [] : value.split(',');
}

/** The chosen bookmakers in the visitor's order, without those that this server lacks; empty means all. */
export function chosenBookmakers(): readonly string[] {
  return listParameter('bookmakers').filter((key) =>
    pageSettings.bookmakers.some((bookmaker) => bookmaker.key === key),
  );
}

/**
 * Removes the ticket from the address, because a ticket opens only one connection. @returns the ticket; null
 * without one
 */
export function takeTicket(): string | null {
  const ticket = new URLSearchParams(location.search).get('ticket');
  if (ticket !== null) writeAddress();
  return ticket;
}
