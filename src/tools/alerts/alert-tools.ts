// create_alert and list_alerts: the alert rules of the caller's account. Callers without a key of an account
// do not have these tools.

import { Type } from '@sinclair/typebox';
import {
  Alert,
  AlertWithSecret,
  type AlertWithSecret as AlertWithSecretFields,
  type CreateAlertRequest as CreateAlertFields,
  CreateAlertRequest,
} from '../../contract/alerts/alert-rules.ts';
import { exact } from '../../contract/schema.ts';
import { ALERTS_PER_ACCOUNT_MAX } from '../../limits.ts';
import { defineTool, type Tool, type ToolContext } from '../kit/tool.ts';

/** What the tools call, with the caller's key. @throws ServiceError as the routes under /platform/alerts */
export interface AlertToolCalls {
  /** Creates a rule, or finds the same one. */
  ensure(body: CreateAlertFields, context: ToolContext): Promise<AlertWithSecretFields>;
  list(context: ToolContext): Promise<readonly Alert[]>;
}

const Summary = Type.String({ description: 'The answer in words.' });
const CreatedAlert = exact({ ...AlertWithSecret.properties, summary: Summary }, { title: 'CreatedAlert' });

/** A rule as listed, without its URL, which may hold a secret. The rule's sentence says where it sends. */
const { to: _to, when: _when, where: _where, ...shown } = Alert.properties;
const ListedAlert = exact(shown, { title: 'ListedAlert' });
const ListedAlerts = exact(
  {
    summary: Summary,
    count: Type.Integer({ description: 'Number of rules.' }),
    limit: Type.Integer({ description: 'Maximum number of rules of an account.' }),
    alerts: Type.Array(ListedAlert, { description: 'Oldest first.' }),
  },
  { title: 'ListedAlerts' },
);

export function alertTools({ ensure, list }: AlertToolCalls): readonly Tool[] {
  return [
    defineTool({
      name: 'create_alert',
      title: 'Create an alert rule',
      description:
        'Creates a rule of the caller\'s account that sends a message to a URL of theirs when something happens: `when.kind` says what and takes its own fields only, `where` narrows it, `to` is the endpoint. Ask the user for the URL; never make one up. The same rule again is returned, not made twice; the answer holds the signing secret once. For what is there now use find_value, find_arbitrage, find_middles or list_movers. Example: {"name": "Value", "when": {"kind": "value", "min_edge_pct": 3}, "where": {"in_play": false}, "to": {"url": "https://hooks.example.com/x", "format": "raw"}}.',
      input: CreateAlertRequest,
      output: CreatedAlert,
      account: { changes: true },
      run: async (input, context) => {
        const made = await ensure(input, context);
        const { sentence, id, status } = made.alert;
        return { ...made, summary: `Rule ${id} (${status}): ${sentence}.` };
      },
    }),
    defineTool({
      name: 'list_alerts',
      title: 'List alert rules',
      description:
        "Lists the alert rules of the caller's account as sentences, with their status and why one is not watched. It does not list what was found: use find_value or list_movers for that. Example: {}.",
      input: Type.Object({}),
      output: ListedAlerts,
      account: { changes: false },
      run: async (_input, context) => {
        const alerts = await list(context);
        const rules = alerts.map(({ to: _url, when: _kind, where: _filter, ...alert }) => alert);
        const sentences = rules.map(({ name, sentence, status }) => `${name} (${status}): ${sentence}.`);
        const limit = ALERTS_PER_ACCOUNT_MAX;
        return {
          summary: rules.length === 0 ? 'There are no alert rules yet.' : sentences.join(' '),
          ...{ count: rules.length, limit, alerts: rules },
        };
      },
    }),
  ];
}
