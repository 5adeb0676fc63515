// What changed between two contracts, each change either breaking or additive.

import {
  type Change,
  type Direction,
  isJson,
  type Json,
  objectAt,
  resolved,
  SchemaComparison,
} from './schema-changes.ts';

/** @returns the changes of an OpenAPI or AsyncAPI document, without repetition */
export function changesBetween(before: Json, after: Json): readonly Change[] {
  const comparison = new DocumentComparison(before, after);
  if ('openapi' in before) comparison.compareOpenApi();
  else comparison.compareAsyncApi();
  const { changes } = comparison.schemas;
  return [...new Map(changes.map((change) => [`${change.place}: ${change.what}`, change])).values()];
}

class DocumentComparison {
  readonly schemas: SchemaComparison;
  readonly #before: Json;
  readonly #after: Json;

  constructor(before: Json, after: Json) {
    this.#before = before;
    this.#after = after;
    this.schemas = new SchemaComparison(before, after);
  }

  compareOpenApi(): void {
    this.#eachPair('paths', '', this.#before, this.#after, (path, old, now) => {
      this.#eachOperation(path, old, now);
    });
    const [old, now] = [objectAt(this.#before, 'components'), objectAt(this.#after, 'components')];
    // A removed name is breaking, because generated clients have types with these names.
    this.#eachPair('schemas', 'schema ', old, now, () => {});
    this.#eachPair('securitySchemes', 'security scheme ', old, now, (place, left, right) => {
      this.#sameOf(place, left, right, Object.keys(left));
    });
  }

  compareAsyncApi(): void {
    this.#eachPair('channels', 'channel ', this.#before, this.#after, (place, old, now) => {
      this.#sameOf(place, old, now, ['address']);
      this.#bindings(place, old, now);
      this.#eachPair('messages', `${place}, message `, old, now, (at, left, right) => {
        this.#sameOf(at, left, right, ['contentType']);
      });
    });
    this.#sameOf('document', this.#before, this.#after, ['defaultContentType']);
    this.#eachPair('operations', 'operation ', this.#before, this.#after, (place, old, now) => {
      this.#sameOf(place, old, now, ['action', 'channel']);
      this.#bindings(place, old, now);
      const direction = old.action === 'send' ? 'answer' : 'request';
      this.#messages(place, old, now, direction);
    });
  }

  /**
   * Compares the messages of an operation, matched by their `$ref`.
   * @param direction whether clients receive the messages or may send them
   */
  #messages(place: string, old: Json, now: Json, direction: Direction): void {
    const refsOf = ({ messages }: Json) =>
      new Map(((messages ?? []) as Json[]).map((one) => [one.$ref, one]));
    const [from, to] = [refsOf(old), refsOf(now)];
    for (const [ref, message] of from) {
      const other = to.get(ref);
      const at = `${place}, message ${String(ref).split('/').at(-1)}`;
      if (other === undefined) this.schemas.broken(at, 'is gone');
      else {
        const [left, right] = [resolved(this.#before, message), resolved(this.#after, other)];
        this.schemas.compare(objectAt(left, 'payload'), objectAt(right, 'payload'), direction, at);
      }
    }
    for (const ref of to.keys()) {
      if (!from.has(ref)) this.schemas.added(`${place}, message ${String(ref).split('/').at(-1)}`, 'is new');
    }
  }

  #bindings(place: string, old: Json, now: Json): void {
    this.#eachPair('bindings', `${place}, binding `, old, now, (at, left, right) => {
      this.#sameOf(at, left, right, ['method']);
      this.schemas.compare(objectAt(left, 'query'), objectAt(right, 'query'), 'request', `${at} query`);
    });
  }

  #eachOperation(path: string, before: Json, after: Json): void {
    const byMethod = (methods: Json): Json => ({
      operations: Object.fromEntries(
        Object.entries(methods).map(([method, value]) => [`${method.toUpperCase()} ${path}`, value]),
      ),
    });
    this.#eachPair('operations', '', byMethod(before), byMethod(after), (place, left, right) => {
      this.#operation(place, left, right);
    });
  }

  #operation(place: string, old: Json, now: Json): void {
    this.#sameOf(place, old, now, ['operationId']);
    if (old.deprecated !== true && now.deprecated === true) this.schemas.added(place, 'is deprecated');
    this.#security(place, old, now);
    this.#parameters(place, old, now);
    this.#requestBody(place, old, now);
    this.#responses(place, old, now);
  }

  /** Compares the ways in which an operation can be authorized. Each former way must still be accepted. */
  #security(place: string, old: Json, now: Json): void {
    const waysOf = ({ security }: Json) =>
      new Set(((security ?? [{}]) as Json[]).map((way) => JSON.stringify(way)));
    const [from, to] = [waysOf(old), waysOf(now)];
    for (const way of from)
      if (!to.has(way)) this.schemas.broken(place, `cannot be called with ${way} any more`);
    for (const way of to) if (!from.has(way)) this.schemas.added(place, `may be called with ${way}`);
  }

  #parameters(place: string, old: Json, now: Json): void {
    const [from, to] = [parametersOf(old), parametersOf(now)];
    for (const [key, parameter] of from) {
      const other = to.get(key);
      const at = `${place}, parameter ${parameter.name}`;
      if (other === undefined) this.schemas.broken(at, 'is gone');
      else {
        this.#sameOf(at, parameter, other, ['style', 'explode']);
        this.#required(at, parameter, other);
        if (parameter.deprecated !== true && other.deprecated === true)
          this.schemas.added(at, 'is deprecated');
        this.schemas.compare(objectAt(parameter, 'schema'), objectAt(other, 'schema'), 'request', at);
      }
    }
    for (const [key, parameter] of to)
      if (!from.has(key)) this.#newInput(`${place}, parameter ${parameter.name}`, parameter);
  }

  #required(place: string, old: Json, now: Json): void {
    if (old.required !== true && now.required === true) this.schemas.broken(place, 'is now required');
    if (old.required === true && now.required !== true) this.schemas.added(place, 'is now optional');
  }

  #newInput(place: string, { required }: Json): void {
    if (required === true) this.schemas.broken(place, 'is new and required');
    else this.schemas.added(place, 'is new');
  }

  #requestBody(place: string, old: Json, now: Json): void {
    const at = `${place}, body`;
    if (!isJson(old.requestBody)) {
      if (isJson(now.requestBody)) this.#newInput(at, now.requestBody);
      return;
    }
    if (!isJson(now.requestBody)) {
      this.schemas.broken(at, 'is gone');
      return;
    }
    this.#required(at, old.requestBody, now.requestBody);
    this.#content(at, old.requestBody, now.requestBody, 'request');
  }

  #responses(place: string, old: Json, now: Json): void {
    const [from, to] = [objectAt(old, 'responses'), objectAt(now, 'responses')];
    for (const [status, response] of Object.entries(from)) {
      const at = `${place}, ${status}`;
      const other = to[status];
      if (!isJson(other)) this.schemas.broken(at, 'is gone');
      else this.#response(at, resolved(this.#before, response as Json), resolved(this.#after, other));
    }
    for (const status of Object.keys(to).filter((one) => !(one in from))) {
      // A client can handle failures that it does not know, but it does not expect a second kind of success.
      if (/^[45]/.test(status) || status === '304' || status === 'default')
        this.schemas.added(`${place}, ${status}`, 'is new');
      else this.schemas.broken(`${place}, ${status}`, 'is new');
    }
  }

  #response(place: string, old: Json, now: Json): void {
    const codesOf = ({ description }: Json) =>
      String(description ?? '')
        .split(' ')
        .filter((code) => code !== '');
    for (const code of codesOf(old))
      if (!codesOf(now).includes(code)) this.schemas.broken(place, `error code ${code} is gone`);
    for (const code of codesOf(now))
      if (!codesOf(old).includes(code)) this.schemas.added(place, `error code ${code} is new`);
    this.#eachPair('headers', `${place}, header `, old, now, (at, left, right) => {
      const [from, to] = [resolved(this.#before, left), resolved(this.#after, right)];
      this.schemas.compare(objectAt(from, 'schema'), objectAt(to, 'schema'), 'answer', at);
    });
    this.#content(place, old, now, 'answer');
  }

  #content(place: string, old: Json, now: Json, direction: Direction): void {
    this.#eachPair('content', `${place}, `, old, now, (at, left, right) => {
      this.schemas.compare(objectAt(left, 'schema'), objectAt(right, 'schema'), direction, at);
    });
  }

  /** Compares the members of two maps by name: a removed one is breaking, a new one is additive. */
  #eachPair(
    key: string,
    prefix: string,
    old: Json,
    now: Json,
    compare: (place: string, old: Json, now: Json) => void,
  ): void {
    const [from, to] = [objectAt(old, key), objectAt(now, key)];
    for (const [name, value] of Object.entries(from)) {
      const other = to[name];
      if (isJson(other)) compare(prefix + name, value as Json, other);
      else this.schemas.broken(prefix + name, 'is gone');
    }
    for (const name of Object.keys(to)) if (!(name in from)) this.schemas.added(prefix + name, 'is new');
  }

  #sameOf(place: string, old: Json, now: Json, keys: readonly string[]): void {
    for (const key of keys) {
      if (Bun.deepEquals(old[key], now[key])) continue;
      this.schemas.broken(place, `${key} ${JSON.stringify(old[key])} is now ${JSON.stringify(now[key])}`);
    }
  }
}

/** Parameters by place and name, because a query and a path parameter may have the same name. */
function parametersOf({ parameters }: Json): ReadonlyMap<string, Json> {
  return new Map(((parameters ?? []) as Json[]).map((one) => [`${one.in} ${one.name}`, one]));
}
