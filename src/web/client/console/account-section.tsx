// Who the account is, and its plan.

import type { Static } from '@sinclair/typebox';
import type { AccountAnswer } from '../../../contract/platform.ts';
import { callJson } from '../data/api.ts';
import { dateTimeText, OWN_TIME_ZONE } from '../data/number-words.ts';
import { pageSettings } from '../data/page-settings.ts';
import { texts } from '../texts.ts';
import { Form } from './form.tsx';
import { TIERS } from './keys-section.tsx';
import { type Account, account } from './state.ts';

export function AccountSection({ who }: { readonly who: Account }) {
  return (
    <section aria-label={texts.console.account}>
      <h2>{texts.console.account}</h2>
      <dl class="facts">
        <div>
          <dt>{texts.console.email}</dt>
          <dd>{who.email}</dd>
        </div>
        <div>
          <dt>{texts.console.since}</dt>
          <dd>{dateTimeText(who.created_at, OWN_TIME_ZONE)}</dd>
        </div>
        <div>
          <dt>{texts.console.plan}</dt>
          <dd>{who.plan}</dd>
        </div>
      </dl>
      {!who.verified && <p class="pane-note">{texts.console.notVerified}</p>}
      <h3>{texts.console.plan}</h3>
      {pageSettings.isDevelopment ? (
        <>
          <p class="quiet">{texts.console.planText}</p>
          <Form
            className="create-form"
            submitText={texts.console.setPlan}
            send={async (body) => {
              const answer = await callJson<Static<typeof AccountAnswer>>('/platform/account/plan', {
                method: 'POST',
                body,
              });
              account.value = answer.account;
            }}
          >
            {() => (
              <label class="field">
                <span>{texts.console.plan}</span>
                <select name="plan" value={who.plan}>
                  {TIERS.map((tier) => (
                    <option key={tier} value={tier}>
                      {tier}
                    </option>
                  ))}
                </select>
              </label>
            )}
          </Form>
        </>
      ) : (
        <p class="quiet">{texts.console.planFixed}</p>
      )}
    </section>
  );
}
