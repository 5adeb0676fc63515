// Log in, sign up, and the code of the mail between them.

import { signal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import type { LoginAnswer } from '../../../contract/platform.ts';
import { callJson } from '../data/api.ts';
import { pageSettings } from '../data/page-settings.ts';
import { texts } from '../texts.ts';
import { Field, Form } from './form.tsx';
import { signedIn } from './state.ts';

type Step = 'logIn' | 'signUp' | 'verify';

const step = signal<Step>('logIn');
const email = signal('');
const isVerified = signal(false);

export function Entry() {
  return (
    <section class="entry">
      <h1>{texts.console.title}</h1>
      <p class="quiet">{texts.console.logInText}</p>
      <nav class="tabs" aria-label={texts.console.sectionList}>
        {(['logIn', 'signUp'] as const).map((one) => (
          <button
            key={one}
            type="button"
            class="tab"
            aria-current={step.value === one ? 'page' : undefined}
            onClick={() => {
              step.value = one;
            }}
          >
            {texts.console[one]}
          </button>
        ))}
      </nav>
      {step.value === 'logIn' && <LogIn />}
      {step.value === 'signUp' && <SignUp />}
      {step.value === 'verify' && <Verify />}
    </section>
  );
}

function LogIn() {
  return (
    <>
      {isVerified.value && <p role="status">{texts.console.verified}</p>}
      <Form
        key="logIn"
        submitText={texts.console.logIn}
        send={async (body) => {
          const answer = await callJson<Static<typeof LoginAnswer>>('/platform/login', {
            method: 'POST',
            body,
          });
          signedIn(answer.account);
        }}
      >
        {(error) => (
          <>
            <EmailField error={error('email')} />
            <Field
              label={texts.console.password}
              name="password"
              type="password"
              autocomplete="current-password"
              error={error('password')}
            />
          </>
        )}
      </Form>
    </>
  );
}

function SignUp() {
  return (
    <Form
      key="signUp"
      submitText={texts.console.signUp}
      send={async (body) => {
        await callJson('/platform/signup', { method: 'POST', body });
        email.value = body.email ?? '';
        step.value = 'verify';
      }}
    >
      {(error) => (
        <>
          <EmailField error={error('email')} />
          <Field
            label={texts.console.password}
            name="password"
            type="password"
            autocomplete="new-password"
            hint={texts.console.passwordHint}
            error={error('password')}
          />
          <button
            type="button"
            class="quiet-button"
            onClick={() => {
              step.value = 'verify';
            }}
          >
            {texts.console.haveCode}
          </button>
        </>
      )}
    </Form>
  );
}

function Verify() {
  const isKnown = email.value !== '';
  return (
    <>
      <h2>{texts.console.verifyTitle}</h2>
      {isKnown && <p>{texts.console.codeHint(email.value)}</p>}
      {pageSettings.isDevelopment && <p class="hint">{texts.console.codeHintDevelopment}</p>}
      <Form
        key="verify"
        submitText={texts.console.verify}
        send={async (body) => {
          await callJson('/platform/verify', { method: 'POST', body });
          isVerified.value = true;
          email.value = body.email ?? '';
          step.value = 'logIn';
        }}
      >
        {(error) => (
          <>
            <EmailField error={error('email')} />
            <Field
              label={texts.console.code}
              name="code"
              inputMode="numeric"
              autocomplete="one-time-code"
              error={error('code')}
            />
          </>
        )}
      </Form>
    </>
  );
}

function EmailField({ error }: { readonly error: string | undefined }) {
  return (
    <Field
      label={texts.console.email}
      name="email"
      type="email"
      inputMode="email"
      autocomplete="email"
      value={email.value}
      error={error}
    />
  );
}
