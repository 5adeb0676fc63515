// The contract: the served OpenAPI or AsyncAPI document without its prose, laid out so that a change of the
// API changes few lines. It is still a valid document. Equal responses are written once.

import { isJson, type Json, objectAt } from './changes.ts';

const PROSE = new Set(['description', 'summary', 'title', 'examples', 'example', 'tags', 'servers']);
/** Keywords whose members have free names, such as a property called `title`, which is not prose. */
const MAPS = new Set([
  ...['properties', 'schemas', 'headers', 'responses', 'content', 'securitySchemes', 'patternProperties'],
  ...['paths', 'channels', 'operations', 'messages'],
]);
/** Keywords that contain values, not schemas. */
const VALUES = new Set(['enum', 'const', 'default', 'required']);

/** @param document the document as the server sends it */
export function contractOf(document: Json): Json {
  const { info, ...rest } = document;
  const stripped = withoutProse(rest) as Json;
  const responses = new Map<string, Json>();
  const paths = Object.entries(objectAt(stripped, 'paths')).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations as Json).map(([method, operation]) => [
        method,
        withSharedResponses(operation as Json, objectOf(document, path, method), responses),
      ]),
    ),
  ]);
  if (paths.length === 0) return { info: infoOf(info), ...stripped };
  const shared = Object.fromEntries([...responses].sort(([left], [right]) => (left < right ? -1 : 1)));
  const components = { ...objectAt(stripped, 'components'), responses: shared };
  return { info: infoOf(info), ...stripped, components, paths: Object.fromEntries(paths) };
}

function infoOf(info: unknown): Json {
  return isJson(info) ? { title: info.title, version: info.version } : {};
}

function objectOf(document: Json, path: string, method: string): Json {
  return objectAt(objectAt(objectAt(document, 'paths'), path), method);
}

/**
 * Replaces each response by a reference to a shared one, whose description lists the error codes that it may
 * have.
 */
function withSharedResponses(operation: Json, served: Json, responses: Map<string, Json>): Json {
  const described = objectAt(served, 'responses');
  const own = Object.entries(objectAt(operation, 'responses')).map(([status, response]) => {
    const codes = String((described[status] as Json).description).matchAll(/`([a-z_]+)`:/g);
    const whole = { ...(response as Json), description: [...codes].map(([, code]) => code).join(' ') };
    const name = `${status}-${Bun.hash(JSON.stringify(whole)).toString(36).slice(0, 6)}`;
    responses.set(name, whole);
    return [status, { $ref: `#/components/responses/${name}` }];
  });
  return { ...operation, responses: Object.fromEntries(own) };
}

/** Leaves out the prose, and sorts the members of objects. */
function withoutProse(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutProse(one));
  if (!isJson(value)) return value;
  const kept = Object.entries(value).filter(([key]) => isMap || !PROSE.has(key));
  return Object.fromEntries(
    kept
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, part]) => {
        if (!isMap && VALUES.has(key)) return [key, part];
        return [key, withoutProse(part, !isMap && MAPS.has(key))];
      }),
  );
}

/** The text of the file: a line for each path, channel and component. */
export function contractText(contract: Json): string {
  return `${linesOf(contract, 2)}\n`;
}

function linesOf(value: unknown, depth: number): string {
  if (!isJson(value) || depth < 0) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, part]) => `${JSON.stringify(key)}:${linesOf(part, depth - 1)}`,
  );
  return `{\n${members.join(',\n')}\n}`;
}
