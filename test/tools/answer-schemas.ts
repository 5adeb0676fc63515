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

export class AnswerSchemas {
  readonly tools: readonly ManifestTool[];
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(tools: readonly ManifestTool[]) {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
    addFormats.default(ajv);
    this.tools = tools;
    for (const { name, output_schema } of tools) this.#validators.set(name, ajv.compile(output_schema));
  }

  static async of(url: string): Promise<AnswerSchemas> {
    const response = await fetch(`${url}/v1/mcp/tools`);
    return new AnswerSchemas(((await response.json()) as { tools: ManifestTool[] }).tools);
  }

  /** The errors of an answer; empty when there are none. */
  problemsOf(tool: string, answer: unknown): string[] {
    const validate = this.#validators.get(tool);
    if (validate === undefined) return [`${tool} is not in the manifest`];
    if (validate(answer)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }
}
