// Checks that the fields of a rule go together. Each kind allows its own fields and requires some of them.

import type { AlertWhen, AlertWhere } from '../../contract/alerts/alert-rules.ts';
import { ALERT_KIND_FIELDS } from '../../domain/alerts/alert-fields.ts';
import { MARKET_TYPES, OUTCOMES_1X2 } from '../../domain/catalogue.ts';
import { quartersFromLine } from '../../domain/handicap.ts';
import { REFERENCE_SHARP } from '../../domain/reference.ts';
import type { Principal } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import { LINE_QUARTERS_MAX } from '../../limits.ts';
import { oddsFilter, requestedReference, sharpNote } from '../../query/odds/odds-filter.ts';

export interface RuleAuthor {
  readonly principal: Principal;
  readonly isOperator: boolean;
}

/** @throws ServiceError `invalid_request`, or `forbidden` for what the author may not see */
export function checkRuleWords(when: AlertWhen, where: AlertWhere, author: RuleAuthor): void {
  const { takes, needs = [], refuses = [] } = ALERT_KIND_FIELDS[when.kind];
  for (const field of Object.keys(when) as (keyof AlertWhen)[]) {
    if (field === 'kind' || when[field] === undefined || takes.includes(field)) continue;
    throw refuse(
      `Cannot use when.${field}: a rule of kind ${when.kind} does not take it`,
      takes.length === 0 ? `Drop ${field}` : `Drop ${field}; ${when.kind} takes ${takes.join(', ')}`,
    );
  }
  for (const field of needs) {
    if (when[field] === undefined)
      throw refuse(`Cannot create rule: when.${field} is missing`, `Send ${needs.join(', ')}`);
  }
  for (const field of refuses) {
    if (where[field] === undefined) continue;
    throw refuse(`Cannot use where.${field}: a rule of kind ${when.kind} does not take it`, `Drop ${field}`);
  }
  if (when.kind === 'price') checkPrice(when);
  if (when.kind === 'middle' && where.markets?.every((market) => market === '1x2') === true)
    throw refuse(
      'Cannot use where.markets: a 1x2 has no lines, so it has no middles',
      'Send asian_handicap or totals, or drop markets',
    );
  if (when.kind === 'steam' && where.in_play === true)
    throw refuse('Cannot use where.in_play: steam is judged before kickoff', 'Drop in_play');
  if (when.kind === 'source' && !author.isOperator) {
    throw new ServiceError('forbidden', 'Cannot watch sources: they are for the operator of this server', {
      fix: 'Log in with an address that the setting OPERATOR_EMAILS names',
    });
  }
  oddsFilter(where, author.principal);
  if (when.kind === 'value') requestedReference(when.reference, author.principal);
}

/** Why a rule can report nothing on the plan of its account; null when it can. */
export function planNote(when: AlertWhen, principal: Principal): string | null {
  if (when.kind !== 'value') return null;
  return requestedReference(when.reference, principal) === REFERENCE_SHARP
    ? sharpNote('value', principal)
    : null;
}

function checkPrice({ market, outcome, line }: AlertWhen): void {
  const outcomes =
    market === 'totals' ? ['over', 'under'] : market === '1x2' ? OUTCOMES_1X2 : ['home', 'away'];
  if (!(outcomes as readonly (string | undefined)[]).includes(outcome)) {
    throw refuse(
      `Cannot use when.outcome: ${market} has no ${outcome}`,
      `Send one of ${outcomes.join(', ')}, or another market of ${MARKET_TYPES.join(', ')}`,
    );
  }
  if (line === undefined) return;
  if (market === '1x2') throw refuse('Cannot use when.line: a 1x2 has no line', 'Drop line');
  if (quartersFromLine(line, LINE_QUARTERS_MAX / 4) === null)
    throw refuse('Cannot use when.line: lines are quarters', 'Send a line such as 2.5 or -0.75');
}

function refuse(message: string, fix: string): ServiceError {
  return new ServiceError('invalid_request', message, { fix });
}
