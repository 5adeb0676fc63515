// The descriptions of tools, by which a model chooses a tool. They are the same in the manifest, the OpenAPI
// document and llms.txt.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { TOOL_NAMES } from '../support/tool-names.ts';
import { AnswerSchemas, type ManifestTool } from './answer-schemas.ts';
import { badQuestions, goodQuestions, NAMED_NOW, namedIds, namedWires } from './named-slate.ts';
import { ToolService } from './tool-service.ts';

const DESCRIPTION_CHARS_MAX = 900;

let service: ToolService;
let tools: readonly ManifestTool[];

beforeAll(async () => {
  service = await ToolService.play(namedWires(), NAMED_NOW);
  tools = (await AnswerSchemas.of(service.url)).tools;
});
afterAll(() => service[Symbol.asyncDispose]());

async function textOf(path: string): Promise<string> {
  const response = await fetch(service.url + path, { headers: await service.headersOf('keyless') });
  expect(response.status).toBe(200);
  return response.text();
}

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

describe('the manifest', () => {
  test('the manifest has every tool once, in the order of the list of tools', () => {
    expect(tools.map((tool) => tool.name)).toEqual([...TOOL_NAMES]);
    for (const { name, method, path } of tools) expect([method, path]).toEqual(['POST', `/v1/mcp/${name}`]);
  });

  test('the manifest has a tool for every file of src/tools/, and a file for every tool', () => {
    const folder = new URL('../../src/tools/', import.meta.url).pathname;
    const files = [...new Bun.Glob('{matches,prices,signals}/*.ts').scanSync(folder)];
    const named = files.map((file) => file.slice(file.indexOf('/') + 1, -3));
    expect(named.map((name) => name.replaceAll('-', '_')).sort()).toEqual([...TOOL_NAMES].sort());
  });

  test('the list of answered questions covers every tool, and nothing else', async () => {
    const ids = await namedIds(service);
    const asked = new Set(goodQuestions(ids).map(({ tool }) => tool));
    expect([...asked].sort()).toEqual([...TOOL_NAMES].sort());
    const refused = badQuestions(ids.arsenal).map(({ tool }) => tool);
    expect(refused.filter((tool) => !TOOL_NAMES.includes(tool))).toEqual([]);
  });

  test('each description states what the tool answers and when another tool is better, and has a valid example', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    addFormats.default(ajv);
    for (const { name, title, description, input_schema } of tools) {
      expect(title.length).toBeGreaterThan(5);
      expect(description.length).toBeLessThan(DESCRIPTION_CHARS_MAX);
      expect(description).toMatch(/^[A-Z].*\.$/);
      const others = TOOL_NAMES.filter((other) => other !== name && description.includes(other));
      expect([name, others.length > 0]).toEqual([name, true]);
      const example = /Example: (\{.*\})\.$/.exec(description);
      expect([name, example === null]).toEqual([name, false]);
      const isValid = ajv.validate(input_schema, JSON.parse(example![1]!));
      expect([name, isValid, ajv.errors]).toEqual([name, true, null]);
    }
  });

  test('every argument has a description, and every name in a description is an argument or a field', () => {
    for (const { name, description, input_schema, output_schema } of tools) {
      const { properties = {} } = input_schema as Schema;
      for (const [argument, schema] of Object.entries(properties)) {
        const isClosedList = 'enum' in schema;
        expect([name, argument, isClosedList || schema.description !== undefined]).toEqual([
          name,
          argument,
          true,
        ]);
      }
      const known = `${JSON.stringify(input_schema)}${JSON.stringify(output_schema)}`;
      for (const [, word] of description.matchAll(/`([a-z_]+)`/g)) {
        expect([name, word, known.includes(`"${word}`)]).toEqual([name, word, true]);
      }
    }
  });
});

test('llms.txt and llms-full.txt contain every tool with its description, and no key', async () => {
  const [short, full] = [await textOf('/llms.txt'), await textOf('/llms-full.txt')];
  for (const { name, description, input_schema, output_schema } of tools) {
    expect(short).toContain(`- ${name}: ${description}`);
    expect(full).toContain(`### ${name}\n\n${description}\n\nInput: ${JSON.stringify(input_schema)}`);
    expect(full).toContain(`Output: ${JSON.stringify(output_schema)}`);
  }
  expect(full.startsWith(short)).toBe(true);
  for (const text of [short, full]) {
    expect(text).toContain('GET /v1/events/{event_id}/odds:'.replace(':', ''));
    expect(text).not.toMatch(/undefined|\[object|\/:\w/);
  }
  expect(short.length).toBeLessThan(20_000);
});

test('the OpenAPI document describes each tool in the same words as the manifest', async () => {
  const document = JSON.parse(await textOf('/openapi.json')) as {
    paths: Record<string, { post?: { description: string; summary: string } }>;
  };
  for (const { path, title, description } of tools) {
    expect(document.paths[path]?.post).toMatchObject({ summary: title, description });
  }
});
