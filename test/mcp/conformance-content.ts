// Fixtures of the conformance suite with fixed content: tools, prompts and resources under the names it
// requires.

import { type McpRequestContext, type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { asListedSchema } from '../../src/mcp/server-factory.ts';

/** A PNG of one red pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A WAV file without samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

/** The suite compares this schema word for word. */
const JSON_SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

export function registerContent(server: McpServer, { era }: McpRequestContext): void {
  // The 2025 scenarios need a server that accepts subscriptions to resources. The endpoint itself sends no
  // notification.
  server.server.registerCapabilities({
    prompts: { listChanged: false },
    resources: { listChanged: false, subscribe: era === 'legacy' },
    completions: {},
    logging: {},
  });
  if (era === 'legacy') {
    server.server.setRequestHandler('resources/subscribe', () => ({}));
    server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  }
  registerTools(server);
  registerPrompts(server);
  registerResources(server);
}

function registerTools(server: McpServer): void {
  const description = 'Fixture of the conformance suite';
  const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
  server.registerTool('test_simple_text', { description }, () => ({
    content: [{ type: 'text', text: 'This is a simple text response for testing.' }],
  }));
  server.registerTool('test_image_content', { description }, () => ({ content: [image] }));
  server.registerTool('test_audio_content', { description }, () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  }));
  server.registerTool('test_embedded_resource', { description }, () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }));
  server.registerTool('test_multiple_content_types', { description }, () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }));
  server.registerTool('test_error_handling', { description }, () => ({
    content: [{ type: 'text', text: 'This tool intentionally returns an error for testing' }],
    isError: true,
  }));
  server.registerTool('test_tool_with_progress', { description }, async (context) => {
    const { progressToken } = context.mcpReq._meta ?? {};
    for (const progress of [0, 50, 100]) {
      if (progressToken === undefined) break;
      await context.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      });
    }
    return { content: [{ type: 'text', text: 'Progress reported' }] };
  });
  for (const name of ['test_tool_with_logging', 'test_logging_tool']) {
    server.registerTool(name, { description }, async (context) => {
      for (const text of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await context.mcpReq.log('info', text);
      }
      return { content: [{ type: 'text', text: 'Logged' }] };
    });
  }
  server.registerTool(
    'json_schema_2020_12_tool',
    { description, inputSchema: asListedSchema(JSON_SCHEMA_2020_12) },
    () => ({ content: [{ type: 'text', text: 'Listed' }] }),
  );
  const mirrored = {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    required: ['region'],
  };
  server.registerTool('test_headers', { description, inputSchema: asListedSchema(mirrored) }, () => ({
    content: [{ type: 'text', text: 'Headers agree' }],
  }));
}

function registerPrompts(server: McpServer): void {
  const description = 'Fixture of the conformance suite';
  const user = <Content>(content: Content) => ({ role: 'user' as const, content });
  const text = (value: string) => user({ type: 'text' as const, text: value });
  server.registerPrompt('test_simple_prompt', { description }, () => ({
    messages: [text('This is a simple prompt for testing.')],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description, argsSchema: textArguments('arg1', 'arg2') },
    (values) => {
      const { arg1, arg2 } = values as { arg1: string; arg2: string };
      return { messages: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] };
    },
  );
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false },
  }));
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description, argsSchema: textArguments('resourceUri') },
    (values) => {
      const { resourceUri: uri } = values as { resourceUri: string };
      const resource = { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
      return {
        messages: [
          user({ type: 'resource' as const, resource }),
          text('Please process the embedded resource above.'),
        ],
      };
    },
  );
  server.registerPrompt('test_prompt_with_image', { description }, () => ({
    messages: [
      user({ type: 'image' as const, data: PNG, mimeType: 'image/png' }),
      text('Please analyze the image above.'),
    ],
  }));
}

function textArguments(...names: readonly string[]): ReturnType<typeof asListedSchema> {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return asListedSchema({ type: 'object', properties, required: names });
}

function registerResources(server: McpServer): void {
  const description = 'Fixture of the conformance suite';
  const staticText = 'test://static-text';
  server.registerResource('static-text', staticText, { description, mimeType: 'text/plain' }, () => ({
    contents: [
      { uri: staticText, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ],
  }));
  const binary = 'test://static-binary';
  server.registerResource('static-binary', binary, { description, mimeType: 'image/png' }, () => ({
    contents: [{ uri: binary, mimeType: 'image/png', blob: PNG }],
  }));
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description, mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  );
}
