// Two pictures of the record: what one unit on every settled signal has returned so far, with its band, and
// how closing line values are spread, with their mean.

import { DAY_MS } from '../../../clock.ts';
import type { RecordSeries } from '../../../contract/record/signal-record.ts';
import { localMsOf } from '../data/api.ts';
import { countText, dayText, signedText, timeText } from '../data/number-words.ts';
import { parameter } from '../data/view.ts';
import { lazy } from '../parts/lazy.tsx';
import { recordTexts } from './record-texts.ts';

interface RecordChartsProps {
  readonly series: RecordSeries;
  /** Opening of the first signal. */
  readonly since: string;
}

export function RecordCharts({ series, since }: RecordChartsProps) {
  return (
    <div class="record-charts">
      <section aria-label={recordTexts.growth}>
        <h2>{recordTexts.growth}</h2>
        {series.growth.length === 0 ? (
          <p class="quiet">{recordTexts.noGrowth}</p>
        ) : (
          <Growth series={series} since={since} />
        )}
      </section>
      <section aria-label={recordTexts.spread}>
        <h2>{recordTexts.spread}</h2>
        {series.clv.bins.length === 0 ? (
          <p class="quiet">{recordTexts.noSpread}</p>
        ) : (
          <Spread clv={series.clv} />
        )}
      </section>
    </div>
  );
}

/** From this span on, the axis names days instead of hours. */
const LONG_MS = 2 * DAY_MS;

const Plot = lazy(async () => (await import('../parts/plot.tsx')).Plot);

function Growth({ series: { growth }, since }: RecordChartsProps) {
  const last = growth.at(-1)!;
  const band = [last.units_low, last.units_high] as const;
  const isLong = localMsOf(last.at) - localMsOf(since) > LONG_MS;
  const words = recordTexts.growthWords(
    countText(last.settled),
    signedText(last.units),
    band[0] === null || band[1] === null ? null : [signedText(band[0]), signedText(band[1])],
  );
  return (
    <>
      <Plot
        label={words}
        height={220}
        times={[since, ...growth.map(({ at }) => at)].map((at) => localMsOf(at) / 1_000)}
        lines={[
          { label: recordTexts.low, values: [0, ...growth.map(({ units_low: low }) => low)] },
          { label: recordTexts.high, values: [0, ...growth.map(({ units_high: high }) => high)] },
          { label: recordTexts.units, isHeavy: true, values: [0, ...growth.map(({ units }) => units)] },
        ]}
        kind="band"
        valueText={signedText}
        timeText={(ms) => (isLong ? dayText : timeText)(new Date(ms).toISOString(), parameter('timezone'))}
      />
      <p class="quiet">{words}</p>
    </>
  );
}

const WIDTH = 560;
const HEIGHT = 180;
const FOOT = 18;

/** The spread of closing line values: one bar for each per cent, and a line at the mean. */
function Spread({
  clv: { bins, mean_pct: mean, signals, standard_error_pct: error },
}: {
  readonly clv: RecordSeries['clv'];
}) {
  const most = Math.max(...bins.map((bin) => bin.signals));
  const step = WIDTH / bins.length;
  const firstPct = bins[0]!.from_pct ?? (bins[0]!.to_pct ?? 0) - 1;
  const x = (pct: number): number => Math.min(WIDTH, Math.max(0, (pct - firstPct) * step));
  const tall = HEIGHT - FOOT;
  const words = recordTexts.spreadWords(
    countText(signals),
    mean === null ? null : signedText(mean),
    error === null ? null : signedText(error).replace(/^\+/, ''),
  );
  return (
    <>
      <svg class="clv-bins" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words}>
        {bins.map((bin, index) => {
          const height = (bin.signals / most) * (tall - 4);
          return (
            <rect
              key={index}
              class={(bin.from_pct ?? -1) >= 0 ? 'is-above' : 'is-below'}
              data-signals={bin.signals}
              x={index * step + 0.5}
              y={tall - height}
              width={Math.max(1, step - 1)}
              height={height}
            >
              <title>{recordTexts.bin(binText(bin), countText(bin.signals))}</title>
            </rect>
          );
        })}
        <path class="clv-axis" d={`M0,${tall}H${WIDTH}`} />
        {mean !== null && <path class="clv-mean" d={`M${x(mean)},0V${tall}`} />}
        <text x="0" y={HEIGHT - 4}>
          {signedText(firstPct)} %
        </text>
        <text x={WIDTH} y={HEIGHT - 4} text-anchor="end">
          {signedText(firstPct + bins.length)} %
        </text>
      </svg>
      <p class="quiet">{words}</p>
    </>
  );
}

function binText({ from_pct: from, to_pct: to }: RecordSeries['clv']['bins'][number]): string {
  if (from === null) return recordTexts.below(countText(to ?? 0));
  if (to === null) return recordTexts.edgeFrom(countText(from));
  return recordTexts.edgeRange(countText(from), countText(to));
}
