// The live table of `overround watch`: the board of the slate, or every price of one fixture, redrawn as
// prices move.

import type { EventStatus } from '../domain/catalogue.ts';
import { boardLines } from '../terminal/board.ts';
import type { FoundFixture } from '../terminal/find-fixture.ts';
import { stateText, titleOfEvent } from '../terminal/fixture-text.ts';
import { follow } from '../terminal/follow.ts';
import { priceGrid } from '../terminal/price-grid.ts';
import type { QuoteChoice } from '../terminal/prices-asked.ts';
import { type Key, Screen } from '../terminal/screen.ts';
import type { Server } from '../terminal/server.ts';
import type { WatchedSlate } from '../terminal/slate.ts';
import { type Display, displayOf, plainText, styled } from '../terminal/text.ts';
import type { CommandInput } from './command.ts';
import { choiceOf, stopOf } from './server-flags.ts';

/** What is watched, of which server. */
export interface Watched {
  readonly input: CommandInput;
  readonly server: Server;
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly only: FoundFixture | null;
  /** The quotes that the words choose. */
  readonly choice: QuoteChoice;
}

/** Shortest time between two redraws. Without changes the screen is redrawn every TICK_MS, for its clock. */
const DRAW_MS = 200;
const TICK_MS = 1_000;
/** Screen rows that do not show a fixture: title, head of the table, footer. */
const FRAME_ROWS = 3;
const ENDED: EventStatus = 'finished';

export class WatchScreen {
  readonly #watched: Watched;
  readonly #slate: WatchedSlate;
  readonly #stop: AbortController;
  readonly #screen: Screen;
  /** First visible row of the table. */
  #top = 0;
  /** Shown in the title: the state of the connection, or of the fixture. */
  #state = 'connecting';
  #drawTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(watched: Watched, slate: WatchedSlate) {
    this.#watched = watched;
    this.#slate = slate;
    this.#stop = stopOf(watched.input);
    this.#screen = new Screen({
      onKey: (key) => {
        if (key === 'quit') this.#stop.abort();
        else this.#top = Math.max(0, this.#top + rowsOf(key, this.#screen.height - FRAME_ROWS));
        this.#drawSoon();
      },
      onResize: () => this.#drawSoon(),
    });
  }

  /** Follows until the user quits, then restores the terminal. @throws CommandFailure as `follow` */
  async run(): Promise<void> {
    const { input, server, parameters } = this.#watched;
    const ticking = setInterval(() => this.#drawSoon(), TICK_MS);
    this.#screen.open();
    try {
      this.#draw();
      const onPause = (text: string) => {
        this.#state = text;
        this.#drawSoon();
      };
      const events = follow({ server, parameters, since: null, stop: this.#stop.signal, onPause });
      for await (const { name, data } of events) {
        if (name === 'hello') this.#state = `live from ${server.url}`;
        if (name === 'snapshot' || name === 'delta') this.#slate.take(data, input.clock.wallMs());
        this.#drawSoon();
      }
    } finally {
      clearInterval(ticking);
      if (this.#drawTimer !== null) clearTimeout(this.#drawTimer);
      this.#screen.close();
    }
  }

  #drawSoon(): void {
    this.#drawTimer ??= setTimeout(() => this.#draw(), DRAW_MS);
  }

  #draw(): void {
    this.#drawTimer = null;
    this.#screen.draw(this.#lines());
  }

  #lines(): string[] {
    const { input, only } = this.#watched;
    const display = displayOf(input.environment);
    const nowMs = input.clock.wallMs();
    const body = only === null ? this.#board(nowMs, display) : this.#grid(only.eventId, nowMs, display);
    const [head = '', ...rows] = body;
    const room = Math.max(1, this.#screen.height - FRAME_ROWS);
    this.#top = Math.min(this.#top, Math.max(0, rows.length - room));
    const top = this.#top;
    const shown = rows.slice(top, top + room);
    const place = rows.length > room ? `${top + 1}-${top + shown.length} of ${rows.length}, ` : '';
    const title = `${only === null ? 'Overround' : titleOfEvent(only.event)}  ${this.#state}`;
    const foot = `${place}${new Date(nowMs).toISOString().slice(11, 19)} UTC  ↑↓ scroll  q quit`;
    const filler = Array.from({ length: room - shown.length }, () => '');
    return [
      styled(plainText(title), 'bold', display),
      head,
      ...shown,
      ...filler,
      styled(foot, 'dim', display),
    ];
  }

  #board(nowMs: number, display: Display): string[] {
    const { input } = this.#watched;
    const wantsEnded = input.flags.status === ENDED;
    const fixtures = this.#slate.fixtures().filter(({ state }) => wantsEnded || state.status !== ENDED);
    const market = choiceOf(input, 'market') ?? '1x2';
    return boardLines(fixtures, { market, period: choiceOf(input, 'period') ?? 'full_time' }, display, nowMs);
  }

  #grid(eventId: string, nowMs: number, display: Display): string[] {
    const fixture = this.#slate.fixtures().find(({ id }) => id === eventId);
    if (fixture === undefined) return ['This fixture is not on the slate.'];
    this.#state = stateText(fixture.event, fixture.state);
    return priceGrid(fixture.quotes.values(), display, nowMs);
  }
}

function rowsOf(key: Exclude<Key, 'quit'>, page: number): number {
  if (key === 'up' || key === 'down') return key === 'up' ? -1 : 1;
  return key === 'page up' ? -page : page;
}
