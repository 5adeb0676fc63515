// The form that makes an alert rule. It shows the fields of the chosen kind.

import { useSignal } from '@preact/signals';
import type { AlertFormat, AlertKind, AlertWithSecret } from '../../../contract/alerts/alert-rules.ts';
import { callJson } from '../data/api.ts';
import { texts } from '../texts.ts';
import { Field, Form, type FormValues } from './form.tsx';
import { isOperator } from './state.ts';

interface Threshold {
  /** As a rule calls it. */
  readonly field: string;
  readonly label: string;
  /** What the form begins with. */
  readonly value: string;
}

const { percent, mostPercent, points, price } = texts.alerts.thresholds;

/** The threshold of a kind; null for a kind without one. */
const THRESHOLDS: Readonly<Record<AlertKind, Threshold | null>> = {
  value: { field: 'min_edge_pct', label: percent, value: '3' },
  arbitrage: { field: 'min_margin_pct', label: percent, value: '3' },
  middle: { field: 'min_ev_pct', label: percent, value: '0' },
  low_hold: { field: 'max_hold_pct', label: mostPercent, value: '1' },
  move: { field: 'pct', label: points, value: '5' },
  steam: { field: 'pct', label: percent, value: '1.5' },
  price: { field: 'price', label: price, value: '2' },
  match: null,
  source: null,
};
const KINDS = Object.keys(THRESHOLDS) as AlertKind[];
const FORMATS = Object.keys(texts.alerts.formats) as AlertFormat[];
const OUTCOMES: Readonly<Record<string, readonly string[]>> = {
  '1x2': ['home', 'draw', 'away'],
  asian_handicap: ['home', 'away'],
  totals: ['over', 'under'],
};

export function AlertForm({ made }: { readonly made: (answer: AlertWithSecret) => Promise<void> }) {
  const kind = useSignal<AlertKind>('value');
  const market = useSignal('totals');
  const kinds = KINDS.filter((one) => one !== 'source' || isOperator.value);
  const threshold = THRESHOLDS[kind.value];
  return (
    <Form
      submitText={texts.alerts.create}
      send={async (values) =>
        await made(
          await callJson<AlertWithSecret>('/platform/alerts', { method: 'POST', body: bodyOf(values) }),
        )
      }
    >
      {(error) => (
        <>
          <Field label={texts.alerts.name} name="name" value={texts.alerts.unnamed} error={error('name')} />
          <Choice
            label={texts.alerts.kind}
            name="kind"
            words={kinds.map((one) => [one, texts.alerts.kinds[one]])}
            choose={(value) => {
              kind.value = KINDS.find((one) => one === value) ?? 'value';
            }}
          />
          {kind.value === 'price' && (
            <>
              <Choice
                label={texts.alerts.market}
                name="market"
                words={Object.keys(OUTCOMES).map((one) => [one, one])}
                chosen={market.value}
                choose={(value) => {
                  market.value = value;
                }}
              />
              <Choice
                label={texts.alerts.outcome}
                name="outcome"
                words={OUTCOMES[market.value]!.map((one) => [one, one])}
              />
            </>
          )}
          {threshold !== null && (
            <Field
              key={kind.value}
              label={threshold.label}
              name="threshold"
              value={threshold.value}
              error={error(threshold.field)}
            />
          )}
          {kind.value !== 'source' && (
            <>
              <Field
                label={texts.alerts.league}
                name="league"
                hint={texts.alerts.anyHint}
                error={error('league')}
              />
              <Field
                label={texts.alerts.team}
                name="team"
                hint={texts.alerts.anyHint}
                error={error('team')}
              />
            </>
          )}
          {threshold !== null && kind.value !== 'steam' && (
            <Choice label={texts.alerts.when} name="in_play" words={Object.entries(texts.alerts.moments)} />
          )}
          <Choice
            label={texts.alerts.format}
            name="format"
            words={FORMATS.map((one) => [one, texts.alerts.formats[one]])}
          />
          <Field label={texts.alerts.url} name="url" hint={texts.alerts.urlHint} error={error('url')} />
        </>
      )}
    </Form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly words: readonly (readonly [value: string, text: string])[];
  readonly chosen?: string;
  readonly choose?: (value: string) => void;
}

function Choice({ label, name, words, chosen, choose }: ChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name} value={chosen} onChange={(event) => choose?.(event.currentTarget.value)}>
        {words.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The body of the request: fields that are empty, or not of this kind, are left out. */
function bodyOf({ name, kind, threshold, market, outcome, league, team, in_play, format, url }: FormValues) {
  const field = THRESHOLDS[kind as AlertKind]?.field;
  return {
    name,
    when: {
      kind,
      ...(field === undefined ? {} : { [field]: Number(threshold) }),
      ...(kind === 'price' ? { market, outcome } : {}),
    },
    where: {
      ...(league === undefined || league === '' ? {} : { league }),
      ...(team === undefined || team === '' ? {} : { team }),
      ...(in_play === undefined || in_play === 'any' ? {} : { in_play: in_play === 'live' }),
    },
    to: { url, format },
  };
}
