// The form that makes an alert rule. It shows the fields of the chosen kind.

import { useSignal } from '@preact/signals';
import type { AlertFormat, AlertKind, AlertWithSecret } from '../../../contract/alerts/alert-rules.ts';
import { callJson } from '../data/api.ts';
import { texts } from '../texts.ts';
import { Field, Form, type FormValues } from './form.tsx';
import { isOperator } from './state.ts';

/** The threshold of a kind, as its field is called in a rule; null for a kind without one. */
const THRESHOLDS: Readonly<Record<AlertKind, string | null>> = {
  value: 'min_edge_pct',
  arbitrage: 'min_margin_pct',
  price: 'price',
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
              key={threshold}
              label={kind.value === 'price' ? texts.alerts.price : texts.alerts.percent}
              name="threshold"
              value={kind.value === 'price' ? '2' : '3'}
              error={error(threshold)}
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
          {threshold !== null && (
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
  const field = THRESHOLDS[kind as AlertKind];
  return {
    name,
    when: {
      kind,
      ...(field === null ? {} : { [field]: Number(threshold) }),
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
