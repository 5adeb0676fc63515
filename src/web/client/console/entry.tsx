// The forms to log in, sign up, enter the mailed code, and set a new password.

import { signal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { LoginAnswer } from '../../../contract/platform.ts';
import { ApiFailure, callJson } from '../data/api.ts';
import { pageSettings } from '../data/page-settings.ts';
import { setting } from '../data/setting.ts';
import { consoleTexts } from './console-texts.ts';
import { CallForm } from './form.tsx';
import { signedIn } from './state.ts';

type Login = Static<typeof LoginAnswer>;
type Step = 'logIn' | 'signUp' | 'verify' | 'forgot' | 'reset';

const RESET_MARK = '#reset=';

/** The password reset code from a mailed link; null when the address has no such code. */
export const resetCode = signal<string | null>(null);
const step = signal<Step>('logIn');
const email = signal('');
const isVerified = signal(false);
/**
 * The credentials just used to sign up, so that entering the mailed code also logs the visitor in. They are
 * kept in this page's memory only, and dropped when the visitor leaves the code form, whether it succeeded or
 * not.
 */
let signUp: { readonly email: string; readonly password: string } | null = null;

/** Removes the reset code from the address: it is a secret, and browsers keep addresses in their history. */
export function takeResetCode(): void {
  if (!location.hash.startsWith(RESET_MARK)) return;
  resetCode.value = decodeURIComponent(location.hash.slice(RESET_MARK.length));
  step.value = 'reset';
  history.replaceState(null, '', location.pathname);
}

export function Entry() {
  return (
    <section class="entry">
      <h1>{consoleTexts.title}</h1>
      <p class="quiet">{consoleTexts.logInText}</p>
      <nav class="tabs" aria-label={consoleTexts.sectionList}>
        {(['logIn', 'signUp'] as const).map((one) => (
          <button
            key={one}
            type="button"
            class="tab"
            aria-current={step.value === one ? 'page' : undefined}
            onClick={go(one)}
          >
            {consoleTexts[one]}
          </button>
        ))}
      </nav>
      {step.value === 'logIn' && <LogIn />}
      {step.value === 'signUp' && <SignUp />}
      {step.value === 'verify' && <Verify />}
      {step.value === 'forgot' && <Forgot />}
      {step.value === 'reset' && <Reset />}
    </section>
  );
}

function go(next: Step): () => void {
  return setting(step, next);
}

function StepButton({ to, children }: { readonly to: Step; readonly children: ComponentChildren }) {
  return (
    <button type="button" class="quiet-button" onClick={go(to)}>
      {children}
    </button>
  );
}

function LogIn() {
  return (
    <>
      {isVerified.value && <p role="status">{consoleTexts.verified}</p>}
      <CallForm<Login>
        key="logIn"
        path="/platform/login"
        submitText={consoleTexts.logIn}
        fields={[emailField(), { ...PASSWORD_FIELD, name: 'password', autocomplete: 'current-password' }]}
        done={({ account }) => signedIn(account)}
      >
        <StepButton to="forgot">{consoleTexts.forgot}</StepButton>
      </CallForm>
    </>
  );
}

function SignUp() {
  return (
    <CallForm
      key="signUp"
      path="/platform/signup"
      submitText={consoleTexts.signUp}
      fields={[emailField(), { ...NEW_PASSWORD_FIELD, label: consoleTexts.password, name: 'password' }]}
      done={(_answer, values) => {
        email.value = values.email ?? '';
        signUp = { email: email.value, password: values.password ?? '' };
        step.value = 'verify';
      }}
    >
      <StepButton to="verify">{consoleTexts.haveCode}</StepButton>
    </CallForm>
  );
}

function Verify() {
  useEffect(
    () => () => {
      signUp = null;
    },
    [],
  );
  return (
    <>
      <h2>{consoleTexts.verifyTitle}</h2>
      {email.value !== '' && <p>{consoleTexts.codeHint(email.value)}</p>}
      <DevelopmentHint />
      <CallForm
        key="verify"
        path="/platform/verify"
        submitText={consoleTexts.verify}
        fields={[emailField(), { label: consoleTexts.code, name: 'code', autocomplete: 'one-time-code' }]}
        done={async (_answer, values) => {
          isVerified.value = true;
          email.value = values.email ?? '';
          if (signUp === null || signUp.email !== email.value || !(await logInWith(signUp))) {
            step.value = 'logIn';
          }
        }}
      />
    </>
  );
}

/**
 * @returns whether the server accepted the credentials; if not, the visitor uses the log-in form, which shows
 * the error
 */
async function logInWith(credentials: NonNullable<typeof signUp>): Promise<boolean> {
  try {
    const { account } = await callJson<Login>('/platform/login', { method: 'POST', body: credentials });
    step.value = 'logIn';
    signedIn(account);
    return true;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return false;
  }
}

function Forgot() {
  return (
    <>
      <h2>{consoleTexts.resetTitle}</h2>
      <p>{consoleTexts.forgotText}</p>
      <CallForm
        key="forgot"
        path="/platform/password/forgot"
        submitText={consoleTexts.forgotSend}
        fields={[emailField()]}
        done={(_answer, values) => {
          email.value = values.email ?? '';
          step.value = 'reset';
        }}
      />
    </>
  );
}

function Reset() {
  return (
    <>
      <h2>{consoleTexts.resetTitle}</h2>
      {resetCode.value === null && <p>{consoleTexts.resetText(email.value)}</p>}
      {resetCode.value === null && <DevelopmentHint />}
      <CallForm<Login>
        key="reset"
        path="/platform/password/reset"
        submitText={consoleTexts.reset}
        fields={[
          {
            label: consoleTexts.code,
            name: 'code',
            autocomplete: 'one-time-code',
            ...(resetCode.value === null ? {} : { value: resetCode.value }),
          },
          NEW_PASSWORD_FIELD,
        ]}
        done={({ account }) => {
          resetCode.value = null;
          step.value = 'logIn';
          signedIn(account);
        }}
      />
    </>
  );
}

function DevelopmentHint() {
  if (!pageSettings.isDevelopment) return null;
  return <p class="hint">{consoleTexts.codeHintDevelopment}</p>;
}

const PASSWORD_FIELD = { label: consoleTexts.password, type: 'password' } as const;

export const NEW_PASSWORD_FIELD = {
  ...PASSWORD_FIELD,
  label: consoleTexts.newPassword,
  name: 'new_password',
  autocomplete: 'new-password',
  hint: consoleTexts.passwordHint,
} as const;

function emailField() {
  const kind = { type: 'email', inputMode: 'email', autocomplete: 'email' } as const;
  return { label: consoleTexts.email, name: 'email', value: email.value, ...kind };
}
