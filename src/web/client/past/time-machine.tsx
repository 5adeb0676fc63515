// The control that shows an instant of the past instead of the present. While the past is shown, the control
// is a strip in a colour of its own, with a slider over the recorded time and buttons that play it forward.

import { signal } from '@preact/signals';
import { MINUTE_MS } from '../../../clock.ts';
import type { HistoryCoverage } from '../../../contract/history.ts';
import { ApiFailure, callJson, serverNowMs } from '../data/api.ts';
import { instantText } from '../data/number-words.ts';
import { pageSettings } from '../data/page-settings.ts';
import { parameter } from '../data/view.ts';
import { texts } from '../texts.ts';
import { play, SPEEDS, showInstant, shownInstantMs, speed } from './instant.ts';

const STEPS_MS = [-60 * MINUTE_MS, -5 * MINUTE_MS, -MINUTE_MS, MINUTE_MS, 5 * MINUTE_MS] as const;

/** The oldest instant that the caller may see; null before it is known. */
const oldestMs = signal<number | null>(null);

/** The button that shows the prices of a minute ago. */
export function TimeMachineButton() {
  if (!pageSettings.hasHistory || shownInstantMs() !== null) return null;
  return (
    <button
      type="button"
      class="chip"
      aria-label={texts.past.open}
      title={texts.past.hint}
      onClick={async () => {
        await loadOldest();
        showInstant(Math.max(serverNowMs() - MINUTE_MS, oldestMs.value ?? 0));
      }}
    >
      <span aria-hidden="true">◷</span> <span class="chip-words">{texts.past.open}</span>
    </button>
  );
}

async function loadOldest(): Promise<void> {
  if (oldestMs.peek() !== null) return;
  try {
    const { from } = await callJson<HistoryCoverage>('/v1/history');
    oldestMs.value = from === null ? null : Date.parse(from);
  } catch (error) {
    // The slider then begins a day ago; the other controls work.
    if (!(error instanceof ApiFailure)) throw error;
  }
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
  if (oldestMs.peek() === null) void loadOldest();
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
        min={Math.ceil((oldestMs.value ?? nowMs - 24 * 60 * MINUTE_MS) / 1_000)}
        max={Math.round(nowMs / 1_000)}
        step={1}
        value={Math.round(atMs / 1_000)}
        onChange={(event) => showInstant(Number(event.currentTarget.value) * 1_000)}
      />
      <fieldset class="segments">
        <legend class="visually-hidden">{texts.past.steps}</legend>
        {STEPS_MS.map((step) => (
          <button
            key={step}
            type="button"
            onClick={() => showInstant(Math.max(atMs + step, oldestMs.value ?? 0))}
          >
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
      <button type="button" class="button" onClick={() => showInstant(null)}>
        {texts.past.now}
      </button>
    </section>
  );
}
