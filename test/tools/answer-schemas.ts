// The manifest as callers read it, and each tool's output schema as an Ajv validator, which shares no code
// with the server.

import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export interface ManifestTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly method: string;
  readonly path: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
  readonly output_schema: Readonly<Record<string, unknown>>;
}

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  allErrors: true,
  // Without it, compiling takes less than half as long.
  code: { optimize: false },
});
addFormats.default(ajv);
/** Validators by the text of their schema, for all files that share this module. */
const validators = new Map<string, ValidateFunction>();

export class AnswerSchemas {
  readonly tools: readonly ManifestTool[];

  constructor(tools: readonly ManifestTool[]) {
    this.tools = tools;
  }

  static async of(url: string): Promise<AnswerSchemas> {
    const response = await fetch(`${url}/v1/mcp/tools`);
    return new AnswerSchemas(((await response.json()) as { tools: ManifestTool[] }).tools);
  }

  /** The errors of an answer; empty when there are none. */
  problemsOf(tool: string, answer: unknown): string[] {
    const schema = this.tools.find(({ name }) => name === tool)?.output_schema;
    if (schema === undefined) return [`${tool} is not in the manifest`];
    const validate = validators.getOrInsertComputed(JSON.stringify(schema), () => ajv.compile(schema));
    if (validate(answer)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }
}
