// When several fixtures fit a query, asks the user which one is meant, through the client. If the client
// supports elicitation, it repeats the call with the user's choice and gets the answer. Any other client gets
// the question as part of the answer. No state is kept between the two calls: the second call runs the tool
// again and checks the choice against the fixtures that fit then.

import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isObject } from '../parse-json.ts';
import { namesMarket } from '../tools/words/market-named.ts';
import type { ServedTool, ToolOutcome } from './served-tool.ts';

/** Key of the question among the input requests of a call. */
const QUESTION = 'fixture';

type Input = Readonly<Record<string, unknown>>;

interface OpenQuestion {
  readonly message: string;
  readonly choices: readonly { readonly id: string; readonly title: string }[];
}

export interface AskedCall {
  readonly tool: ServedTool;
  readonly input: Input;
  readonly server: McpServer;
  readonly context: ServerContext;
  /** Calls a tool on behalf of the same caller. */
  readonly call: (tool: ServedTool, input: Input) => Promise<ToolOutcome>;
  /**
   * Finds the fixtures that fit, for tools whose answers do not list them; undefined when the server has no
   * such tool.
   */
  readonly finder: ServedTool | undefined;
}

/** Returns the outcome of the call, or the question that the user must answer first. */
export async function callOrAsk(asked: AskedCall): Promise<ToolOutcome | InputRequiredResult> {
  const { tool, input, server, context, call } = asked;
  const outcome = await call(tool, input);
  if (!offersForms(server, context)) return outcome;
  const question = await openQuestion(asked, outcome);
  if (question === null) return outcome;
  const response = inputResponse(context.mcpReq.inputResponses, QUESTION);
  if (response.kind !== 'elicit') return ask(question);
  const { action, content } = response;
  const chosen = question.choices.find(({ id }) => action === 'accept' && id === content?.event_id);
  return chosen === undefined ? outcome : await call(tool, withChosen(tool, input, chosen.id));
}

/** The question in an outcome that several fixtures fit; null for any other outcome. */
async function openQuestion(
  { tool, input, call, finder }: AskedCall,
  outcome: ToolOutcome,
): Promise<OpenQuestion | null> {
  if (outcome.kind === 'result') return questionOf(outcome.value);
  const { query, sport, date } = input;
  if (finder === undefined || !takesId(tool) || typeof query !== 'string' || 'event_id' in input) return null;
  const found = await call(finder, { query, sport, date });
  return found.kind === 'result' ? questionOf(found.value) : null;
}

function questionOf({ status, alternatives, decision }: Input): OpenQuestion | null {
  if (status !== 'ambiguous' || !Array.isArray(alternatives) || alternatives.length === 0) return null;
  const choices = alternatives.flatMap((alternative: unknown, index) =>
    isObject(alternative) && typeof alternative.event_id === 'string'
      ? [{ id: alternative.event_id, title: `${index + 1}. ${alternative.label}` }]
      : [],
  );
  const message = isObject(decision) && typeof decision.ask_user === 'string' ? decision.ask_user : null;
  return { message: message ?? 'Which match do you mean?', choices };
}

function ask({ message, choices }: OpenQuestion): InputRequiredResult {
  const options = choices.map(({ id, title }) => ({ const: id, title }));
  const match = { type: 'string' as const, title: 'Match', oneOf: options };
  const requestedSchema = {
    type: 'object' as const,
    properties: { event_id: match },
    required: ['event_id'],
  };
  return inputRequired({ inputRequests: { [QUESTION]: inputRequired.elicit({ message, requestedSchema }) } });
}

/**
 * The same arguments with the chosen fixture. Sport and date are dropped, because the id already decides.
 * Words for a market stay, because they say which market is meant.
 */
function withChosen(tool: ServedTool, input: Input, id: string): Input {
  const { query, sport: _sport, date: _date, ...rest } = input;
  if (typeof query === 'string' && namesMarket(query)) return { ...rest, query: `${id} ${query}` };
  return takesId(tool) ? { ...rest, event_id: id } : { ...rest, query: id };
}

function takesId({ inputSchema }: ServedTool): boolean {
  return isObject(inputSchema.properties) && 'event_id' in inputSchema.properties;
}

/**
 * Whether the client can show forms. Clients of the newer protocol declare it in each request. Older clients
 * declare it once per connection, which stateless HTTP does not have, so they are not asked. Elicitation
 * without a mode means forms.
 */
function offersForms(server: McpServer, { mcpReq }: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const declared =
    (envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ??
    server.server.getClientCapabilities();
  const offered = declared?.elicitation;
  return isObject(offered) && ('form' in offered || Object.keys(offered).length === 0);
}
