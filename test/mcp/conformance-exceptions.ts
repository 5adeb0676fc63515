// Scenarios of the official suites that cannot pass or are not used here, each with a reason. The test fails
// when an exception is missing or no longer needed.

import { listOf } from '../support/list-of.ts';

export interface ConformanceException {
  readonly scenario: string;
  readonly reason: string;
}

const ASKS_MID_CALL =
  'The server asks the client in the middle of a call, which 2025 protocols tie to a session. The endpoint is stateless so that any thread or node can answer; no tool asks. In 2026-07-28 the same fixtures pass as input_required results.';
const NEEDS_SESSION =
  'Skips itself without a session id: a stateless endpoint has no session to resume, poll or end.';
const TASKS =
  'The optional tasks extension: every tool answers within the request deadline, so no task is ever created.';

const STATELESS_2025: readonly ConformanceException[] = [
  { scenario: 'tools-call-sampling', reason: ASKS_MID_CALL },
  { scenario: 'tools-call-elicitation', reason: ASKS_MID_CALL },
  { scenario: 'elicitation-sep1034-defaults', reason: ASKS_MID_CALL },
  { scenario: 'elicitation-sep1330-enums', reason: ASKS_MID_CALL },
  { scenario: 'server-sse-multiple-streams', reason: NEEDS_SESSION },
];

export const EXCEPTIONS_RELEASED = STATELESS_2025;

export const EXCEPTIONS_2025_11_25: readonly ConformanceException[] = [
  ...STATELESS_2025,
  { scenario: 'server-sse-polling', reason: NEEDS_SESSION },
  { scenario: 'server-session-lifecycle', reason: NEEDS_SESSION },
];

export const EXCEPTIONS_2026_07_28: readonly ConformanceException[] = [
  { scenario: 'tasks-lifecycle', reason: TASKS },
  { scenario: 'tasks-capability-negotiation', reason: TASKS },
  { scenario: 'tasks-wire-fields', reason: TASKS },
  { scenario: 'tasks-request-state-removal', reason: TASKS },
  { scenario: 'tasks-mrtr-input', reason: TASKS },
  { scenario: 'tasks-request-headers', reason: TASKS },
  { scenario: 'tasks-dispatch-and-envelope', reason: TASKS },
  { scenario: 'tasks-status-notifications', reason: TASKS },
  { scenario: 'tasks-required-task-error', reason: TASKS },
  { scenario: 'tasks-mrtr-composition', reason: TASKS },
];

const NEEDS_FIXTURE =
  'Calls a tool, prompt or resource of the suite by name (test_simple_text and the like), which the server of an operator does not have. The same scenario passes against the production endpoint once those fixtures are added to it.';
const NEEDS_LOGGING =
  'The server sends no log messages to clients, so it does not advertise logging and logging/setLevel does not exist.';
const NEEDS_SUBSCRIPTION =
  'Over HTTP every request stands alone: nothing is pushed, so resources.subscribe is not advertised and the method does not exist. Over stdio it is advertised, and test/mcp/resource-updates.test.ts checks it.';

const FIXTURES_OF_ALL: readonly ConformanceException[] = listOf(`
  completion-complete, tools-call-simple-text, tools-call-image, tools-call-audio
  tools-call-embedded-resource, tools-call-mixed-content, tools-call-error, tools-call-with-progress
  resources-read-text, resources-read-binary, resources-templates-read, prompts-get-simple
  prompts-get-with-args, prompts-get-embedded-resource, prompts-get-with-image
`).map(needsFixture);

/** Exceptions of a server as an operator starts it, without the suites' fixtures. */
export const STARTED_RELEASED: readonly ConformanceException[] = [
  ...EXCEPTIONS_RELEASED,
  ...FIXTURES_OF_ALL,
  needsFixture('tools-call-with-logging'),
  { scenario: 'logging-set-level', reason: NEEDS_LOGGING },
  { scenario: 'resources-subscribe', reason: NEEDS_SUBSCRIPTION },
  { scenario: 'resources-unsubscribe', reason: NEEDS_SUBSCRIPTION },
];

export const STARTED_2026_07_28: readonly ConformanceException[] = [
  ...EXCEPTIONS_2026_07_28,
  ...FIXTURES_OF_ALL,
  ...listOf(`
    server-stateless, input-required-result-basic-elicitation, input-required-result-basic-sampling
    input-required-result-basic-list-roots, input-required-result-request-state
    input-required-result-multiple-input-requests, input-required-result-multi-round
    input-required-result-non-tool-request, input-required-result-result-type
    input-required-result-tampered-state, input-required-result-capability-check, json-schema-2020-12
    http-custom-header-server-validation
  `).map(needsFixture),
];

function needsFixture(scenario: string): ConformanceException {
  return { scenario, reason: NEEDS_FIXTURE };
}
