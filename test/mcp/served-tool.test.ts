// Every tool over MCP, with the SDK's own client: over HTTP against a running service in every protocol era,
// and over stdio with the tools of that service or of an embedded one. MCP answers what REST answers.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { KeyRepository } from '../../src/accounts/keys/key-repository.ts';
import { listedInput } from '../../src/mcp/listed-schema.ts';
import { inToolWords } from '../../src/mcp/tool-words.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import type { JsonSchema } from '../../src/tools/kit/tool.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { until } from '../support/condition.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { PROGRAM_PATH } from '../support/test-program.ts';
import { TOOL_NAMES } from '../support/tool-names.ts';
import { AnswerSchemas } from '../tools/answer-schemas.ts';
import {
  badQuestions,
  goodQuestions,
  NAMED_NOW,
  type NamedIds,
  namedIds,
  namedWires,
} from '../tools/named-slate.ts';
import { type Args, ToolService } from '../tools/tool-service.ts';
import { connect, ERAS, makeClient, textParts } from './serve.ts';
import { REPOSITORY, run } from './subprocess.ts';

const STDIO_TIMEOUT_MS = 120_000;
/** How many questions are enough where other clients send all of them. */
const SOME_QUESTIONS = 12;
/** How a user starts the stdio server from a checkout. */
const MCP_COMMAND = ['run', '--silent', 'mcp'];
/** The program that this command starts after checking the installed packages. */
const MCP_PROGRAM = [PROGRAM_PATH, 'mcp'];

interface Called {
  readonly isError: boolean;
  readonly structured: unknown;
  readonly text: string;
}

let service: ToolService;
let schemas: AnswerSchemas;
let ids: NamedIds;
/**
 * REST's answers by tool and arguments. They stay the same, because the slate and its clock do not change.
 */
const answersOfRest = new Map<string, Awaited<ReturnType<ToolService['ask']>>>();

async function askRest(tool: string, args: Args) {
  const asked = `${tool} ${JSON.stringify(args)}`;
  const known = answersOfRest.get(asked);
  if (known !== undefined) return known;
  const answered = await service.ask('enterprise', tool, args);
  answersOfRest.set(asked, answered);
  if (answered.status === 200) expect([tool, schemas.problemsOf(tool, answered.body)]).toEqual([tool, []]);
  return answered;
}

beforeAll(async () => {
  service = await ToolService.serve(namedWires(), NAMED_NOW);
  schemas = await AnswerSchemas.of(service.url);
  ids = await namedIds(service);
  await service.untilResults(1);
});
afterAll(() => service[Symbol.asyncDispose]());

async function call(client: Client, name: string, args: Readonly<Record<string, unknown>>): Promise<Called> {
  const result = await client.callTool({ name, arguments: { ...args } });
  const content = result.content as readonly { readonly type: string; readonly text?: string }[];
  expect(content.map(({ type }) => type)).toEqual(['text']);
  return {
    isError: result.isError === true,
    structured: result.structuredContent,
    text: content[0]?.text ?? '',
  };
}

async function expectTheManifest(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(schemas.tools.map(({ name }) => name));
  expect(tools).toHaveLength(TOOL_NAMES.length);
  for (const [index, tool] of tools.entries()) {
    const listed = schemas.tools[index]!;
    expect(tool.title).toBe(listed.title);
    expect(tool.description).toBe(listed.description);
    expect<unknown>(tool.inputSchema).toEqual(listedInput(listed.input_schema as JsonSchema));
    expect(tool.outputSchema).toBeUndefined();
    expect(tool.annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
  }
}

async function expectAnswersOfRest(client: Client, questions = goodQuestions(ids)): Promise<void> {
  for (const { tool, args } of questions) {
    const { isError, structured, text: whole } = await call(client, tool, args);
    const { sentence: text, data } = textParts(whole);
    expect([tool, data]).toEqual([tool, structured]);
    const { status, body } = await askRest(tool, args);
    expect([tool, isError, status]).toEqual([tool, false, 200]);
    expect(structured).toEqual(body as Record<string, unknown>);
    const { summary, explanation } = body as { summary?: string; explanation?: string };
    if (summary ?? explanation) expect<unknown>(text).toBe(summary ?? explanation);
    expect(text).toMatch(/^[A-Z\d][^{}[\]]*[.?]$/);
    expect(text).not.toMatch(/undefined|null|structured content/);
    expect(text.length).toBeLessThan(700);
  }
}

/** The first question to each tool. */
function onePerTool<T extends { readonly tool: string }>(questions: readonly T[]): T[] {
  return questions.filter(({ tool }, index) => questions.findIndex((one) => one.tool === tool) === index);
}

async function expectErrorsOfRest(client: Client, questionsMax?: number): Promise<void> {
  for (const { tool, args, status, code } of badQuestions(ids.arsenal).slice(0, questionsMax)) {
    const { isError, structured, text } = await call(client, tool, args);
    const rest = await askRest(tool, args);
    const asked = `${tool} ${JSON.stringify(args)}`;
    expect([asked, isError, structured, rest.status]).toEqual([asked, true, undefined, status]);
    const { error } = JSON.parse(text) as { error: Record<string, unknown> };
    expect([asked, error.code]).toEqual([asked, code]);
    const { error: ofRest } = rest.body as { error?: Record<string, unknown> };
    // REST answers 422 with `{detail}` instead of an envelope, because clients of this API family expect
    // that.
    if (status !== 422) {
      expect(error).toEqual({ ...ofRest!, fix: inToolWords(String(ofRest!.fix)) });
      expect(error.fix).not.toMatch(/\/v1\//);
    }
    expect(String(error.fix).length).toBeGreaterThan(5);
  }
}

for (const { era, mode, protocol } of ERAS) {
  describe(`the running service over HTTP, ${era} client`, () => {
    test('MCP lists all tools as in the manifest, and answers and refuses as REST does', async () => {
      await using client = await connect(`${service.url}/mcp`, mode, await service.keyOf('enterprise'));
      expect(client.getNegotiatedProtocolVersion()).toBe(protocol);
      await expectTheManifest(client);
      // A client that probes uses the protocol of 2026. Another client of that protocol sends all questions,
      // so three are enough here.
      const questionsMax = era === 'probed' ? 3 : undefined;
      await expectAnswersOfRest(client, goodQuestions(ids).slice(0, questionsMax));
      // How a refusal is wrapped depends on the protocol, not on the question.
      await expectErrorsOfRest(client, era === '2025' ? undefined : (questionsMax ?? SOME_QUESTIONS));
    });

    test('MCP does not show the sharp book to a free key, and refuses a free key that names it', async () => {
      await using client = await connect(`${service.url}/mcp`, mode, await service.keyOf('free'));
      const args = { event_id: ids.arsenal };
      const free = await call(client, 'get_match_odds', args);
      expect(free.structured).toEqual(await service.answer('free', 'get_match_odds', args));
      expect(JSON.stringify(free.structured)).not.toContain('pinnacle');
      const named = await call(client, 'get_match_odds', { ...args, bookmakers: ['pinnacle'] });
      expect(JSON.parse(named.text)).toMatchObject({ error: { code: 'forbidden' } });
    });
  });
}

// One protocol version is enough, because stdio reaches the tools in the same way in all of them.
describe('stdio', () => {
  test(
    'with OVERROUND_URL, the stdio server serves the tools of that service with its key',
    async () => {
      const key = await service.keyOf('enterprise');
      const env = { OVERROUND_URL: service.url, OVERROUND_API_KEY: key };
      await using client = await spawn(env, MCP_COMMAND);
      await expectTheManifest(client);
      await expectAnswersOfRest(client, onePerTool(goodQuestions(ids)));
      await expectErrorsOfRest(client, SOME_QUESTIONS);
    },
    STDIO_TIMEOUT_MS,
  );

  test(
    'without OVERROUND_URL, the stdio server serves the same tools from an embedded service, and creates no key',
    async () => {
      using folder = temporaryFolder();
      {
        await using client = await spawn({
          FEED: `replay:${service.recordingPath}`,
          FEED_NOW: NAMED_NOW,
          DATA_DIR: folder.path,
          HISTORY_DAYS: '0',
          PORT: '1',
        });
        await expectTheManifest(client);
        await until('the result is archived', async () => {
          const { structured } = await call(client, 'list_results', {});
          return (structured as { count: number }).count > 0;
        });
        await expectAnswersOfRest(client, goodQuestions(ids).slice(0, SOME_QUESTIONS));
      }
      using database = openDatabase({ path: join(folder.path, DATABASE_NAME), schemas: [], create: false });
      expect(await new KeyRepository(sqliteSql(database)).listAllKeys()).toEqual([]);
    },
    STDIO_TIMEOUT_MS,
  );

  test(
    'if a server answers on PORT, the stdio server serves the tools of that server as its key sees them, and starts no service',
    async () => {
      const { dataDir } = service.running;
      for (const [OVERROUND_API_KEY, seesSharp] of [
        [await service.keyOf('enterprise'), true],
        ['', false],
      ] as const) {
        const PORT = new URL(service.url).port;
        await using client = await spawn({ DATA_DIR: dataDir, PORT, OVERROUND_API_KEY });
        const answer = await call(client, 'get_match_odds', { event_id: ids.arsenal });
        expect(answer.text).toContain(ids.arsenal);
        expect(answer.text.includes('pinnacle')).toBe(seesSharp);
      }
    },
    STDIO_TIMEOUT_MS,
  );

  test(
    'if another server uses the data folder but does not answer on PORT, the stdio server refuses to start, as a second server start does',
    async () => {
      const env = { DATA_DIR: service.running.dataDir, PORT: String(freePort()) };
      const { exitCode, stderr } = await run([process.execPath, ...MCP_PROGRAM], {
        timeoutMs: STDIO_TIMEOUT_MS,
        env,
      });
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('another server (process ')]);
      expect(stderr).toContain('OVERROUND_URL');
    },
    STDIO_TIMEOUT_MS,
  );
});

async function spawn(
  env: Readonly<Record<string, string>>,
  args = MCP_PROGRAM,
): Promise<Client & AsyncDisposable> {
  const client = makeClient('auto');
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args,
      env: { ...env, ...childEnvironment() },
      cwd: REPOSITORY,
      stderr: 'ignore',
    }),
  );
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}
