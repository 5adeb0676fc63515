// The operator page: the current state of feed, slate, threads, streams, sign-ups and limits, and plots of
// the last hour.

import { signal } from '@preact/signals';
import { render } from 'preact';
import { useMemo } from 'preact/hooks';
import type { HistoryPoint, OperatorReport } from '../../../contract/operator.ts';
import { consoleTexts, operatorTexts } from '../console/console-texts.ts';
import { ApiFailure, callJson } from '../data/api.ts';
import { ageText, countText, OWN_TIME_ZONE, oneDigitText, timeText } from '../data/number-words.ts';
import { Bar } from '../parts/bar.tsx';
import { Notice } from '../parts/notice.tsx';
import { Fact, PlainTable } from '../parts/plain-table.tsx';
import { Plot } from '../parts/plot.tsx';

const REFRESH_MS = 5_000;

const report = signal<OperatorReport | null>(null);
const failure = signal<ApiFailure | null>(null);

async function load(): Promise<void> {
  try {
    report.value = await callJson<OperatorReport>('/platform/operator');
    failure.value = null;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    failure.value = error;
  }
}

function OperatorPage() {
  const now = report.value;
  const isForbidden = failure.value?.status === 401 || failure.value?.status === 403;
  return (
    <div class="console-page">
      <Bar />
      <main id="content" tabIndex={-1}>
        {isForbidden && <Notice title={operatorTexts.forbidden} text={operatorTexts.forbiddenText} />}
        {failure.value !== null && !isForbidden && (
          <p class="pane-note" role="alert">
            {failure.value.message}
          </p>
        )}
        {now !== null && !isForbidden && <Report now={now} />}
      </main>
    </div>
  );
}

function Report({ now }: { readonly now: OperatorReport }) {
  return (
    <>
      <h1>{operatorTexts.title}</h1>
      <Facts now={now} />
      <h2>{operatorTexts.lastHour}</h2>
      <LastHour points={now.hour} />
      <div class="panes">
        <section class="pane" aria-label={operatorTexts.threads}>
          <h2>{operatorTexts.threads}</h2>
          <ThreadTable threads={now.threads} />
        </section>
        <section class="pane" aria-label={operatorTexts.refused}>
          <h2>{operatorTexts.refused}</h2>
          <RefusedTable refused={now.feed.refused} />
        </section>
      </div>
    </>
  );
}

function Facts({ now }: { readonly now: OperatorReport }) {
  const { feed, slate, people } = now;
  return (
    <dl class="facts">
      <Fact name={operatorTexts.feed}>{feed.connected ? operatorTexts.live : operatorTexts.notLive}</Fact>
      <Fact name={operatorTexts.age}>{operatorTexts.ago(ageText(feed.ageS * 1_000))}</Fact>
      <Fact name={operatorTexts.fixtures}>
        {operatorTexts.ofCapacity(countText(slate.fixtures), countText(slate.fixturesMax))}
      </Fact>
      <Fact name={operatorTexts.streams}>{countText(now.streams)}</Fact>
      <Fact name={operatorTexts.signUps}>
        {operatorTexts.ofCapacity(countText(people.verified), countText(people.signUps))}
      </Fact>
      <Fact name={operatorTexts.refusals}>{countText(now.limited)}</Fact>
    </dl>
  );
}

function LastHour({ points }: { readonly points: readonly HistoryPoint[] }) {
  const { messages, requests, delay, streams, refused, refusals } = operatorTexts;
  return (
    <div class="plots">
      <HourPlot title={messages} points={points} value={({ messagesPerS }) => messagesPerS} />
      <HourPlot title={requests} points={points} value={({ requestsPerS }) => requestsPerS} />
      <HourPlot title={delay} points={points} value={({ loopDelayMs }) => loopDelayMs} unit=" ms" />
      <HourPlot title={streams} points={points} value={(point) => point.streams} />
      <HourPlot title={refused} points={points} value={({ refusedPerS }) => refusedPerS} />
      <HourPlot title={refusals} points={points} value={({ limitedPerS }) => limitedPerS} />
    </div>
  );
}

function ThreadTable({ threads }: Pick<OperatorReport, 'threads'>) {
  return (
    <PlainTable columns={[operatorTexts.thread, consoleTexts.requests, operatorTexts.delay]}>
      {threads.map(({ thread, requests, loopDelayMs }) => (
        <tr key={thread}>
          <th scope="row">{thread}</th>
          <td>{countText(requests)}</td>
          <td>{consoleTexts.milliseconds(oneDigitText(loopDelayMs))}</td>
        </tr>
      ))}
    </PlainTable>
  );
}

function RefusedTable({ refused }: Pick<OperatorReport['feed'], 'refused'>) {
  if (refused.length === 0) return <p class="quiet">{operatorTexts.noneRefused}</p>;
  return (
    <PlainTable columns={[operatorTexts.reason, operatorTexts.count]}>
      {refused.map(({ reason, count }) => (
        <tr key={reason}>
          <th scope="row">{reason}</th>
          <td>{countText(count)}</td>
        </tr>
      ))}
    </PlainTable>
  );
}

interface HourPlotProps {
  readonly title: string;
  readonly points: readonly HistoryPoint[];
  readonly value: (point: HistoryPoint) => number;
  readonly unit?: string;
}

function HourPlot({ title, points, value, unit = '' }: HourPlotProps) {
  const times = useMemo(() => points.map(({ atMs }) => atMs / 1_000), [points]);
  const lines = useMemo(() => [{ label: title, values: points.map(value) }], [points]);
  return (
    <figure class="figure">
      <figcaption>
        <strong>{title}</strong>{' '}
        <span class="quiet">
          {oneDigitText(points.length === 0 ? 0 : value(points.at(-1)!))}
          {unit}
        </span>
      </figcaption>
      <Plot
        label={`${title}: ${operatorTexts.lastHour}`}
        height={140}
        times={times}
        lines={lines}
        kind="line"
        valueText={(number) => oneDigitText(number)}
        timeText={(ms) => timeText(new Date(ms).toISOString(), OWN_TIME_ZONE)}
      />
    </figure>
  );
}

void load();
setInterval(() => {
  if (!document.hidden && (failure.value === null || failure.value.status >= 500)) void load();
}, REFRESH_MS);
render(<OperatorPage />, document.body);
