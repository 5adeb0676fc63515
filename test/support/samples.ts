// Requests made from the OpenAPI document. For every operation: a plain one, one for each parameter and
// value, and wrong ones. Values that no schema defines, such as ids and names, come from the running service.

import { encodeId } from '../../src/domain/ids.ts';
import type { JsonSchema, OpenApiDocument, Operation, Parameter } from './openapi-document.ts';

/** Things on the slate of a service that requests can name. */
interface SlateWords {
  readonly eventIds: readonly string[];
  readonly homeTeam: string;
  readonly awayTeam: string;
  readonly league: string;
  readonly date: string;
}

export interface SampleRequest {
  readonly method: string;
  readonly path: string;
  /** The body as JSON text; null for none. */
  readonly body: string | null;
}

const UNKNOWN_EVENT = encodeId('event', 1);
const WRONG_PATH_VALUES = [UNKNOWN_EVENT, 'evt_00000000', 'tm_Xk29LmQa', '%00', 'x'.repeat(80)];
const WRONG_QUERY_VALUES = ['', '!!', '0x10', '-1', '9'.repeat(400)];
const WRONG_BODIES = ['{', '[]', 'null', '7', '"text"', '{}', '{"__proto__":{}}'];

export class Samples {
  readonly #document: OpenApiDocument;
  readonly #words: SlateWords;

  constructor(document: OpenApiDocument, words: SlateWords) {
    this.#document = document;
    this.#words = words;
  }

  /** Requests that are answered with 200 if the caller has every right. */
  good(operation: Operation): SampleRequest[] {
    const { query, path } = partsOf(operation);
    const requests = [this.#request(operation, {})];
    for (const parameter of [...path, ...query]) {
      for (const value of this.#valuesOf(parameter)) {
        requests.push(this.#request(operation, { [parameter.name]: value }));
      }
    }
    if (operation.body !== null) {
      for (const body of this.#bodiesOf(operation.body)) {
        requests.push({ ...this.#request(operation, {}), body: JSON.stringify(body) });
      }
    }
    return requests;
  }

  /** Requests with an error. Each must be refused in the documented way. */
  bad(operation: Operation): SampleRequest[] {
    const { query, path } = partsOf(operation);
    const requests: SampleRequest[] = [];
    for (const parameter of path) {
      for (const value of WRONG_PATH_VALUES)
        requests.push(this.#request(operation, { [parameter.name]: value }));
    }
    for (const parameter of query) {
      for (const value of WRONG_QUERY_VALUES) {
        requests.push(this.#request(operation, { [parameter.name]: encodeURIComponent(value) }));
      }
    }
    if (operation.body !== null) {
      for (const body of WRONG_BODIES) requests.push({ ...this.#request(operation, {}), body });
    }
    return requests;
  }

  #request(operation: Operation, values: Readonly<Record<string, string>>): SampleRequest {
    const { query, path } = partsOf(operation);
    let target = operation.path;
    for (const { name, schema } of path) {
      target = target.replace(`{${name}}`, values[name] ?? String(this.#valueOf(name, schema)));
    }
    const pairs = query.flatMap(({ name, required, schema }) => {
      const value =
        values[name] ?? (required ? encodeURIComponent(String(this.#valueOf(name, schema))) : null);
      return value === null ? [] : [`${name}=${value}`];
    });
    const body = operation.body === null ? null : JSON.stringify(this.requiredOf(operation.body));
    return {
      method: operation.method,
      path: pairs.length === 0 ? target : `${target}?${pairs.join('&')}`,
      body,
    };
  }

  /** Valid values of one parameter, percent-encoded. */
  #valuesOf({ name, schema, in: place, style }: Parameter): string[] {
    const resolved = this.#document.resolve(schema);
    if (name === 'event_id') return this.#words.eventIds.slice(0, 3) as string[];
    if (name === 'cursor' || name === 'since' || isInstant(name, resolved)) return [];
    if (style === 'form') {
      const all = (this.#document.resolve(resolved.items!).enum ?? []) as string[];
      return [...all.map(String), all.join(','), ` ${all[0]} , ${all[0]} `].map(encodeURIComponent);
    }
    if (resolved.enum !== undefined) return resolved.enum.map((value) => encodeURIComponent(String(value)));
    const values = [this.#valueOf(name, schema), resolved.minimum, resolved.maximum];
    const given = values.filter((value) => value !== undefined).map((value) => String(value));
    return place === 'path' ? given : given.map(encodeURIComponent);
  }

  /**
   * Bodies with only the required fields, then with each optional field, with each word of each closed list,
   * and with null.
   */
  #bodiesOf(schema: JsonSchema): Record<string, unknown>[] {
    const body = this.requiredOf(schema);
    const properties = Object.entries(this.#document.resolve(schema).properties ?? {});
    return properties.flatMap(([name, property]) => {
      if (isInstant(name, this.#document.valueOfOptional(property) ?? property)) return [];
      const field = this.#document.valueOfOptional(property);
      const { enum: words } = this.#document.resolve(field ?? property);
      const values = [...(words ?? [this.#valueOf(name, property)]), ...(field === null ? [] : [null])];
      const names = properties.map(([property]) => property);
      return values.flatMap((value) =>
        (
          value === null
            ? name in body
            : HINTS_OF_QUERY.has(name) && body.event_id !== undefined && names.includes('query')
        )
          ? []
          : [
              withLine({
                ...othersThan(body, name, value),
                [name]: value,
                ...companionsOf(name, value, names),
              }),
            ],
      );
    });
  }

  /** The required fields, and the first field of each pair of which exactly one is required. */
  requiredOf(schema: JsonSchema): Record<string, unknown> {
    const { properties = {}, required = [] } = this.#document.resolve(schema);
    const chosen = ONE_OF_TWO.filter((pair) => pair.every((name) => name in properties)).map(
      ([first]) => first,
    );
    const names = [...new Set([...required, ...chosen])];
    return withLine(Object.fromEntries(names.map((name) => [name, this.#valueOf(name, properties[name]!)])));
  }

  #valueOf(name: string, schema: JsonSchema): unknown {
    const { eventIds, homeTeam, awayTeam, league, date } = this.#words;
    switch (name) {
      case 'event_id':
        return eventIds[0];
      case 'event_ids':
        return eventIds.slice(0, 3);
      case 'query':
        return `${homeTeam} vs ${awayTeam}`;
      case 'team':
      case 'q':
        return homeTeam;
      case 'league':
        return league;
      case 'timezone':
        return 'America/Sao_Paulo';
    }
    const value = this.#document.valueOfOptional(schema) ?? schema;
    if (this.#document.resolve(value).format === 'date') return date;
    return this.#plainValueOf(schema);
  }

  #plainValueOf(schema: JsonSchema): unknown {
    const resolved = this.#document.resolve(schema);
    if (resolved.examples !== undefined) return resolved.examples[0];
    if (resolved.enum !== undefined) return resolved.enum[0];
    if (resolved.anyOf !== undefined) return this.#plainValueOf(resolved.anyOf[0]!);
    if (resolved.properties !== undefined) {
      return Object.fromEntries(
        Object.entries(resolved.properties).map(([name, property]) => [name, this.#valueOf(name, property)]),
      );
    }
    if (resolved.type === 'array') return [this.#plainValueOf(resolved.items ?? {})];
    if (resolved.type === 'boolean') return true;
    if (resolved.type === 'integer' || resolved.type === 'number') return resolved.minimum ?? 1;
    return 'text';
  }
}

/** Other fields that are required because of the value of a field, such as odds in the given format. */
function companionsOf(
  name: string,
  value: unknown,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  if (name === 'from' && names.includes('value'))
    return { value: value === 'decimal' ? 1.95 : SIGNED.has(value) ? -105 : 0.95 };
  const isOfTotals = value === 'over' || value === 'under';
  if (isOfTotals && names.includes('market_type')) return { market_type: 'totals' };
  if (name === 'date_to' && value !== null) return { date: value };
  if (name === 'price' && names.includes('outcome')) return { outcome: 'home' };
  if (name === 'line' && names.includes('outcome')) return { market_type: 'totals', outcome: 'over' };
  return value === 'totals' && names.includes('outcome') ? { outcome: 'over' } : {};
}

/** The line of a bet to settle by a score, in the form that its market needs. A 1x2 has no line. */
function withLine(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { line, ...rest } = body;
  if (rest.score === undefined || rest.market_type === undefined) return { ...body };
  return rest.market_type === '1x2' ? rest : { ...rest, line: line ?? 2.5 };
}

/** Pairs of fields of which exactly one is required. */
const ONE_OF_TWO: readonly (readonly [string, string])[] = [
  ['event_id', 'query'],
  ['external_prob', 'price'],
];

/** Fields that refine a `query`. They are refused together with an event_id. */
const HINTS_OF_QUERY: ReadonlySet<string> = new Set(['sport', 'date']);

/**
 * Whether a parameter is an instant of the past. What can be asked about the past depends on what the service
 * has recorded, so test/history asks those questions.
 */
function isInstant(name: string, { type, enum: words }: JsonSchema): boolean {
  return ['at', 'from', 'to'].includes(name) && type === 'string' && words === undefined;
}

/** The body without the field that is refused together with this one. */
function othersThan(
  body: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Record<string, unknown> {
  const pair = value === null ? undefined : ONE_OF_TWO.find((names) => names.includes(name));
  return Object.fromEntries(
    Object.entries(body).filter(([other]) => other === name || !(pair?.includes(other) ?? false)),
  );
}

const SIGNED: ReadonlySet<unknown> = new Set(['american', 'indonesian']);

function partsOf({ parameters }: Operation): { readonly query: Parameter[]; readonly path: Parameter[] } {
  return {
    query: parameters.filter((parameter) => parameter.in === 'query'),
    path: parameters.filter((parameter) => parameter.in === 'path'),
  };
}
