// What changed between two JSON Schemas, as a client notices it. Clients send what a request schema accepts,
// so it may only accept more. They read what an answer schema promises, so it may only promise more. A
// keyword that this file does not know may not change at all.

export type Json = Readonly<Record<string, unknown>>;
/** Whether clients write the value or read it. */
export type Direction = 'request' | 'answer';

export interface Change {
  /** For example `GET /v1/odds, parameter markets`; inside a named schema `answer Event.status`. */
  readonly place: string;
  readonly what: string;
  readonly isBreaking: boolean;
}

/** Bounds of values: a smaller upper bound accepts less, and so does a larger lower one. */
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
/** Keywords whose values have no order: another value may refuse what the old one accepted. */
const CONDITIONS = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'contentEncoding', 'contentMediaType'];
const COMPARED = new Set([
  ...['$ref', 'type', 'enum', 'const', 'default', 'deprecated', 'properties', 'required', 'items'],
  ...['additionalProperties', 'anyOf', 'oneOf', ...UPPER, ...LOWER, ...CONDITIONS],
]);

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object under a key; empty when there is none. */
export function objectAt(json: Json, key: string): Json {
  const value = json[key];
  return isJson(value) ? value : {};
}

/** Follows a JSON pointer of the form `#/a/b`. @throws Error when nothing is there */
export function resolved(document: Json, value: Json): Json {
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

function nameOf({ $ref }: Json): string | null {
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : null;
}

/** The state that a trial comparison takes over from the comparison that started it. */
interface Trial {
  readonly seen: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  readonly tried: ReadonlySet<string>;
}

/** Compares schemas of two documents. Each named schema is compared once for each direction. */
export class SchemaComparison {
  readonly changes: Change[] = [];
  readonly #before: Json;
  readonly #after: Json;
  readonly #seen: Set<string>;
  /** Named schemas that differ, or that refer to one that differs. All other named schemas are skipped. */
  readonly #changed: ReadonlySet<string>;

  /**
   * Pairs of alternatives whose trial has not ended. Without it, a schema that contains itself would be tried
   * endlessly.
   */
  readonly #tried: ReadonlySet<string>;

  constructor(before: Json, after: Json, trial?: Trial) {
    this.#before = before;
    this.#after = after;
    this.#seen = new Set(trial?.seen);
    this.#changed = trial?.changed ?? changedNames(before, after);
    this.#tried = trial?.tried ?? new Set();
  }

  broken(place: string, what: string): void {
    this.changes.push({ place, what, isBreaking: true });
  }

  added(place: string, what: string): void {
    this.changes.push({ place, what, isBreaking: false });
  }

  /** @param where the place to report; inside a named schema, the name is reported instead */
  compare(before: Json, after: Json, direction: Direction, where: string): void {
    const name = nameOf(before);
    if (Bun.deepEquals(before, after) && !namesIn(before).some((one) => this.#changed.has(one))) return;
    if (name !== null) {
      const pair = `${name} ${nameOf(after)} ${direction}`;
      if (this.#seen.has(pair)) return;
      this.#seen.add(pair);
    }
    const place = name === null ? where : `${direction} ${name}`;
    const old = resolved(this.#before, before);
    const now = resolved(this.#after, after);
    if (direction === 'request') this.#compareDefaults(old, now, place);
    if (branchesOf(old) !== null || branchesOf(now) !== null) {
      this.#compareBranches(old, now, direction, place);
      return;
    }
    this.#compareTypes(old, now, direction, place);
    this.#compareValues(old, now, direction, place);
    this.#compareLimits(old, now, direction, place);
    this.#compareObjects(old, now, direction, place);
    this.#compareMaps(old, now, direction, place);
    this.#compareItems(old, now, direction, place);
    this.#compareRest(old, now, place);
  }

  /** Reports that fewer values are accepted or sent, which is breaking in requests. */
  #narrowed(direction: Direction, place: string, what: string): void {
    this.changes.push({ place, what, isBreaking: direction === 'request' });
  }

  /** Reports that more values are accepted or sent, which is breaking in answers. */
  #widened(direction: Direction, place: string, what: string): void {
    this.changes.push({ place, what, isBreaking: direction === 'answer' });
  }

  #compareDefaults(old: Json, now: Json, place: string): void {
    if (Bun.deepEquals(old.default, now.default)) return;
    const what = `default ${JSON.stringify(old.default)} is now ${JSON.stringify(now.default)}`;
    if (old.default === undefined) this.added(place, what);
    else this.broken(place, what);
  }

  #compareTypes(old: Json, now: Json, direction: Direction, place: string): void {
    const [from, to] = [typesOf(old), typesOf(now)];
    for (const type of from)
      if (!hasType(to, type)) this.#narrowed(direction, place, `can no longer be ${type}`);
    for (const type of to) if (!hasType(from, type)) this.#widened(direction, place, `may also be ${type}`);
  }

  #compareValues(old: Json, now: Json, direction: Direction, place: string): void {
    const [from, to] = [valuesOf(old), valuesOf(now)];
    for (const value of from ?? []) {
      if (to !== null && !to.has(value)) this.#narrowed(direction, place, `value ${value} is gone`);
    }
    for (const value of to ?? []) {
      if (from !== null && !from.has(value)) this.#widened(direction, place, `value ${value} is new`);
    }
    if (from === null && to !== null) this.#narrowed(direction, place, 'has a closed list of values');
    if (from !== null && to === null)
      this.#widened(direction, place, 'no longer has a closed list of values');
  }

  #compareLimits(old: Json, now: Json, direction: Direction, place: string): void {
    for (const keyword of [...UPPER, ...LOWER]) {
      const open = UPPER.includes(keyword) ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
      const [from, to] = [Number(old[keyword] ?? open), Number(now[keyword] ?? open)];
      if (from === to) continue;
      const what = `${keyword} ${old[keyword] ?? 'none'} is now ${now[keyword] ?? 'none'}`;
      if (UPPER.includes(keyword) ? to < from : to > from) this.#narrowed(direction, place, what);
      else this.#widened(direction, place, what);
    }
    for (const keyword of CONDITIONS) {
      const [from, to] = [old[keyword], now[keyword]];
      if (from === to) continue;
      const what = `${keyword} ${from ?? 'none'} is now ${to ?? 'none'}`;
      if (from === undefined) this.#narrowed(direction, place, what);
      else if (to === undefined) this.#widened(direction, place, what);
      else this.broken(place, what);
    }
  }

  #compareObjects(old: Json, now: Json, direction: Direction, place: string): void {
    const [from, to] = [objectAt(old, 'properties'), objectAt(now, 'properties')];
    const [mustBefore, mustNow] = [requiredOf(old), requiredOf(now)];
    for (const name of Object.keys(from)) {
      const at = `${place}.${name}`;
      if (isJson(to[name])) this.compare(from[name] as Json, to[name], direction, at);
      else this.broken(at, 'is gone');
    }
    for (const name of Object.keys(to)) if (!(name in from)) this.added(`${place}.${name}`, 'is new');
    for (const name of mustNow) {
      if (mustBefore.has(name) || direction === 'answer') continue;
      this.broken(`${place}.${name}`, 'is now required');
    }
    for (const name of mustBefore) {
      if (mustNow.has(name) || (name in from && !(name in to))) continue;
      if (direction === 'request') this.added(`${place}.${name}`, 'is now optional');
      else this.broken(`${place}.${name}`, 'may now be left out');
    }
  }

  /**
   * Compares the members that `properties` does not name. Answers may get other members, because clients
   * ignore fields that they do not know.
   */
  #compareMaps(old: Json, now: Json, direction: Direction, place: string): void {
    const [from, to] = [old.additionalProperties ?? true, now.additionalProperties ?? true];
    const at = `${place}.*`;
    if (isJson(from) && isJson(to)) this.compare(from, to, direction, at);
    else if (Bun.deepEquals(from, to)) return;
    else if (direction === 'answer') {
      if (isJson(from)) this.broken(at, 'no longer has a schema');
      else this.added(at, 'other members changed');
    } else if (to === false || (from === true && isJson(to))) this.broken(at, 'other members are refused');
    else this.added(at, 'other members are accepted');
  }

  #compareItems(old: Json, now: Json, direction: Direction, place: string): void {
    if (isJson(old.items) && isJson(now.items)) {
      this.compare(old.items, now.items, direction, `${place}[]`);
    } else if (isJson(now.items)) this.#narrowed(direction, `${place}[]`, 'has a schema');
    else if (isJson(old.items)) this.#widened(direction, `${place}[]`, 'no longer has a schema');
  }

  /**
   * Compares alternatives. Every former alternative of a request must still be accepted, and every
   * alternative of an answer must fit a former one.
   */
  #compareBranches(old: Json, now: Json, direction: Direction, place: string): void {
    const [from, to] = [alternativesOf(old), alternativesOf(now)];
    const [promised, offered] = direction === 'request' ? [from, to] : [to, from];
    for (const one of promised) {
      const pairs = offered.map(
        (other) => (direction === 'request' ? [one, other] : [other, one]) as [Json, Json],
      );
      const namesakes = pairs.filter(([left, right]) => keyOf(left) === keyOf(right));
      const fitting = [...namesakes, ...pairs].find((pair) => this.#isCompatible(...pair, direction));
      const alike = fitting ?? namesakes[0];
      if (alike !== undefined) this.compare(...alike, direction, `${place}(${keyOf(one)})`);
      else this.broken(place, `alternative ${keyOf(one)} is ${direction === 'request' ? 'gone' : 'new'}`);
    }
    for (const one of offered) {
      if (promised.some((other) => keyOf(other) === keyOf(one))) continue;
      this.added(place, `alternative ${keyOf(one)} is ${direction === 'request' ? 'new' : 'gone'}`);
    }
    if (!Bun.deepEquals(besideBranches(old), besideBranches(now))) {
      this.broken(place, 'what holds for all alternatives changed');
    }
  }

  #isCompatible(before: Json, after: Json, direction: Direction): boolean {
    const pair = `${nameOf(before)} ${nameOf(after)} ${direction}`;
    if (nameOf(before) !== null && this.#tried.has(pair)) return true;
    const seen = new Set(this.#seen);
    // Compare this pair again even if it was compared elsewhere: a skipped pair would seem compatible.
    seen.delete(pair);
    const state = { seen, changed: this.#changed, tried: new Set([...this.#tried, pair]) };
    const trial = new SchemaComparison(this.#before, this.#after, state);
    trial.compare(before, after, direction, '');
    return trial.changes.every(({ isBreaking }) => !isBreaking);
  }

  #compareRest(old: Json, now: Json, place: string): void {
    if (old.deprecated !== true && now.deprecated === true) this.added(place, 'is deprecated');
    for (const keyword of new Set([...Object.keys(old), ...Object.keys(now)])) {
      if (COMPARED.has(keyword) || Bun.deepEquals(old[keyword], now[keyword])) continue;
      this.broken(place, `${keyword} changed`);
    }
  }
}

/** The names of the schemas that a schema refers to. */
function namesIn(schema: Json): string[] {
  return [...JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name!,
  );
}

function changedNames(before: Json, after: Json): ReadonlySet<string> {
  const [from, to] = [before, after].map((document) => objectAt(objectAt(document, 'components'), 'schemas'));
  const names = Object.keys(from!);
  const changed = new Set(names.filter((name) => !Bun.deepEquals(from![name], to![name])));
  const references = new Map(names.map((name) => [name, namesIn(from![name] as Json)]));
  for (let size = -1; size !== changed.size; ) {
    size = changed.size;
    for (const [name, others] of references) if (others.some((one) => changed.has(one))) changed.add(name);
  }
  return changed;
}

const ALL_TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string'];

/** The types that a schema allows: all types if it names none. */
function typesOf({ type }: Json): readonly string[] {
  if (type === undefined) return ALL_TYPES;
  return Array.isArray(type) ? (type as string[]) : [String(type)];
}

function hasType(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

/** The closed list of values, each as JSON; null if any value is allowed. */
function valuesOf(schema: Json): ReadonlySet<string> | null {
  const { enum: list } = schema;
  if ('const' in schema) return new Set([JSON.stringify(schema.const)]);
  return Array.isArray(list) ? new Set(list.map((value) => JSON.stringify(value))) : null;
}

function requiredOf({ required }: Json): ReadonlySet<string> {
  return new Set(Array.isArray(required) ? (required as string[]) : []);
}

function branchesOf({ anyOf, oneOf }: Json): readonly Json[] | null {
  const list = anyOf ?? oneOf;
  return Array.isArray(list) ? (list as Json[]) : null;
}

/** The keywords beside a list of alternatives, which hold for each of them; empty without such a list. */
function besideBranches(schema: Json): Json {
  if (branchesOf(schema) === null) return {};
  const { anyOf: _anyOf, oneOf: _oneOf, default: _default, deprecated: _deprecated, ...rest } = schema;
  return rest;
}

/**
 * The alternatives of a schema, with nested ones. A schema with several types has one alternative for each
 * type.
 */
function alternativesOf(schema: Json): readonly Json[] {
  const branches = branchesOf(schema);
  if (branches !== null) return branches.flatMap(alternativesOf);
  const { type, default: _default, ...rest } = schema;
  if (!Array.isArray(type)) return [schema];
  return type.map((one) => (one === 'null' ? { type: one } : { ...rest, type: one }));
}

/** What an alternative is recognized by: its name, its constant members, or its type. */
function keyOf(schema: Json): string {
  const name = nameOf(schema);
  if (name !== null) return name;
  const constants = Object.entries(objectAt(schema, 'properties'))
    .filter(([, value]) => isJson(value) && 'const' in value)
    .map(([key, value]) => `${key}=${(value as Json).const}`);
  return constants.length > 0 ? constants.join(' ') : typesOf(schema).join('|');
}
