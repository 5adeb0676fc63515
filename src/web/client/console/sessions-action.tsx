// The account's sessions: which client logged in and when the session was last used. One or all others can be
// ended.

import { signal, useSignal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import type { SessionsAnswer, SessionsEndedAnswer } from '../../../contract/platform.ts';
import { callJson } from '../data/api.ts';
import { countText, dateTimeText, OWN_TIME_ZONE } from '../data/number-words.ts';
import { setting } from '../data/setting.ts';
import { Dialog } from '../parts/dialog.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { AccountAction, CURRENT_PASSWORD_FIELD } from './account-action.tsx';
import { consoleTexts } from './console-texts.ts';
import { CallForm } from './form.tsx';
import { catchingFailure, sessions } from './state.ts';

type Session = Static<typeof SessionsAnswer>['sessions'][number];

/** The session to end, while the password is being asked for. */
const asked = signal<Session | null>(null);

export function SessionsAction() {
  const result = useSignal('');
  const list = sessions.value;
  return (
    <AccountAction title={consoleTexts.sessions} result="" onOpen={() => void loadSessions()}>
      {result.value !== '' && <p role="status">{result.value}</p>}
      {list !== null && <SessionTable list={list} />}
      <p class="quiet">{consoleTexts.endSessionsText}</p>
      <CallForm<Static<typeof SessionsEndedAnswer>>
        path="/platform/sessions/end"
        submitText={consoleTexts.endSessions}
        fields={[CURRENT_PASSWORD_FIELD]}
        done={({ ended_sessions }) => {
          result.value = consoleTexts.sessionsEnded(countText(ended_sessions));
          void loadSessions();
        }}
      />
      {asked.value !== null && (
        <EndDialog
          session={asked.value}
          done={() => {
            result.value = consoleTexts.sessionsEnded(countText(1));
          }}
        />
      )}
    </AccountAction>
  );
}

function SessionTable({ list }: { readonly list: readonly Session[] }) {
  return (
    <ScrollRegion label={consoleTexts.sessions}>
      <PlainTable
        columns={[consoleTexts.client, consoleTexts.loggedIn, consoleTexts.lastUsed]}
        buttons={consoleTexts.actions}
      >
        {list.map((session) => (
          <tr key={session.session_id}>
            <th scope="row">{clientOf(session)}</th>
            <td>{dateTimeText(session.created_at, OWN_TIME_ZONE)}</td>
            <td>{dateTimeText(session.last_used_at, OWN_TIME_ZONE)}</td>
            <td>
              {session.current ? (
                <span class="quiet">{consoleTexts.thisSession}</span>
              ) : (
                <button
                  type="button"
                  class="quiet-button danger"
                  aria-label={consoleTexts.endOf(clientOf(session))}
                  onClick={setting(asked, session)}
                >
                  {consoleTexts.end}
                </button>
              )}
            </td>
          </tr>
        ))}
      </PlainTable>
    </ScrollRegion>
  );
}

interface EndDialogProps {
  readonly session: Session;
  readonly done: () => void;
}

function EndDialog({ session, done }: EndDialogProps) {
  const close = setting(asked, null);
  return (
    <Dialog title={consoleTexts.endTitle(clientOf(session))} onClose={close}>
      <CallForm
        path="/platform/sessions/end"
        body={{ session_id: session.session_id }}
        submitText={consoleTexts.end}
        fields={[CURRENT_PASSWORD_FIELD]}
        done={() => {
          close();
          done();
          void loadSessions();
        }}
      />
    </Dialog>
  );
}

function clientOf({ client }: Session): string {
  return client ?? consoleTexts.unknownClient;
}

function loadSessions(): Promise<void> {
  return catchingFailure(async () => {
    sessions.value = (await callJson<Static<typeof SessionsAnswer>>('/platform/sessions')).sessions;
  });
}
