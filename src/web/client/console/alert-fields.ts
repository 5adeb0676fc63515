// The fields of the form for alert rules. A form's values are one flat record of texts, with the names that a
// rule has; the address of the page has the same names, so that another page can link to a filled form.

import type {
  Alert,
  AlertKind,
  ChangeAlertRequest,
  CreateAlertRequest,
} from '../../../contract/alerts/alert-rules.ts';
import {
  ALERT_KIND_FIELDS,
  ALERT_WHERE_FIELDS,
  type WhenField,
  type WhereField,
} from '../../../domain/alerts/alert-fields.ts';

/** The values of the form's fields, by name. */
export type AlertDraft = Readonly<Record<string, string>>;

interface ShownFields {
  readonly when: readonly WhenField[];
  /** Fields of `when` that few rules set. */
  readonly whenMore: readonly WhenField[];
  readonly where: readonly WhereField[];
  readonly whereMore: readonly WhereField[];
}

/** The fields of `when` that most rules set, in the order of the form. */
const WHEN_FIRST: Readonly<Record<AlertKind, readonly WhenField[]>> = {
  value: ['min_edge_pct'],
  arbitrage: ['min_margin_pct'],
  middle: ['min_ev_pct'],
  low_hold: ['max_hold_pct'],
  move: ['of', 'pct', 'within_s'],
  steam: ['pct', 'owners', 'within_s'],
  price: ['market', 'outcome', 'line', 'price'],
  match: ['news'],
  source: [],
};
const WHERE_FIRST: readonly WhereField[] = ['league', 'team', 'in_play'];
export const ALERT_KIND_NAMES = Object.keys(WHEN_FIRST) as AlertKind[];

export function fieldsOf(kind: AlertKind): ShownFields {
  const { takes, refuses = [] } = ALERT_KIND_FIELDS[kind];
  const when = WHEN_FIRST[kind];
  // There is steam only before kickoff.
  const isTaken = (field: WhereField) =>
    !refuses.includes(field) && !(kind === 'steam' && field === 'in_play');
  return {
    when,
    whenMore: takes.filter((field) => !when.includes(field)),
    where: WHERE_FIRST.filter(isTaken),
    whereMore: ALERT_WHERE_FIELDS.filter((field) => isTaken(field) && !WHERE_FIRST.includes(field)),
  };
}

/** What the fields of a new rule begin with. */
const BEGINNINGS: Readonly<Partial<Record<AlertKind, AlertDraft>>> = {
  value: { min_edge_pct: '3' },
  arbitrage: { min_margin_pct: '3' },
  middle: { min_ev_pct: '0' },
  low_hold: { max_hold_pct: '1' },
  move: { of: 'fair', pct: '5', within_s: '1800' },
  steam: { pct: '1.5', owners: '3', within_s: '1800' },
  price: { market: 'totals', price: '2' },
};

/**
 * The first value of a field. A draft's fields of `when` belong to its kind. If the draft edits a rule,
 * fields that the rule does not set stay empty. If it comes from a link, they are filled as for a new rule.
 */
export function beginningOf(draft: AlertDraft, kind: AlertKind, field: WhenField | WhereField): string {
  const isOfWhere = ALERT_WHERE_FIELDS.some((one) => one === field);
  const isOfDraft = isOfWhere || kindOf(draft) === kind;
  const isRule = draft.id !== undefined && kindOf(draft) === kind;
  return (isOfDraft ? draft[field] : undefined) ?? (isRule ? undefined : BEGINNINGS[kind]?.[field]) ?? '';
}

export function kindOf({ kind }: AlertDraft): AlertKind {
  return ALERT_KIND_NAMES.find((one) => one === kind) ?? 'value';
}

const NUMBERS: ReadonlySet<string> = new Set<WhenField>([
  'min_edge_pct',
  'min_ev_pct',
  'min_margin_pct',
  'max_hold_pct',
  'pct',
  'within_s',
  'owners',
  'line',
  'price',
  'again_after_s',
]);
const TRUTHS: ReadonlySet<string> = new Set<WhenField | WhereField>(['closed', 'in_play']);

/** The body of the request: fields that are empty, or not of this kind, are left out. */
export function ruleOf(values: AlertDraft): CreateAlertRequest & ChangeAlertRequest {
  const kind = kindOf(values);
  const { when, whenMore, where, whereMore } = fieldsOf(kind);
  const { name = '', url = '', format = 'raw' } = values;
  return {
    name,
    when: { kind, ...sentFields(values, [...when, ...whenMore]) },
    where: sentFields(values, [...where, ...whereMore]),
    to: { url, format },
  } as CreateAlertRequest & ChangeAlertRequest;
}

function sentFields(values: AlertDraft, fields: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const text = values[field]?.trim() ?? '';
      return text === '' ? [] : [[field, sentValue(field, text)]];
    }),
  );
}

/**
 * The value that is sent for a field. If the text of a numeric field is not a number, it is sent as it is,
 * and the API's error says what is expected.
 */
function sentValue(field: string, text: string): unknown {
  if (TRUTHS.has(field)) return text === 'true';
  if (!NUMBERS.has(field)) return text;
  const number = Number(text.replace(',', '.'));
  return Number.isNaN(number) ? text : number;
}

/** A rule as the values of a form. */
export function draftOf({ id, name, when, where, to }: Alert): AlertDraft {
  const fields = Object.entries({ ...when, ...where, ...to, id, name });
  return Object.fromEntries(
    fields.flatMap(([field, value]) => (value === null ? [] : [[field, String(value)]])),
  );
}

/** Fields that a link may fill. Only the visitor may say where alerts are sent. */
const LINKED: readonly string[] = [
  ...ALERT_KIND_NAMES.flatMap((kind) => Object.values(fieldsOf(kind)).flat()),
  'kind',
  'name',
  'league_name',
];

/** The values that the page's address fills in; empty without any. */
export function draftOfAddress(query: string): AlertDraft {
  return Object.fromEntries([...new URLSearchParams(query)].filter(([field]) => LINKED.includes(field)));
}
