// The form that makes or changes an alert rule. It shows the fields of the chosen kind.

import { useSignal } from '@preact/signals';
import type { AlertPreview } from '../../../contract/alerts/alert-preview.ts';
import type { AlertKind } from '../../../contract/alerts/alert-rules.ts';
import type { WhenField, WhereField } from '../../../domain/alerts/alert-fields.ts';
import { callJson } from '../data/api.ts';
import { dateTimeText, OWN_TIME_ZONE } from '../data/number-words.ts';
import { into } from '../data/setting.ts';
import { ALERT_KIND_NAMES, type AlertDraft, beginningOf, fieldsOf, kindOf, ruleOf } from './alert-fields.ts';
import { alertTexts } from './alert-texts.ts';
import { ChoiceField, type ChoiceFieldProps, Field, Form } from './form.tsx';
import { isOperator } from './state.ts';

const OUTCOMES: Readonly<Record<string, readonly string[]>> = {
  '1x2': ['home', 'draw', 'away'],
  asian_handicap: ['home', 'away'],
  totals: ['over', 'under'],
};

interface AlertFormProps {
  /** The first values of the form: those of a saved rule, or those in the page's address. */
  readonly draft: AlertDraft;
  readonly submitText: string;
  readonly send: (values: AlertDraft) => Promise<void>;
}

export function AlertForm({ draft, submitText, send }: AlertFormProps) {
  const tried = useSignal<AlertPreview | null>(null);
  return (
    <>
      <Form
        submitText={submitText}
        second={{ text: alertTexts.tryIt, action: 'try' }}
        send={async (values) => {
          tried.value = null;
          if (values.action === 'try') tried.value = await triedRule(values);
          else await send(values);
        }}
        className="alert-form"
      >
        {(error) => <AlertFields draft={draft} error={error} />}
      </Form>
      {tried.value !== null && <Preview tried={tried.value} />}
    </>
  );
}

function AlertFields({ draft, error }: Pick<RuleFieldProps, 'draft' | 'error'>) {
  const kind = useSignal<AlertKind>(kindOf(draft));
  const format = useSignal(draft.format ?? 'raw');
  const kinds = ALERT_KIND_NAMES.filter((one) => one !== 'source' || isOperator.value);
  const { when, whenMore, where, whereMore } = fieldsOf(kind.value);
  const more = [...whenMore, ...whereMore];
  const field = (name: WhenField | WhereField) => (
    <RuleField key={`${kind.value} ${name}`} {...{ name, draft, error }} kind={kind.value} />
  );
  return (
    <>
      <Field
        label={alertTexts.fields.name}
        name="name"
        value={draft.name ?? alertTexts.unnamed}
        error={error('name')}
      />
      <Choice
        name="kind"
        words={kinds.map((one) => [one, alertTexts.kinds[one]])}
        chosen={kind.value}
        choose={(value) => {
          kind.value = kindOf({ kind: value });
        }}
      />
      {[...when, ...where].map(field)}
      {more.length > 0 && (
        <details class="alert-more" open={more.some((name) => (draft[name] ?? '') !== '')}>
          <summary>{alertTexts.more}</summary>
          <div class="alert-fields">{more.map(field)}</div>
        </details>
      )}
      <Choice name="format" words={choicesOf('format')} chosen={format.value} choose={into(format)} />
      <Field
        label={alertTexts.fields.url}
        name="url"
        {...(draft.url === undefined ? {} : { value: draft.url })}
        {...(format.value === 'telegram' ? { hint: alertTexts.hints.url } : {})}
        error={error('url')}
      />
    </>
  );
}

async function triedRule(values: AlertDraft): Promise<AlertPreview> {
  const { when, where } = ruleOf(values);
  return await callJson('/platform/alerts/preview', { method: 'POST', body: { when, where } });
}

/** How often the rule would have fired in the last day. */
function Preview({ tried: { sentence, count, from, to, latest, note } }: { readonly tried: AlertPreview }) {
  const shown = (at: string | null) => (at === null ? '' : dateTimeText(at, OWN_TIME_ZONE));
  return (
    <section class="alert-tried" aria-label={alertTexts.tryIt} role="status">
      <p>
        {sentence}
        <br />
        <strong>{alertTexts.triedCount(count, shown(from), shown(to))}</strong> {note}
      </p>
      {latest.length > 0 && (
        <ul>
          {latest.map(({ at, text }) => (
            <li key={`${at} ${text}`}>
              {shown(at)}: {text}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface RuleFieldProps {
  readonly name: WhenField | WhereField;
  readonly kind: AlertKind;
  readonly draft: AlertDraft;
  readonly error: (name: string) => string | undefined;
}

function RuleField({ name, kind, draft, error }: RuleFieldProps) {
  const value = beginningOf(draft, kind, name);
  if (name === 'market') return <MarketAndOutcome market={value} outcome={draft.outcome} />;
  if (name === 'outcome') return null;
  if (name === 'of') return <MoveAndChange of={value} pct={beginningOf(draft, kind, 'pct')} error={error} />;
  if (name === 'pct' && kind === 'move') return null;
  const words = choicesOf(name);
  if (words.length > 0) return <Choice name={name} words={words} chosen={value} />;
  // A link names the league by its id, which says nothing to people. So show the league's name as the hint.
  const isLinked = name === 'league' && draft.league_name !== undefined;
  const hint = isLinked ? draft.league_name : (alertTexts.hints as Readonly<Record<string, string>>)[name];
  return (
    <Field
      label={alertTexts.fields[name]}
      name={name}
      value={value}
      {...(hint === undefined ? {} : { hint })}
      error={error(name)}
    />
  );
}

/** The outcomes depend on the market. */
function MarketAndOutcome({
  market,
  outcome,
}: {
  readonly market: string;
  readonly outcome?: string | undefined;
}) {
  const chosen = useSignal(Object.hasOwn(OUTCOMES, market) ? market : 'totals');
  return (
    <>
      <Choice name="market" words={Object.keys(OUTCOMES)} chosen={chosen.value} choose={into(chosen)} />
      <Choice key={chosen.value} name="outcome" words={OUTCOMES[chosen.value]!} chosen={outcome} />
    </>
  );
}

/** A fair probability moves by percentage points, a price by per cent. */
function MoveAndChange({
  of,
  pct,
  error,
}: {
  readonly of: string;
  readonly pct: string;
  readonly error: RuleFieldProps['error'];
}) {
  const chosen = useSignal(of === 'price' ? 'price' : 'fair');
  return (
    <>
      <Choice name="of" words={choicesOf('of')} chosen={chosen.value} choose={into(chosen)} />
      <Field
        label={chosen.value === 'price' ? alertTexts.fields.pct : alertTexts.pointsField}
        name="pct"
        value={pct}
        error={error('pct')}
      />
    </>
  );
}

function choicesOf(name: string): ChoiceFieldProps['options'] {
  return Object.entries(
    (alertTexts.choices as Readonly<Record<string, Readonly<Record<string, string>>>>)[name] ?? {},
  );
}

interface ChoiceProps extends Pick<ChoiceFieldProps, 'chosen' | 'choose'> {
  readonly name: keyof typeof alertTexts.fields;
  readonly words: ChoiceFieldProps['options'];
}

/** A choice of words. A value that is not among them, such as one of a rule made elsewhere, can be kept. */
function Choice({ name, words, chosen = '', choose }: ChoiceProps) {
  const isKnown = chosen === '' || words.some((one) => chosen === (typeof one === 'string' ? one : one[0]));
  const options = isKnown ? words : [...words, chosen];
  return <ChoiceField label={alertTexts.fields[name]} {...{ name, options, chosen, choose }} />;
}
