// Every page of the service, in the states that a visitor can meet, for scripts/screenshots.ts: the address,
// what to do there, and how to recognize that the page is ready for a screenshot.

import type { Page } from 'playwright-core';

/** A visitor with the development key, without a key, or logged in to an account. */
export type Visitor = 'key' | 'nobody' | 'account';

export interface PageState {
  /** Also the beginning of the file names of the pictures. */
  readonly name: string;
  /** `:live`, `:scheduled` and `:finished` stand for ids of fixtures. */
  readonly path: string;
  readonly as?: Visitor;
  /** Called before the page loads, to change the answers that it will get. */
  readonly before?: (page: Page) => Promise<unknown>;
  /** A selector that matches something as soon as the page is ready. */
  readonly ready: string;
  /** What the visitor does before the picture is taken. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** Whether the picture shows the whole page instead of only the window. */
  readonly isFull?: boolean;
}

const answerWith = (path: string, status: number, code: string) => (page: Page) =>
  page.route(path, (route) =>
    route.fulfill({
      status,
      headers: { 'retry-after': '20' },
      json: { error: { code, message: 'Cannot serve the request', fix: 'Wait, then try again' } },
    }),
  );

/** Leaves requests to this path without an answer. */
const hold = (path: string) => (page: Page) => page.route(path, () => new Promise(() => undefined));

const openFirst = (selector: string) => (page: Page) => page.locator(selector).first().click();

const BOARD: readonly PageState[] = [
  { name: 'board', path: '/', ready: '.fixture' },
  { name: 'board-roomy', path: '/?density=roomy', ready: '.fixture' },
  { name: 'board-handicap', path: '/?markets=asian_handicap', ready: '.fixture' },
  { name: 'board-totals', path: '/?markets=totals', ready: '.fixture' },
  { name: 'board-all', path: '/?markets=all', ready: '.fixture' },
  { name: 'board-by-edge', path: '/?sort=edge', ready: '.fixture' },
  { name: 'board-american', path: '/?format=american', ready: '.fixture' },
  { name: 'board-without-key', path: '/', as: 'nobody', ready: '.fixture' },
  { name: 'board-bookmakers', path: '/', ready: '.fixture', act: openFirst('.choice-list summary') },
  {
    name: 'board-key',
    path: '/',
    as: 'nobody',
    ready: '.fixture',
    act: async (page) => {
      await page.getByRole('button', { name: 'API key' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'board-keyboard',
    path: '/',
    ready: '.fixture',
    act: async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'board-past', path: '/?at=:past', ready: '.connection-past' },
  { name: 'board-past-refused', path: '/?at=2020-01-01T00%3A00%3A00.000Z', ready: '.notice' },
  { name: 'board-nothing-found', path: '/?starred=only', ready: '.notice' },
  { name: 'board-loading', path: '/', before: hold('**/v1/stream*'), ready: '.skeleton' },
  {
    name: 'board-no-slate',
    path: '/',
    before: answerWith('**/v1/*', 503, 'upstream_unavailable'),
    ready: '.notice',
  },
  {
    name: 'board-limited',
    path: '/',
    before: answerWith('**/v1/*', 429, 'rate_limit_exceeded'),
    ready: '.notice',
  },
  {
    name: 'board-offline',
    path: '/',
    ready: '.fixture',
    act: async (page) => {
      await page.context().setOffline(true);
      await page.locator('.connection-offline').waitFor();
    },
  },
];

const SIGNALS: readonly PageState[] = [
  { name: 'value', path: '/?tab=value', ready: '.size' },
  { name: 'value-open', path: '/?tab=value', ready: '.size', act: openFirst('.signals [aria-expanded]') },
  { name: 'value-nothing-found', path: '/?tab=value&query=qqqq', ready: '.signals' },
  { name: 'arbitrage', path: '/?tab=arbitrage', ready: '.signals' },
  { name: 'middle', path: '/?tab=middle', ready: '.signals' },
  { name: 'low-hold', path: '/?tab=low_hold', ready: '.size' },
  { name: 'signals-past', path: '/?tab=value&at=:past', ready: '.notice' },
  { name: 'record', path: '/record', ready: '.record-table', isFull: true },
  { name: 'record-by-bookmaker', path: '/record?group_by=bookmaker', ready: '.record-table', isFull: true },
  {
    name: 'record-refused',
    path: '/record',
    before: answerWith('**/v1/signals/record*', 503, 'upstream_unavailable'),
    ready: '.notice',
  },
];

const MATCH: readonly PageState[] = [
  { name: 'match', path: '/events/:scheduled', ready: '.heat-map', isFull: true },
  { name: 'match-live', path: '/events/:live', ready: '.panes', isFull: true },
  { name: 'match-past', path: '/events/:live?at=:past', ready: '.panes', isFull: true },
  { name: 'match-over', path: '/events/:finished', ready: '.match-head', isFull: true },
  { name: 'match-unknown', path: '/events/evt_nonsense', ready: '.notice' },
  { name: 'match-loading', path: '/events/:live', before: hold('**/v1/events/*'), ready: '.skeleton' },
];

const section = (name: string, more: Partial<PageState> = {}): PageState => ({
  name: `console-${name}`,
  path: `/console#${name}`,
  as: 'account',
  ready: 'section h2',
  isFull: true,
  ...more,
});

const CONSOLE: readonly PageState[] = [
  { name: 'console-log-in', path: '/console', as: 'nobody', ready: 'form' },
  {
    name: 'console-sign-up-refused',
    path: '/console',
    as: 'nobody',
    ready: 'form',
    act: async (page) => {
      await page.getByRole('button', { name: 'Sign up' }).click();
      await page.getByLabel('E-mail').fill('ada@example.com');
      await page.getByLabel('Password').fill('short');
      await page.locator('button[type=submit]').click();
      await page.locator('[aria-invalid=true]').waitFor();
    },
  },
  section('keys'),
  section('alerts'),
  section('usage'),
  section('account', { act: (page) => page.locator('summary', { hasText: 'Sessions' }).click() }),
  { name: 'operator', path: '/console/operator', as: 'account', ready: '.plot', isFull: true },
  { name: 'operator-refused', path: '/console/operator', as: 'nobody', ready: '.notice' },
];

const DOCS: readonly PageState[] = [
  { name: 'docs', path: '/docs', ready: '.opblock' },
  { name: 'docs-start', path: '/docs/start', ready: 'h1' },
  { name: 'docs-agents', path: '/docs/agents', ready: 'h1' },
  { name: 'docs-errors', path: '/docs/errors', ready: 'h1' },
];

export const PAGE_STATES: readonly PageState[] = [...BOARD, ...SIGNALS, ...MATCH, ...CONSOLE, ...DOCS];
