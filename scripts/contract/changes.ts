// What changed between two contracts, each change either breaking or additive. Clients send what a request
// schema accepts, so it may only accept more. They read what an answer schema promises, so it may only
// promise more. A change that is not known to be harmless is breaking.

export type Json = Readonly<Record<string, unknown>>;
/** Whether clients write the value or read it. */
type Direction = 'request' | 'answer';

export interface Change {
  /** For example `GET /v1/odds, parameter markets`; inside a named schema `answer Event.status`. */
  readonly place: string;
  readonly what: string;
  readonly isBreaking: boolean;
}

/** Bounds of values: a smaller upper bound accepts less, and so does a larger lower one. */
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object under a key; empty when there is none. */
export function objectAt(json: Json, key: string): Json {
  const value = json[key];
  return isJson(value) ? value : {};
}

/** A part of the contract before, and the same part after. */
type Pair = readonly [before: Json, after: Json];
type Compare = (place: string, pair: Pair) => void;

/** @returns the changes of an OpenAPI or AsyncAPI document, without repetition */
export function changesBetween(before: Json, after: Json): readonly Change[] {
  const comparison = new Comparison([before, after]);
  if ('openapi' in before) comparison.compareOpenApi();
  else comparison.compareAsyncApi();
  const { changes } = comparison;
  return [...new Map(changes.map((change) => [`${change.place}: ${change.what}`, change])).values()];
}

class Comparison {
  readonly changes: Change[] = [];
  readonly #documents: Pair;
  /** The named schemas that were compared, each with its direction. */
  readonly #seen = new Set<string>();

  constructor(documents: Pair) {
    this.#documents = documents;
  }

  compareOpenApi(): void {
    this.#members('', at(this.#documents, 'paths'), (path, methods) => {
      const nameOf = (method: string) => `${method.toUpperCase()} ${path}`;
      const operations = both(methods, (one) =>
        Object.fromEntries(Object.entries(one).map(([method, value]) => [nameOf(method), value])),
      );
      this.#members('', operations, (place, pair) => this.#operation(place, pair));
    });
    const components = at(this.#documents, 'components');
    // A removed name is breaking, because generated clients have types with these names.
    this.#members('schema ', at(components, 'schemas'));
    this.#members('security scheme ', at(components, 'securitySchemes'), (place, pair) => {
      this.#same(place, pair, Object.keys(pair[0]));
    });
  }

  compareAsyncApi(): void {
    this.#same('document', this.#documents, ['defaultContentType']);
    this.#members('channel ', at(this.#documents, 'channels'), (place, pair) => {
      this.#same(place, pair, ['address']);
      this.#bindings(place, pair);
      this.#members(`${place}, message `, at(pair, 'messages'), (name, messages) => {
        this.#same(name, this.#resolved(messages), ['contentType']);
      });
    });
    this.#members('operation ', at(this.#documents, 'operations'), (place, pair) => {
      this.#same(place, pair, ['action', 'channel']);
      this.#bindings(place, pair);
      const direction = pair[0].action === 'send' ? 'answer' : 'request';
      const messages = both(pair, (one) => named(listAt(one, 'messages'), refName));
      this.#members(`${place}, message `, messages, (name, message) => {
        this.#schema(name, at(this.#resolved(message), 'payload'), direction);
      });
    });
  }

  #bindings(place: string, pair: Pair): void {
    this.#members(`${place}, binding `, at(pair, 'bindings'), (name, binding) => {
      this.#same(name, binding, ['method']);
      this.#schema(`${name} query`, at(binding, 'query'), 'request');
    });
  }

  #operation(place: string, pair: Pair): void {
    this.#same(place, pair, ['operationId']);
    this.#deprecation(place, pair);
    // Each former way to authorize a call must still be accepted.
    const ways = both(pair, ({ security = [{}] }) => named(security as Json[], (way) => JSON.stringify(way)));
    this.#members(`${place}, called with `, ways);
    const inputs = both(pair, (one) => ({
      ...named(listAt(one, 'parameters'), ({ name }) => `parameter ${name}`),
      ...(isJson(one.requestBody) && { body: one.requestBody }),
    }));
    const isRequired = ({ required }: Json) => required === true;
    const compareInput: Compare = (name, input) => {
      const [was, is] = input.map(isRequired);
      if (was !== is) this.#report(is!, name, is ? 'is now required' : 'is now optional');
      this.#same(name, input, ['in', 'style', 'explode']);
      this.#deprecation(name, input);
      this.#schema(name, at(input, 'schema'), 'request');
      this.#content(name, input, 'request');
    };
    this.#members(`${place}, `, inputs, compareInput, isRequired);
    const compareAnswer: Compare = (name, answer) => this.#answer(name, this.#resolved(answer));
    // A client can handle failures that it does not know, but it does not expect a second kind of success.
    const isSuccess = (_: Json, status: string) => !/^(?:[45]..|304|default)$/.test(status);
    this.#members(`${place}, `, at(pair, 'responses'), compareAnswer, isSuccess);
  }

  #answer(place: string, pair: Pair): void {
    const codes = both(pair, ({ description = '' }) =>
      Object.fromEntries(
        String(description)
          .match(/\S+/g)
          ?.map((code) => [code, {}]) ?? [],
      ),
    );
    this.#members(`${place}, error code `, codes);
    this.#members(`${place}, header `, at(pair, 'headers'), (name, header) => {
      this.#schema(name, at(this.#resolved(header), 'schema'), 'answer');
    });
    this.#content(place, pair, 'answer');
  }

  #content(place: string, pair: Pair, direction: Direction): void {
    this.#members(`${place}, `, at(pair, 'content'), (name, content) => {
      this.#schema(name, at(content, 'schema'), direction);
    });
  }

  /**
   * Compares schemas by their alternatives. Every former alternative of a request must still be accepted, and
   * every alternative of an answer must be a former one.
   * @param place the place to report; inside a named schema, the name is reported instead
   */
  #schema(place: string, pair: Pair, direction: Direction): void {
    const [before, after] = pair;
    this.#annotations(place, pair, direction);
    if (!Bun.deepEquals(besideAlternatives(before), besideAlternatives(after)))
      this.#report(true, place, 'what holds for all alternatives changed');
    const [from, to] = both(pair, ({ default: _default, deprecated: _deprecated, ...rest }) =>
      alternativesOf(rest),
    );
    const isOnly = Object.keys(from).length === 1;
    for (const [name, one] of Object.entries(from)) {
      const other = to[name] as Json | undefined;
      if (other === undefined) this.#report(direction === 'request', place, `can no longer be ${name}`);
      else this.#alternative(isOnly ? place : `${place}(${name})`, [one as Json, other], direction);
    }
    for (const name of Object.keys(to))
      if (!(name in from)) this.#report(direction === 'answer', place, `may also be ${name}`);
  }

  #alternative(place: string, pair: Pair, direction: Direction): void {
    if (pair[0].$ref === undefined) {
      this.#annotations(place, pair, direction);
      for (const keyword of Object.keys({ ...pair[0], ...pair[1] }))
        this.#keyword(keyword, place, pair, direction);
      return;
    }
    const name = `${direction} ${refName(pair[0])}`;
    if (this.#seen.has(name)) return;
    this.#seen.add(name);
    this.#schema(name, this.#resolved(pair), direction);
  }

  #keyword(keyword: string, place: string, pair: Pair, direction: Direction): void {
    const [from, to] = pair.map((one) => one[keyword]);
    if (keyword === 'default' || keyword === 'deprecated') return;
    if (keyword === 'properties') {
      const compare: Compare = (name, property) => this.#schema(name, property, direction);
      this.#members(`${place}.`, at(pair, keyword), compare);
    } else if (isJson(from) && isJson(to) && (keyword === 'items' || keyword === 'additionalProperties')) {
      this.#schema(place + (keyword === 'items' ? '[]' : '.*'), [from, to], direction);
    } else if (keyword === 'required') {
      for (const [name, isNew] of differences(listAt(pair[0], keyword), listAt(pair[1], keyword))) {
        // A request may not need more fields, and an answer may not leave out one that was always there.
        const isBreaking = isNew === (direction === 'request');
        this.#report(isBreaking, `${place}.${name}`, isNew ? 'is now required' : 'may now be left out');
      }
    } else if (keyword === 'enum' && Array.isArray(from) && Array.isArray(to)) {
      for (const [value, isNew] of differences(from, to)) {
        const isBreaking = isNew === (direction === 'answer');
        this.#report(isBreaking, place, `value ${JSON.stringify(value)} is ${isNew ? 'new' : 'gone'}`);
      }
    } else if (!Bun.deepEquals(from, to)) {
      // A bound that accepts more is harmless in a request, one that accepts less in an answer.
      const isHarmless =
        direction === 'request' ? acceptsMore(keyword, from, to) : acceptsMore(keyword, to, from);
      this.#report(!isHarmless, place, changed(keyword, pair));
    }
  }

  #annotations(place: string, pair: Pair, direction: Direction): void {
    const [before, after] = pair;
    if (direction === 'request' && !Bun.deepEquals(before.default, after.default))
      this.#report(before.default !== undefined, place, changed('default', pair));
    this.#deprecation(place, pair);
  }

  #deprecation(place: string, [before, after]: Pair): void {
    if (before.deprecated !== true && after.deprecated === true) this.#report(false, place, 'is deprecated');
  }

  /**
   * Compares the members of two maps by name. A removed member is breaking. A new member is breaking if
   * `isBreaking` says so.
   */
  #members(
    prefix: string,
    [from, to]: Pair,
    compare: Compare = () => {},
    isBreaking: (value: Json, name: string) => boolean = () => false,
  ): void {
    for (const [name, value] of Object.entries(from)) {
      const other = to[name];
      if (isJson(other)) compare(prefix + name, [value as Json, other]);
      else this.#report(true, prefix + name, 'is gone');
    }
    for (const [name, value] of Object.entries(to))
      if (!(name in from)) this.#report(isBreaking(value as Json, name), prefix + name, 'is new');
  }

  #same(place: string, pair: Pair, keys: readonly string[]): void {
    for (const key of keys)
      if (!Bun.deepEquals(pair[0][key], pair[1][key])) this.#report(true, place, changed(key, pair));
  }

  #resolved([before, after]: Pair): Pair {
    return [resolved(this.#documents[0], before), resolved(this.#documents[1], after)];
  }

  #report(isBreaking: boolean, place: string, what: string): void {
    this.changes.push({ place, what, isBreaking });
  }
}

function both([before, after]: Pair, part: (one: Json) => Json): Pair {
  return [part(before), part(after)];
}

/** The objects under a key. */
function at(pair: Pair, key: string): Pair {
  return both(pair, (one) => objectAt(one, key));
}

function listAt(json: Json, key: string): readonly Json[] {
  return (json[key] ?? []) as readonly Json[];
}

function changed(key: string, [before, after]: Pair): string {
  return `${key} ${JSON.stringify(before[key]) ?? 'none'} is now ${JSON.stringify(after[key]) ?? 'none'}`;
}

/** The values that only one of two lists has, each with true if only the second list has it. */
function differences(from: readonly unknown[], to: readonly unknown[]): (readonly [unknown, boolean])[] {
  const gone = from.filter((value) => !to.includes(value)).map((value) => [value, false] as const);
  return [...gone, ...to.filter((value) => !from.includes(value)).map((value) => [value, true] as const)];
}

/** Follows a JSON pointer of the form `#/a/b`. @throws Error when nothing is there */
function resolved(document: Json, value: Json): Json {
  const { $ref } = value;
  if (typeof $ref !== 'string') return value;
  const target = $ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((json, part) => (isJson(json) ? json[part] : undefined), document);
  if (!isJson(target)) throw new Error(`Cannot compare documents: nothing is at ${$ref}`);
  return resolved(document, target);
}

function refName({ $ref }: Json): string {
  return String($ref).slice(String($ref).lastIndexOf('/') + 1);
}

/** A list as a map. If several members have the same name, the later names get apostrophes. */
function named(list: readonly Json[], nameOf: (one: Json) => string): Json {
  const members: Record<string, Json> = {};
  for (const one of list) {
    let name = nameOf(one);
    while (name in members) name += "'";
    members[name] = one;
  }
  return members;
}

/** The keywords beside a list of alternatives, which hold for each of them; empty without such a list. */
function besideAlternatives({
  anyOf,
  oneOf,
  default: _default,
  deprecated: _deprecated,
  ...rest
}: Json): Json {
  return anyOf === undefined && oneOf === undefined ? {} : rest;
}

/** The alternatives of a schema, with nested ones. A schema with several types has one for each type. */
function alternativesIn({ anyOf, oneOf, ...rest }: Json): readonly Json[] {
  const branches = (anyOf ?? oneOf) as readonly Json[] | undefined;
  if (branches !== undefined) return branches.flatMap(alternativesIn);
  if (!Array.isArray(rest.type)) return [rest];
  return rest.type.map((type) => (type === 'null' ? { type } : { ...rest, type }));
}

/** The alternatives by name: the name of the schema, or its constant members, or its type. */
function alternativesOf(schema: Json): Json {
  const all = alternativesIn(schema);
  // A list of alternatives inside another one may repeat an alternative.
  const apart = all.filter((one, index) => index === all.findIndex((other) => Bun.deepEquals(other, one)));
  return named(apart, (one) => {
    if (one.$ref !== undefined) return refName(one);
    const constants = Object.entries(objectAt(one, 'properties'))
      .filter(([, value]) => isJson(value) && 'const' in value)
      .map(([key, value]) => `${key}=${(value as Json).const}`);
    return constants.length > 0 ? constants.join(' ') : String(one.type ?? 'anything');
  });
}

/** Whether the keyword is a bound that now accepts more values. */
function acceptsMore(keyword: string, from: unknown, to: unknown): boolean {
  if (UPPER.includes(keyword)) return to === undefined || Number(to) > Number(from);
  return LOWER.includes(keyword) && (to === undefined || Number(to) < Number(from));
}
