// Requests per day and key against the limits, as a plot and as a table.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { countText, dayText, oneDigitText } from '../data/number-words.ts';
import { pageSettings } from '../data/page-settings.ts';
import { PlainTable } from '../parts/plain-table.tsx';
import { Plot, type PlotLine } from '../parts/plot.tsx';
import { TableSwitch } from '../parts/table-switch.tsx';
import { texts } from '../texts.ts';
import { consoleTexts } from './console-texts.ts';
import { labelOf } from './keys-section.tsx';
import { type ApiKey, keys, loadUsage, type Usage, usage } from './state.ts';

const LIMITS = new Map(pageSettings.tiers.map((tier) => [tier.key, tier]));

export function UsageSection() {
  const isTable = useSignal(false);
  useEffect(() => void loadUsage(), []);
  const now = usage.value;
  const list = keys.value;
  if (now === null || list === null) return <p class="quiet late">{texts.board.skeleton}</p>;
  return (
    <section aria-label={consoleTexts.usage}>
      <h2>{consoleTexts.usage}</h2>
      <p class="quiet">{consoleTexts.usageText}</p>
      {now.days.length === 0 ? (
        <p class="pane-note">{consoleTexts.usageNone}</p>
      ) : (
        <>
          <p class="form-actions">
            <TableSwitch isTable={isTable} />
            <button type="button" class="quiet-button" onClick={() => void loadUsage()}>
              {consoleTexts.refresh}
            </button>
          </p>
          {isTable.value ? <DayTable now={now} list={list} /> : <DayPlots now={now} list={list} />}
        </>
      )}
      {list.length > 0 && <h3>{consoleTexts.usageSince}</h3>}
      {list.length > 0 && <SinceTable now={now} list={list} />}
    </section>
  );
}

interface UsageProps {
  readonly now: Usage;
  readonly list: readonly ApiKey[];
}

/** One plot per key with requests, so that no key hides another. */
function DayPlots({ now, list }: UsageProps) {
  const days = useMemo(() => [...new Set(now.days.map(({ date }) => date))].sort(), [now]);
  const times = useMemo(() => daysUpTo(days), [days]);
  const used = list.filter(({ key_id }) => now.days.some((day) => day.key_id === key_id));
  return (
    <div class="plots">
      {used.map((key) => {
        const counts = new Map(
          now.days.filter((day) => day.key_id === key.key_id).map((day) => [day.date, day.requests]),
        );
        const lines: readonly PlotLine[] = [
          { label: labelOf(key), values: times.map((time) => counts.get(isoDay(time)) ?? 0) },
        ];
        const perDay = LIMITS.get(key.tier)?.perDay ?? null;
        return (
          <figure key={key.key_id} class="figure">
            <figcaption>
              <strong>{labelOf(key)}</strong> <span class="quiet">{limitText(key.tier)}</span>
            </figcaption>
            <Plot
              label={`${consoleTexts.usageDays}: ${labelOf(key)}`}
              height={200}
              times={times}
              lines={lines}
              kind="bars"
              valueText={countText}
              timeText={(ms) => dayText(new Date(ms).toISOString(), 'UTC')}
              {...(perDay === null ? {} : { level: perDay })}
            />
          </figure>
        );
      })}
    </div>
  );
}

const DAY_S = 86_400;
/** Least number of days in a plot, even when the key was used on fewer: a single bar is hard to read. */
const DAYS_MIN = 7;

/**
 * Every day up to the last, in Unix seconds. Starts at the first day, or earlier if that gives fewer than
 * DAYS_MIN days.
 */
function daysUpTo(days: readonly string[]): readonly number[] {
  const last = Date.parse(days.at(-1) ?? '1970-01-01') / 1_000;
  const first = Math.min(Date.parse(days[0] ?? '1970-01-01') / 1_000, last - (DAYS_MIN - 1) * DAY_S);
  return Array.from({ length: (last - first) / DAY_S + 1 }, (_, index) => first + index * DAY_S);
}

function isoDay(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 10);
}

function limitText(tier: string): string {
  const limit = LIMITS.get(tier);
  if (limit === undefined) return '';
  return consoleTexts.limits(
    countText(limit.perMinute),
    limit.perDay === null ? null : countText(limit.perDay),
  );
}

function DayTable({ now, list }: UsageProps) {
  const names = new Map(list.map((key) => [key.key_id, labelOf(key)]));
  return (
    <PlainTable columns={[consoleTexts.day, consoleTexts.key, consoleTexts.requests]}>
      {now.days.toReversed().map((day) => (
        <tr key={`${day.date} ${day.key_id}`}>
          <th scope="row">{dayText(day.date, 'UTC')}</th>
          <td>{names.get(day.key_id) ?? day.key_id}</td>
          <td>{countText(day.requests)}</td>
        </tr>
      ))}
    </PlainTable>
  );
}

function SinceTable({ now, list }: UsageProps) {
  const byKey = new Map(now.keys.map((key) => [key.key_id, key.usage]));
  return (
    <PlainTable
      columns={[
        consoleTexts.key,
        consoleTexts.requests,
        consoleTexts.errors,
        consoleTexts.meanTime,
        consoleTexts.longestTime,
        consoleTexts.limit,
      ]}
    >
      {list.map((key) => {
        const counters = byKey.get(key.key_id);
        return (
          <tr key={key.key_id}>
            <th scope="row">{labelOf(key)}</th>
            <td>{countText(counters?.requests ?? 0)}</td>
            <td>{countText(counters?.errors ?? 0)}</td>
            <td>{consoleTexts.milliseconds(oneDigitText(counters?.avg_latency_ms ?? 0))}</td>
            <td>{consoleTexts.milliseconds(oneDigitText(counters?.max_latency_ms ?? 0))}</td>
            <td>{limitText(key.tier)}</td>
          </tr>
        );
      })}
    </PlainTable>
  );
}
