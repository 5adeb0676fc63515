// Generates the Python client's types and operations: a TypedDict for each schema, a method for each
// operation.

import { answerOf, type Document, type Operation, type Schema } from './document.ts';

const HEAD = 'written by `bun run docs clients` from the server’s OpenAPI document';
/** Words that cannot name a field or an argument in Python. */
const KEYWORDS = new Set('from class def import in is not or and global lambda'.split(' '));
const INDENT = '    ';

/** The text of types.py. */
export function pythonTypes({ components }: Document): string {
  const classes = new PythonClasses();
  for (const [name, schema] of Object.entries(components.schemas)) classes.name(name, schema);
  return `"""Requests and answers, ${HEAD}."""\n\nfrom __future__ import annotations\n\nfrom typing import Any, Dict, List, Literal, Optional, TypedDict, Union\n\n${classes.text}`;
}

class PythonClasses {
  text = '';

  /** Defines a Python type with this name for a schema. */
  name(name: string, schema: Schema): void {
    if (schema.properties === undefined) {
      const expression = this.#expression(schema, name);
      this.text += `\n${name} = ${expression}\n`;
      return;
    }
    const required = new Set(schema.required ?? []);
    const fields = Object.entries(schema.properties).map(([field, part]) => ({
      field,
      isRequired: required.has(field),
      type: this.#expression(part, name + pascal(field)),
    }));
    const optional = fields.filter(({ isRequired }) => !isRequired);
    if (fields.some(({ field }) => !isName(field))) {
      const list = fields.map(({ field, type }) => `${INDENT}"${field}": "${type.replaceAll('"', "'")}",`);
      const total = optional.length === 0 ? '' : ', total=False';
      this.text += `\n${name} = TypedDict("${name}", {\n${list.join('\n')}\n}${total})\n`;
      return;
    }
    const lines = (chosen: typeof fields): string =>
      chosen.map(({ field, type }) => `${INDENT}${field}: ${type}\n`).join('') || `${INDENT}pass\n`;
    const doc = schema.description === undefined ? '' : `${INDENT}"""${schema.description}"""\n\n`;
    if (optional.length === 0) {
      this.text += `\n\nclass ${name}(TypedDict):\n${doc}${lines(fields)}`;
      return;
    }
    const needed = fields.filter(({ isRequired }) => isRequired);
    // A TypedDict with required and optional fields needs two classes, because Python 3.10 has no
    // NotRequired.
    const base = needed.length === 0 ? 'TypedDict' : `_${name}`;
    if (needed.length > 0) this.text += `\n\nclass ${base}(TypedDict):\n${lines(needed)}`;
    this.text += `\n\nclass ${name}(${base}, total=False):\n${doc}${lines(optional)}`;
  }

  #expression(schema: Schema, name: string): string {
    return typeExpression(schema, (object) => {
      this.name(name, object);
      return name;
    });
  }
}

/** @param nameOf gives an object schema with fields a class, and returns the name of the class */
function typeExpression(schema: Schema, nameOf: (object: Schema) => string): string {
  const inner = (part: Schema): string => typeExpression(part, nameOf);
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!;
  if (schema.anyOf !== undefined) {
    const parts = schema.anyOf.filter(({ type }) => type !== 'null');
    const objects = parts.filter(({ properties }) => properties !== undefined);
    // Objects with different fields, such as the outcomes of different markets, get one dictionary type. The
    // fields of a value show which shape it has.
    const isOpen = objects.length > 1;
    const union = isOpen ? mapOf(objects, inner) : unionOf(parts.map(inner));
    return parts.length < schema.anyOf.length ? optionalOf(union) : union;
  }
  if (schema.const !== undefined) return literalOf([schema.const]);
  const types = [schema.type ?? []].flat();
  const isNullable = types.includes('null');
  if (schema.enum !== undefined) {
    const literal = literalOf(schema.enum.filter((value) => value !== null));
    return isNullable ? optionalOf(literal) : literal;
  }
  const union = unionOf(
    types.filter((type) => type !== 'null').map((type) => plainType(type, schema, { inner, nameOf })),
  );
  return isNullable ? optionalOf(union) : union;
}

function plainType(
  type: string,
  schema: Schema,
  { inner, nameOf }: { inner(part: Schema): string; nameOf(object: Schema): string },
): string {
  switch (type) {
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'array':
      return `List[${schema.items === undefined ? 'Any' : inner(schema.items)}]`;
    default: {
      if (schema.properties !== undefined) return nameOf(schema);
      const { additionalProperties: values } = schema;
      return `Dict[str, ${typeof values === 'object' ? inner(values) : 'Any'}]`;
    }
  }
}

/**
 * One dictionary type for object schemas with different fields: its values have any of the types that the
 * fields have.
 */
function mapOf(objects: readonly Schema[], inner: (part: Schema) => string): string {
  const values = new Set(objects.flatMap(({ properties }) => Object.values(properties!).map(inner)));
  return `Dict[str, ${unionOf([...values])}]`;
}

function unionOf(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.length === 0) return 'Any';
  return distinct.length === 1 ? distinct[0]! : `Union[${distinct.join(', ')}]`;
}

function optionalOf(type: string): string {
  return type.startsWith('Optional[') || type === 'Any' ? type : `Optional[${type}]`;
}

function literalOf(values: readonly unknown[]): string {
  const texts = values.map((value) => {
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    return JSON.stringify(value);
  });
  return `Literal[${texts.join(', ')}]`;
}

/** The text of _async/operations.py, from which the blocking version is made. */
export function pythonOperations({ paths, components }: Document): string {
  const taken = new Set<string>();
  const methods = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const name = snake(operation.operationId);
      // Some tools have the name of a REST operation. The method of the tool then ends in `_tool`.
      const free = taken.has(name) ? `${name}_tool` : name;
      taken.add(free);
      return methodText({ path, method, name: free }, operation, components.schemas);
    }),
  );
  return `"""One method for each operation, ${HEAD}."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, Union, cast
from urllib.parse import quote

from .. import types


class AsyncOperations:
    """The operations of the API. Arguments that are None are not sent."""

    async def call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        raise NotImplementedError
${methods.join('')}`;
}

function methodText(
  { path, method, name }: { readonly path: string; readonly method: string; readonly name: string },
  operation: Operation,
  schemas: Document['components']['schemas'],
): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const sentBody = requestBody?.content?.['application/json']?.schema;
  const body = sentBody?.$ref === undefined ? sentBody : schemas[sentBody.$ref.split('/').at(-1)!];
  const fields = Object.entries(body?.properties ?? {});
  const required = new Set(body?.required ?? []);
  const typeOf = (schema: Schema): string =>
    qualified(typeExpression(schema, () => 'Dict[str, Any]')).replaceAll(/\bList\[/g, 'Sequence[');
  const signature = [
    'self',
    ...inPath.map((parameter) => `${argument(parameter.name)}: ${typeOf(parameter.schema)}`),
    ...(inQuery.length + fields.length === 0 ? [] : ['*']),
    ...inQuery.map((one) => option(one.name, typeOf(one.schema), one.required)),
    ...fields.map(([field, schema]) => option(field, typeOf(schema), required.has(field))),
  ];
  const answer = qualified(typeExpression(answerOf(responses)!, () => 'Dict[str, Any]'));
  const target = path.replaceAll(/\{(\w+)\}/g, (_all, part: string) => `{quote(${argument(part)}, safe='')}`);
  const sent = [
    `"${method.toUpperCase()}"`,
    `${target === path ? '' : 'f'}"${target}"`,
    ...(inQuery.length === 0 ? [] : [`query=${dictionary(inQuery.map((one) => one.name))}`]),
    ...(body === undefined ? [] : [`body=${dictionary(fields.map(([field]) => field))}`]),
  ];
  const indent = INDENT.repeat(2);
  return `
${INDENT}async def ${name}(
${indent}${signature.join(`,\n${indent}`)},
${INDENT}) -> ${answer}:
${indent}"""${summary}.

${indent}${description.replaceAll('\\', '\\\\').replaceAll('\n', `\n${indent}`)}
${indent}"""
${indent}answer = await self.call(
${indent}${INDENT}${sent.join(`,\n${indent}${INDENT}`)},
${indent})
${indent}return cast(${JSON.stringify(answer)}, answer)
`.replaceAll(
    /cast\("(.*)", answer\)/g,
    (_all, type: string) => `cast(${type.replaceAll('\\"', '"')}, answer)`,
  );
}

function option(name: string, type: string, isRequired: boolean): string {
  return isRequired ? `${argument(name)}: ${type}` : `${argument(name)}: ${optionalOf(type)} = None`;
}

function dictionary(names: readonly string[]): string {
  return `{${names.map((name) => `"${name}": ${argument(name)}`).join(', ')}}`;
}

/** Puts `types.` before the names of schemas in a type expression, for operations.py. */
function qualified(type: string): string {
  return type
    .split(/("[^"]*")/)
    .map((part) =>
      part.startsWith('"')
        ? part
        : part.replaceAll(
            /\b(?!(?:Any|Dict|List|Literal|Optional|Union|True|False)\b)([A-Z]\w*)/g,
            'types.$1',
          ),
    )
    .join('');
}

function isName(field: string): boolean {
  return /^[A-Za-z_]\w*$/.test(field) && !KEYWORDS.has(field);
}

function argument(name: string): string {
  return KEYWORDS.has(name) ? `${name}_` : name;
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function pascal(field: string): string {
  return field.replaceAll(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

/**
 * Patterns in the asynchronous files, and what replaces them in the blocking ones, in the order of
 * application.
 */
const SYNCHRONOUS: readonly (readonly [RegExp, string])[] = [
  [/AsyncGenerator\[([^\n]+), None\]/g, 'Generator[$1, None, None]'],
  [/Awaitable\[None\]/g, 'None'],
  [/\basync (def|for|with)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\bAsync(\w*)\b/g, '$1'],
  [/__aiter__/g, '__iter__'],
  [/__aenter__/g, '__enter__'],
  [/__aexit__/g, '__exit__'],
  [/\basynccontextmanager\b/g, 'contextmanager'],
  [/\baclosing\b/g, 'closing'],
  [/\baclose\b/g, 'close'],
  [/\baiter_bytes\b/g, 'iter_bytes'],
  [/\basynchronous\b/g, 'blocking'],
];

/** The blocking version of an asynchronous file of the Python client. */
export function synchronous(text: string, path: string): string {
  const changed = SYNCHRONOUS.reduce((before, [word, other]) => before.replaceAll(word, other), text);
  return `# Written by \`bun run docs clients\` from ${path}.\n${changed}`;
}
