// A call of one tool, without a transport.

import { describe, expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { optional, withDefault } from '../../../src/contract/schema.ts';
import { PeriodSchema } from '../../../src/contract/values.ts';
import { KEYLESS } from '../../../src/domain/tiers.ts';
import { ServiceError, ValidationError } from '../../../src/errors.ts';
import { callTool, compileTool } from '../../../src/tools/kit/call-tool.ts';
import { defineTool, type ToolContext } from '../../../src/tools/kit/tool.ts';
import { failureOf } from '../../support/failure.ts';

const CONTEXT = { principal: KEYLESS, nowMs: 5 };

const echo = defineTool({
  name: 'echo',
  title: 'Echo',
  description: 'Answers with what it was given',
  input: Type.Object({
    query: Type.String({ maxLength: 5 }),
    period: withDefault(PeriodSchema, 'full_time'),
    limit: withDefault(Type.Integer({ minimum: 1, maximum: 200 }), 50),
    sport: optional(Type.String()),
  }),
  output: Type.Object({ given: Type.Unknown(), nowMs: Type.Number() }),
  run: (given, { nowMs }) => ({ given, nowMs }),
});
const compiled = compileTool(echo, { checkOutput: true });

const failureOfEcho = (input: unknown) => failureOf(callTool(compiled, input, CONTEXT));

describe('callTool()', () => {
  test('fills defaults and treats null as not sent', async () => {
    const input = { query: 'a', sport: null, limit: null, other: null };
    expect(await callTool(compiled, input, CONTEXT)).toEqual({
      given: { query: 'a', period: 'full_time', limit: 50 },
      nowMs: 5,
    });
    expect(input.sport).toBeNull();
  });

  test('refuses wrong types, missing fields and ranges with 422', async () => {
    const inputs = [
      ...[undefined, null, [], 'text', {}, { query: null }, { query: 7 }, { query: 'too long' }],
      ...[
        { query: 'a', limit: 0 },
        { query: 'a', limit: 1.5 },
        { query: 'a', period: 3 },
      ],
    ];
    for (const input of inputs) expect(await failureOfEcho(input)).toBeInstanceOf(ValidationError);
    const failure = (await failureOfEcho({ query: 7, limit: 201 })) as ValidationError;
    expect(failure.detail.map(({ loc }) => loc.join('.'))).toEqual(['body.query', 'body.limit']);
  });

  test('refuses a word outside its list with 400 and the list', async () => {
    const failure = await failureOfEcho({ query: 'a', period: 'second_half' });
    expect(failure).toBeInstanceOf(ServiceError);
    expect((failure as ServiceError).fix).toBe('Set period to one of: full_time, half_time');
  });

  test('runs every call in the caller’s turn, and never shares an answer of a tool about an account', async () => {
    const questions: (string | null)[] = [];
    const context: ToolContext = {
      ...CONTEXT,
      inTurn: (question, work) => {
        questions.push(question);
        return work(9);
      },
    };
    const own = compileTool({ ...echo, account: { changes: false } }, { checkOutput: true });
    for (const tool of [compiled, own]) {
      expect(await callTool(tool, { query: 'a' }, context)).toMatchObject({ nowMs: 9 });
    }
    expect(questions).toEqual(['echo {"query":"a","period":"full_time","limit":50}', null]);
  });

  test('ends a call to a tool that never answers', async () => {
    const hang = { ...echo, run: () => new Promise(() => {}) };
    const call = callTool(compileTool(hang, { checkOutput: true, deadlineMs: 5 }), { query: 'a' }, CONTEXT);
    expect(await failureOf(call)).toMatchObject({ code: 'upstream_unavailable', retryAfterSeconds: 1 });
  });

  test('checks answers against their schemas only if this is requested', async () => {
    const lie = { ...echo, run: () => ({ given: 1 }) };
    const input = { query: 'a' };
    await expect(callTool(compileTool(lie, { checkOutput: true }), input, CONTEXT)).rejects.toThrow(
      'Cannot answer echo: its answer does not fit its schema',
    );
    expect(await callTool(compileTool(lie, { checkOutput: false }), input, CONTEXT)).toEqual({ given: 1 });
  });
});

describe('compileTool()', () => {
  test('refuses a default on a field that claims to be required', () => {
    const dishonest = { ...echo, input: Type.Object({ limit: Type.Integer({ default: 3 }) }) };
    expect(() => compileTool(dishonest, { checkOutput: true })).toThrow('echo.limit has a default');
  });
});
