// The mail to the owner of rules whose endpoint fails.

import { type Mail, mailOf } from '../../accounts/mailers.ts';
import { FAILURES_MAX } from '../outbox/endpoint-queue.ts';
import type { AlertRule } from '../rules/alert-rule.ts';

export function failingMail(to: string, rules: readonly AlertRule[], publicUrl: string): Mail {
  const names = rules.map(({ name, id }) => `- ${name.replace(/\p{C}+/gu, ' ')} (${id})`);
  return mailOf({ to, subject: 'Your Overround alerts are paused' }, [
    `The endpoint of these rules failed ${FAILURES_MAX} times in a row, so nothing more is sent to it:`,
    '',
    ...names,
    '',
    `Its answers are in the list of deliveries: ${publicUrl}/console. To resume, set a rule to active there.`,
  ]);
}
