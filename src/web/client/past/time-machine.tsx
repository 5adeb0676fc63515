// The control that shows an instant of the past instead of the present. While the past is shown, the control
// is a strip in a colour of its own, with a slider over the recorded time and buttons that play it forward.

import { signal } from '@preact/signals';
import { MINUTE_MS, systemClock } from '../../../clock.ts';
import type { HistoryCoverage } from '../../../contract/history.ts';
import { ApiFailure, callJson, serverNowMs } from '../data/api.ts';
import { apiKey } from '../data/choices.ts';
import { instantText } from '../data/number-words.ts';
import { pageSettings } from '../data/page-settings.ts';
import { parameter } from '../data/view.ts';
import { texts } from '../texts.ts';
import { play, SPEEDS, showInstant, shownInstantMs, speed } from './instant.ts';

const STEPS_MS = [-60 * MINUTE_MS, -5 * MINUTE_MS, -MINUTE_MS, MINUTE_MS, 5 * MINUTE_MS] as const;

/** How far back a caller may see, as the server answered it. */
interface Reach {
  /** The API key of the request; null without one. */
  readonly key: string | null;
  /** Null while nothing is kept. */
  readonly oldestMs: number | null;
  /** When the reach was requested, on this machine's clock. */
  readonly askedAtMs: number;
}

const reach = signal<Reach | null>(null);

/**
 * If the oldest instant that the plan sees is a whole minute, it moves on with the clock. Show nothing less
 * than this much younger, so that a request arrives before the oldest instant has passed it.
 */
const REACH_MARGIN_MS = 5_000;

/** The reach of the key in use; null before it is known. */
function ownReach(): Reach | null {
  return reach.value?.key === apiKey.value ? reach.value : null;
}

/** The button that shows the prices of a minute ago. */
export function TimeMachineButton() {
  if (!pageSettings.hasHistory || shownInstantMs() !== null) return null;
  return (
    <button
      type="button"
      class="chip"
      aria-label={texts.past.open}
      title={texts.past.hint}
      onClick={() => void showNoEarlier(serverNowMs() - MINUTE_MS)}
    >
      <span aria-hidden="true">◷</span> <span class="chip-words">{texts.past.open}</span>
    </button>
  );
}

async function readReach(): Promise<void> {
  const asked = { key: apiKey.peek(), askedAtMs: systemClock.wallMs() };
  try {
    const { from } = await callJson<HistoryCoverage>('/v1/history');
    reach.value = { ...asked, oldestMs: from === null ? null : oldestOf(Date.parse(from)) };
  } catch (error) {
    // The slider then begins a day ago; the other controls work.
    if (!(error instanceof ApiFailure)) throw error;
  }
}

function oldestOf(fromMs: number): number {
  return fromMs % MINUTE_MS === 0 ? fromMs + REACH_MARGIN_MS : fromMs;
}

/**
 * How often the visitor has chosen an instant. A choice that waited for an answer is dropped if there was a
 * later one.
 */
let moves = 0;

/** Shows an instant, or the oldest one if it is earlier: the server refuses what the plan does not see. */
async function showNoEarlier(atMs: number): Promise<void> {
  const move = ++moves;
  const known = ownReach();
  // The oldest visible instant has moved on since the last answer, by no more than the time since then.
  const isSafe = known !== null && atMs >= (known.oldestMs ?? 0) + systemClock.wallMs() - known.askedAtMs;
  if (!isSafe) await readReach();
  if (move === moves) showInstant(Math.max(atMs, ownReach()?.oldestMs ?? 0));
}

function showNow(): void {
  moves++;
  showInstant(null);
}

/**
 * The height of the strip in pixels; the page's own sticky lines begin below the strip. 0 without a strip.
 */
export const stripHeight = signal(0);

const heights = new ResizeObserver(([entry]) => {
  stripHeight.value = Math.floor(entry!.borderBoxSize[0]?.blockSize ?? 0);
  document.documentElement.style.setProperty('--past-height', `${stripHeight.value}px`);
});

function measure(strip: HTMLElement | null): void {
  heights.disconnect();
  if (strip !== null) heights.observe(strip);
  else stripHeight.value = 0;
}

export function TimeMachine() {
  const atMs = shownInstantMs();
  if (atMs === null) return null;
  const known = ownReach();
  if (known === null) void readReach();
  const zone = parameter('timezone');
  const nowMs = serverNowMs();
  const iso = new Date(atMs).toISOString();
  const label = instantText(atMs, zone);
  return (
    <section ref={measure} class="time-machine" aria-label={texts.past.title}>
      <strong>
        <span aria-hidden="true">◷</span> {texts.past.title}
      </strong>
      <time dateTime={iso}>{label}</time>
      <input
        type="range"
        aria-label={texts.past.slider}
        aria-valuetext={label}
        min={Math.ceil((known?.oldestMs ?? nowMs - 24 * 60 * MINUTE_MS) / 1_000)}
        max={Math.round(nowMs / 1_000)}
        step={1}
        value={Math.round(atMs / 1_000)}
        onChange={(event) => void showNoEarlier(Number(event.currentTarget.value) * 1_000)}
      />
      <fieldset class="segments">
        <legend class="visually-hidden">{texts.past.steps}</legend>
        {STEPS_MS.map((step) => (
          <button key={step} type="button" onClick={() => void showNoEarlier(atMs + step)}>
            {texts.past.step(step / MINUTE_MS)}
          </button>
        ))}
      </fieldset>
      <fieldset class="segments">
        <legend class="visually-hidden">{texts.past.play}</legend>
        {SPEEDS.map((times) => (
          <button
            key={times}
            type="button"
            aria-label={texts.past.playAt(times)}
            aria-pressed={speed.value === times}
            onClick={() => play(speed.value === times ? null : times)}
          >
            ▶ {times}×
          </button>
        ))}
      </fieldset>
      <button type="button" class="button" onClick={showNow}>
        {texts.past.now}
      </button>
    </section>
  );
}
