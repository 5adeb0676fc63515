// Where the account is logged in: each session with what logged in and when it was last used, to end one or all others.

import { signal, useSignal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import type { SessionsAnswer, SessionsEndedAnswer } from '../../../contract/platform.ts';
import { callJson } from '../data/api.ts';
import { countText, dateTimeText, OWN_TIME_ZONE } from '../data/number-words.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { texts } from '../texts.ts';
import { CURRENT_PASSWORD_FIELD, Deed } from './deed.tsx';
import { CallForm } from './form.tsx';
import { sessions, tellingTrouble } from './state.ts';

type Session = Static<typeof SessionsAnswer>['sessions'][number];

/** The session that is to be ended, while the password is asked for. */
const asked = signal<Session | null>(null);

export function SessionsDeed() {
  const said = useSignal('');
  const list = sessions.value;
  return (
    <Deed title={texts.console.sessions} said="" onOpen={() => void loadSessions()}>
      {said.value !== '' && <p role="status">{said.value}</p>}
      {list !== null && <SessionTable list={list} />}
      <p class="quiet">{texts.console.endSessionsText}</p>
      <CallForm<Static<typeof SessionsEndedAnswer>>
        path="/platform/sessions/end"
        submitText={texts.console.endSessions}
        fields={[CURRENT_PASSWORD_FIELD]}
        done={({ ended_sessions }) => {
          said.value = texts.console.sessionsEnded(countText(ended_sessions));
          void loadSessions();
        }}
      />
      {asked.value !== null && (
        <EndDialog
          session={asked.value}
          done={() => {
            said.value = texts.console.sessionsEnded(countText(1));
          }}
        />
      )}
    </Deed>
  );
}

function SessionTable({ list }: { readonly list: readonly Session[] }) {
  return (
    <ScrollRegion class="table-scroll" label={texts.console.sessions}>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{texts.console.client}</th>
            <th scope="col">{texts.console.loggedIn}</th>
            <th scope="col">{texts.console.lastUsed}</th>
            <th scope="col">
              <span class="visually-hidden">{texts.console.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.map((session) => (
            <tr key={session.session_id}>
              <th scope="row">{clientOf(session)}</th>
              <td>{dateTimeText(session.created_at, OWN_TIME_ZONE)}</td>
              <td>{dateTimeText(session.last_used_at, OWN_TIME_ZONE)}</td>
              <td>
                {session.current ? (
                  <span class="quiet">{texts.console.thisSession}</span>
                ) : (
                  <button
                    type="button"
                    class="quiet-button danger"
                    aria-label={texts.console.endOf(clientOf(session))}
                    onClick={() => {
                      asked.value = session;
                    }}
                  >
                    {texts.console.end}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

interface EndDialogProps {
  readonly session: Session;
  readonly done: () => void;
}

function EndDialog({ session, done }: EndDialogProps) {
  const close = () => {
    asked.value = null;
  };
  return (
    <Dialog title={texts.console.endTitle(clientOf(session))} onClose={close}>
      <CallForm
        path="/platform/sessions/end"
        body={{ session_id: session.session_id }}
        submitText={texts.console.end}
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
  return client ?? texts.console.unknownClient;
}

function loadSessions(): Promise<void> {
  return tellingTrouble(async () => {
    sessions.value = (await callJson<Static<typeof SessionsAnswer>>('/platform/sessions')).sessions;
  });
}
