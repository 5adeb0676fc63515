// The account: its address and plan, and the actions of its owner on password, address, sessions and the
// account itself.

import { useSignal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import type { AccountAnswer, PasswordChangedAnswer } from '../../../contract/platform.ts';
import { callJson } from '../data/api.ts';
import { countText, dateTimeText, OWN_TIME_ZONE } from '../data/number-words.ts';
import { pageSettings } from '../data/page-settings.ts';
import { setting } from '../data/setting.ts';
import { Fact } from '../parts/plain-table.tsx';
import { AccountAction, CURRENT_PASSWORD_FIELD } from './account-action.tsx';
import { consoleTexts } from './console-texts.ts';
import { NEW_PASSWORD_FIELD } from './entry.tsx';
import { CallForm, ChoiceField, Form } from './form.tsx';
import { TIERS } from './keys-section.tsx';
import { SessionsAction } from './sessions-action.tsx';
import { type Account, account, signedOut } from './state.ts';

type Answer = Static<typeof AccountAnswer>;

export function AccountSection({ who }: { readonly who: Account }) {
  return (
    <section aria-label={consoleTexts.account}>
      <h2>{consoleTexts.account}</h2>
      <dl class="facts">
        <Fact name={consoleTexts.email}>{who.email}</Fact>
        <Fact name={consoleTexts.since}>{dateTimeText(who.created_at, OWN_TIME_ZONE)}</Fact>
        <Fact name={consoleTexts.plan}>{who.plan}</Fact>
      </dl>
      {!who.verified && <p class="pane-note">{consoleTexts.notVerified}</p>}
      <h3>{consoleTexts.plan}</h3>
      {pageSettings.isDevelopment ? <PlanForm who={who} /> : <p class="quiet">{consoleTexts.planFixed}</p>}
      <h3>{consoleTexts.security}</h3>
      <div class="account-actions">
        <PasswordAction />
        <EmailAction />
        <SessionsAction />
        <DeletionAction />
      </div>
    </section>
  );
}

function PlanForm({ who }: { readonly who: Account }) {
  return (
    <>
      <p class="quiet">{consoleTexts.planText}</p>
      <Form
        className="create-form"
        submitText={consoleTexts.setPlan}
        send={async (body) => {
          const answer = await callJson<Answer>('/platform/account/plan', { method: 'POST', body });
          account.value = answer.account;
        }}
      >
        {() => <ChoiceField label={consoleTexts.plan} name="plan" options={TIERS} chosen={who.plan} />}
      </Form>
    </>
  );
}

function PasswordAction() {
  const result = useSignal('');
  return (
    <AccountAction title={consoleTexts.changePassword} result={result.value}>
      <p class="quiet">{consoleTexts.changePasswordText}</p>
      <CallForm<Static<typeof PasswordChangedAnswer>>
        path="/platform/account/password"
        submitText={consoleTexts.changePassword}
        fields={[CURRENT_PASSWORD_FIELD, NEW_PASSWORD_FIELD]}
        done={({ ended_sessions }) => {
          result.value = consoleTexts.passwordChanged(countText(ended_sessions));
        }}
      />
    </AccountAction>
  );
}

function EmailAction() {
  const result = useSignal('');
  const isAsked = useSignal(false);
  return (
    <AccountAction title={consoleTexts.changeEmail} result={result.value}>
      <p class="quiet">{isAsked.value ? consoleTexts.emailCodeText : consoleTexts.changeEmailText}</p>
      {isAsked.value ? (
        <CallForm<Answer>
          key="confirm"
          path="/platform/account/email/confirm"
          submitText={consoleTexts.confirm}
          fields={[{ label: consoleTexts.code, name: 'code', autocomplete: 'one-time-code' }]}
          done={(answer) => {
            account.value = answer.account;
            result.value = consoleTexts.emailChanged(answer.account.email);
          }}
        />
      ) : (
        <CallForm
          key="ask"
          path="/platform/account/email"
          submitText={consoleTexts.changeEmail}
          fields={[
            { label: consoleTexts.newEmail, name: 'new_email', type: 'email', autocomplete: 'email' },
            CURRENT_PASSWORD_FIELD,
          ]}
          done={setting(isAsked, true)}
        />
      )}
    </AccountAction>
  );
}

function DeletionAction() {
  return (
    <AccountAction title={consoleTexts.deleteAccount} result="">
      <p class="quiet">{consoleTexts.deleteAccountText}</p>
      <CallForm
        path="/platform/account/delete"
        submitText={consoleTexts.deleteForGood}
        fields={[CURRENT_PASSWORD_FIELD]}
        done={signedOut}
      />
    </AccountAction>
  );
}
