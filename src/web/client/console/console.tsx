// The console page: sign up, log in, keys, usage, plan.

import { signal } from '@preact/signals';
import { render } from 'preact';
import { recall } from '../data/choices.ts';
import { Bar } from '../parts/bar.tsx';
import { texts } from '../texts.ts';
import { AccountSection } from './account-section.tsx';
import { AlertsSection } from './alerts-section.tsx';
import { consoleTexts, operatorTexts } from './console-texts.ts';
import { Entry, resetCode, takeResetCode } from './entry.tsx';
import { KeysSection } from './keys-section.tsx';
import { type Account, account, isOperator, lastFailure, loadAccount, logOut } from './state.ts';
import { UsageSection } from './usage-section.tsx';

const SECTIONS = ['keys', 'alerts', 'usage', 'account'] as const;
type Section = (typeof SECTIONS)[number];

const section = signal<Section>(sectionOfAddress());
takeResetCode();
addEventListener('hashchange', () => {
  takeResetCode();
  section.value = sectionOfAddress();
});

function sectionOfAddress(): Section {
  return SECTIONS.find((one) => `#${one}` === location.hash) ?? 'keys';
}

function ConsolePage() {
  const who = account.value;
  return (
    <div class="console-page">
      <Bar />
      <main id="content" tabIndex={-1}>
        {lastFailure.value !== null && (
          <p class="pane-note" role="alert">
            {lastFailure.value.message} {lastFailure.value.fix}
          </p>
        )}
        {who === 'loading' && <p class="quiet late">{texts.board.skeleton}</p>}
        {(who === null || resetCode.value !== null) && <Entry />}
        {who !== null && who !== 'loading' && resetCode.value === null && <Shell who={who} />}
      </main>
    </div>
  );
}

function Shell({ who }: { readonly who: Account }) {
  return (
    <>
      <h1>{consoleTexts.title}</h1>
      <p class="quiet console-who">
        {who.email} · {who.plan}{' '}
        <button type="button" class="quiet-button" onClick={() => void logOut()}>
          {consoleTexts.logOut}
        </button>
      </p>
      <div class="shell">
        <nav class="side" aria-label={consoleTexts.sectionList}>
          {SECTIONS.map((one) => (
            <a key={one} href={`#${one}`} aria-current={section.value === one ? 'page' : undefined}>
              {consoleTexts.sections[one]}
            </a>
          ))}
          {isOperator.value && <a href="/console/operator">{operatorTexts.title}</a>}
        </nav>
        <div>
          {section.value === 'keys' && <KeysSection />}
          {section.value === 'alerts' && <AlertsSection />}
          {section.value === 'usage' && <UsageSection />}
          {section.value === 'account' && <AccountSection who={who} />}
        </div>
      </div>
    </>
  );
}

// A visitor who never logged in here has no session, so the server is not asked for one.
if (recall('signed-in') === null) account.value = null;
else void loadAccount();
render(<ConsolePage />, document.body);
