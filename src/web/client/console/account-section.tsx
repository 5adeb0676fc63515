// The account: its address and plan, and the actions of its owner on password, address, sessions and the
// account itself.

import { useSignal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import type { AccountAnswer, PasswordChangedAnswer } from '../../../contract/platform.ts';
import { callJson } from '../data/api.ts';
import { countText, dateTimeText, OWN_TIME_ZONE } from '../data/number-words.ts';
import { pageSettings } from '../data/page-settings.ts';
import { texts } from '../texts.ts';
import { AccountAction, CURRENT_PASSWORD_FIELD } from './account-action.tsx';
import { NEW_PASSWORD_FIELD } from './entry.tsx';
import { CallForm, Form } from './form.tsx';
import { TIERS } from './keys-section.tsx';
import { SessionsAction } from './sessions-action.tsx';
import { type Account, account, signedOut } from './state.ts';

type Answer = Static<typeof AccountAnswer>;

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
      {pageSettings.isDevelopment ? <PlanForm who={who} /> : <p class="quiet">{texts.console.planFixed}</p>}
      <h3>{texts.console.security}</h3>
      <div class="account-actions">
        <PasswordDeed />
        <EmailDeed />
        <SessionsAction />
        <DeletionDeed />
      </div>
    </section>
  );
}

function PlanForm({ who }: { readonly who: Account }) {
  return (
    <>
      <p class="quiet">{texts.console.planText}</p>
      <Form
        className="create-form"
        submitText={texts.console.setPlan}
        send={async (body) => {
          const answer = await callJson<Answer>('/platform/account/plan', { method: 'POST', body });
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
  );
}

function PasswordDeed() {
  const result = useSignal('');
  return (
    <AccountAction title={texts.console.changePassword} result={result.value}>
      <p class="quiet">{texts.console.changePasswordText}</p>
      <CallForm<Static<typeof PasswordChangedAnswer>>
        path="/platform/account/password"
        submitText={texts.console.changePassword}
        fields={[CURRENT_PASSWORD_FIELD, NEW_PASSWORD_FIELD]}
        done={({ ended_sessions }) => {
          result.value = texts.console.passwordChanged(countText(ended_sessions));
        }}
      />
    </AccountAction>
  );
}

function EmailDeed() {
  const result = useSignal('');
  const isAsked = useSignal(false);
  return (
    <AccountAction title={texts.console.changeEmail} result={result.value}>
      <p class="quiet">{isAsked.value ? texts.console.emailCodeText : texts.console.changeEmailText}</p>
      {isAsked.value ? (
        <CallForm<Answer>
          key="confirm"
          path="/platform/account/email/confirm"
          submitText={texts.console.confirm}
          fields={[{ label: texts.console.code, name: 'code', autocomplete: 'one-time-code' }]}
          done={(answer) => {
            account.value = answer.account;
            result.value = texts.console.emailChanged(answer.account.email);
          }}
        />
      ) : (
        <CallForm
          key="ask"
          path="/platform/account/email"
          submitText={texts.console.changeEmail}
          fields={[
            { label: texts.console.newEmail, name: 'new_email', type: 'email', autocomplete: 'email' },
            CURRENT_PASSWORD_FIELD,
          ]}
          done={() => {
            isAsked.value = true;
          }}
        />
      )}
    </AccountAction>
  );
}

function DeletionDeed() {
  return (
    <AccountAction title={texts.console.deleteAccount} result="">
      <p class="quiet">{texts.console.deleteAccountText}</p>
      <CallForm
        path="/platform/account/delete"
        submitText={texts.console.deleteForGood}
        fields={[CURRENT_PASSWORD_FIELD]}
        done={signedOut}
      />
    </AccountAction>
  );
}
