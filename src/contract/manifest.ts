// The manifest of agent tools.

import { Type } from '@sinclair/typebox';
import { exact } from './schema.ts';

const JsonSchemaObject = Type.Record(Type.String(), Type.Unknown(), { description: 'A JSON Schema.' });

export const ToolManifest = exact(
  {
    tools: Type.Array(
      exact(
        {
          name: Type.String({ description: 'Tool name.', examples: ['find_match'] }),
          title: Type.String({ description: 'Short name for people.' }),
          description: Type.String({ description: 'Written for a model that must choose a tool.' }),
          method: Type.Literal('POST', { description: 'How it is called over REST.' }),
          path: Type.String({
            description: 'Where it is called over REST.',
            examples: ['/v1/mcp/find_match'],
          }),
          input_schema: JsonSchemaObject,
          output_schema: JsonSchemaObject,
        },
        { title: 'ToolManifestEntry' },
      ),
    ),
  },
  { title: 'ToolManifest' },
);
