// Fixtures of the conformance suite that ask the client something (`input_required`, protocol 2026-07-28).

import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';

type Answer = CallToolResult | InputRequiredResult;

/** The signing key of one test process; nothing it signs is used after the run. */
export function createStateCodec(): RequestStateCodec<string> {
  return createRequestStateCodec<string>({ key: 'conformance-fixture-key-of-32-bytes-or-more' });
}

export function registerQuestions(server: McpServer, codec: RequestStateCodec<string>): void {
  function tool(name: string, answer: (context: ServerContext) => Answer | Promise<Answer>): void {
    server.registerTool(name, { description: 'Fixture of the conformance suite' }, answer);
  }

  for (const name of ['test_input_required_result_elicitation', 'test_streaming_elicitation']) {
    tool(name, ({ mcpReq }) => {
      const content = acceptedContent(mcpReq.inputResponses, 'user_name');
      if (typeof content?.name === 'string') return text(`Hello, ${content.name}!`);
      return inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } });
    });
  }

  tool('test_input_required_result_sampling', ({ mcpReq }) => {
    const view = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (view.kind === 'sampling') return text(JSON.stringify(view.result.content));
    return inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?') } });
  });

  tool('test_input_required_result_list_roots', ({ mcpReq }) => {
    const view = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (view.kind === 'roots') return text(view.roots.map(({ uri }) => uri).join(' '));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });

  for (const name of [
    'test_input_required_result_request_state',
    'test_input_required_result_tampered_state',
  ]) {
    tool(name, async ({ mcpReq }) => {
      const isAnswered = acceptedContent(mcpReq.inputResponses, 'confirm') !== undefined;
      if (isAnswered && mcpReq.requestState<string>() === 'asked') return text('state-ok');
      return inputRequired({
        inputRequests: { confirm: confirmation() },
        requestState: await codec.mint('asked'),
      });
    });
  }

  tool('test_input_required_result_multiple_inputs', async ({ mcpReq }) => {
    const kinds = ['user_name', 'greeting', 'client_roots'].map(
      (key) => inputResponse(mcpReq.inputResponses, key).kind,
    );
    if (!kinds.includes('missing')) return text(`Answered: ${kinds.join(', ')}`);
    return inputRequired({
      inputRequests: {
        user_name: ask('What is your name?', 'name'),
        greeting: sample('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await codec.mint('asked'),
    });
  });

  tool('test_input_required_result_multi_round', async ({ mcpReq }) => {
    const round = mcpReq.requestState<string>();
    if (round === 'round-2' && acceptedContent(mcpReq.inputResponses, 'step2') !== undefined) {
      return text('Both steps answered');
    }
    if (round === 'round-1' && acceptedContent(mcpReq.inputResponses, 'step1') !== undefined) {
      return inputRequired({
        inputRequests: { step2: ask('Step 2: What is your favorite color?', 'color') },
        requestState: await codec.mint('round-2'),
      });
    }
    return inputRequired({
      inputRequests: { step1: ask('Step 1: What is your name?', 'name') },
      requestState: await codec.mint('round-1'),
    });
  });

  tool('test_input_required_result_capabilities', ({ mcpReq }) => {
    const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
    const declared = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
    const inputRequests: Record<string, InputRequest> = {};
    if (declared?.sampling !== undefined) inputRequests.question = sample('What is the capital of France?');
    if (declared?.elicitation !== undefined) inputRequests.user_name = ask('What is your name?', 'name');
    return Object.keys(inputRequests).length === 0
      ? text('Nothing to ask')
      : inputRequired({ inputRequests });
  });

  // The question needs a capability that the client may not have declared; the SDK must then refuse.
  tool('test_missing_capability', () =>
    inputRequired({ inputRequests: { question: sample('What is the capital of France?') } }),
  );

  // The 2025 suites expect the following tools to send a request to the client during the call.
  tool('test_sampling', ({ mcpReq }) => {
    const view = inputResponse(mcpReq.inputResponses, 'question');
    if (view.kind === 'sampling') return text(`LLM response: ${JSON.stringify(view.result.content)}`);
    return inputRequired({ inputRequests: { question: sample('Test prompt for sampling') } });
  });
  for (const name of [
    'test_elicitation',
    'test_elicitation_sep1034_defaults',
    'test_elicitation_sep1330_enums',
  ]) {
    tool(name, ({ mcpReq }) => {
      const content = acceptedContent(mcpReq.inputResponses, 'answer');
      if (content !== undefined) return text(`User response: ${JSON.stringify(content)}`);
      return inputRequired({ inputRequests: { answer: ask('Please answer', 'username') } });
    });
  }

  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Fixture of the conformance suite' },
    ({ mcpReq }) => {
      const content = acceptedContent(mcpReq.inputResponses, 'user_context');
      if (content === undefined) {
        const question = ask('What context should the prompt use?', 'context');
        return inputRequired({ inputRequests: { user_context: question } });
      }
      return { messages: [{ role: 'user', content: { type: 'text', text: `Context: ${content.context}` } }] };
    },
  );
}

function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] };
}

function ask(message: string, field: string): InputRequest {
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  });
}

function confirmation(): InputRequest {
  return inputRequired.elicit({
    message: 'Please confirm',
    requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
  });
}

function sample(question: string): InputRequest {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens: 100,
  });
}
