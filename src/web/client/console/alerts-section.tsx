// Alert rules: each as a sentence, with its deliveries; and the form that makes one.

import { signal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import { useEffect } from 'preact/hooks';
import type { AlertDeliveriesAnswer } from '../../../contract/alerts/alert-deliveries.ts';
import type { Alert, AlertWithSecret } from '../../../contract/alerts/alert-rules.ts';
import { callJson } from '../data/api.ts';
import { dateTimeText, OWN_TIME_ZONE } from '../data/number-words.ts';
import { setting } from '../data/setting.ts';
import { PlainTable } from '../parts/plain-table.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { draftOf, draftOfAddress, ruleOf } from './alert-fields.ts';
import { AlertForm } from './alert-form.tsx';
import { alertTexts } from './alert-texts.ts';
import { Confirmation } from './confirmation.tsx';
import { consoleTexts } from './console-texts.ts';
import { SecretBox } from './secret-box.tsx';
import { alerts, catchingFailure, loadAlerts } from './state.ts';

type Deliveries = Static<typeof AlertDeliveriesAnswer>['deliveries'];

/** A secret that was just made, until the visitor dismisses it. */
const shownSecret = signal<string | null>(null);
/** The rule that is being changed; null: the form makes a new one. */
const changed = signal<Alert | null>(null);
/**
 * How many rules were made here so far. After each the form is empty, so a second press does not make the
 * rule again.
 */
const madeCount = signal(0);
/** The rule that the visitor wants to delete. */
const removed = signal<Alert | null>(null);
/** The rule whose deliveries are shown. */
const opened = signal<{ readonly id: string; readonly list: Deliveries } | null>(null);

export function AlertsSection() {
  useEffect(() => void loadAlerts(), []);
  const list = alerts.value;
  return (
    <section aria-label={alertTexts.title}>
      <h2>{alertTexts.title}</h2>
      <p class="quiet">{alertTexts.intro}</p>
      <div id="alert-form">
        <RuleForm />
      </div>
      {shownSecret.value !== null && (
        <SecretBox title={alertTexts.secretTitle} secret={shownSecret.value} shown={shownSecret} />
      )}
      {list !== null && list.length === 0 && <p class="quiet">{alertTexts.none}</p>}
      {list !== null && list.length > 0 && (
        <ul class="alert-list">
          {list.map((alert) => (
            <AlertRow key={alert.id} alert={alert} />
          ))}
        </ul>
      )}
      {removed.value !== null && <Removal alert={removed.value} />}
    </section>
  );
}

function Removal({ alert: { id, name, sentence } }: { readonly alert: Alert }) {
  const close = setting(removed, null);
  const remove = async (): Promise<void> => {
    if (changed.value?.id === id) changed.value = null;
    await catchingFailure(async () => {
      await callJson(`/platform/alerts/${id}`, { method: 'DELETE' });
      await loadAlerts();
    });
  };
  return (
    <Confirmation
      title={alertTexts.removeTitle}
      text={alertTexts.removeText}
      action={alertTexts.remove}
      act={remove}
      close={close}
    >
      <strong>{name}</strong>
      <br />
      {sentence}
    </Confirmation>
  );
}

/** Makes a rule, or changes the one that the visitor chose. */
function RuleForm() {
  const rule = changed.value;
  if (rule === null) {
    return (
      <>
        <h3>{alertTexts.newRule}</h3>
        <AlertForm
          key={`new ${madeCount.value}`}
          draft={draftOfAddress(location.search)}
          submitText={alertTexts.create}
          send={async (values) => {
            const body = ruleOf(values);
            const made = await callJson<AlertWithSecret>('/platform/alerts', { method: 'POST', body });
            shownSecret.value = made.secret;
            // The fields of a link are used up. Without them in the address, a reload does not fill the form
            // again.
            history.replaceState(null, '', location.pathname + location.hash);
            madeCount.value += 1;
            await loadAlerts();
          }}
        />
      </>
    );
  }
  const end = setting(changed, null);
  return (
    <>
      <h3>{alertTexts.changeRule(rule.name)}</h3>
      <AlertForm
        key={rule.id}
        draft={draftOf(rule)}
        submitText={alertTexts.save}
        send={async (values) => {
          await callJson(`/platform/alerts/${rule.id}`, { method: 'PATCH', body: ruleOf(values) });
          end();
          await loadAlerts();
        }}
      />
      <p class="form-actions">
        <button type="button" class="quiet-button" onClick={end}>
          {consoleTexts.cancel}
        </button>
      </p>
    </>
  );
}

function AlertRow({ alert }: { readonly alert: Alert }) {
  const { id, name, sentence, status, note, to } = alert;
  const path = `/platform/alerts/${id}`;
  const isActive = status === 'active';
  const isOpen = opened.value?.id === id;
  const change = (run: () => Promise<unknown>) => () =>
    void catchingFailure(async () => {
      await run();
      await loadAlerts();
    });
  const actions: readonly (readonly [text: string, run: () => void])[] = [
    [alertTexts.test, change(() => sendTest(path, id))],
    [
      alertTexts.change,
      () => {
        changed.value = alert;
        document.querySelector('#alert-form')?.scrollIntoView();
      },
    ],
    [
      isActive ? alertTexts.pause : alertTexts.resume,
      change(() => callJson(path, { method: 'PATCH', body: { status: isActive ? 'paused' : 'active' } })),
    ],
    [isOpen ? alertTexts.hide : alertTexts.deliveries, () => void toggle(path, id)],
    ...(to.format === 'raw' ? [[alertTexts.rotate, change(() => rotate(path))] as const] : []),
    [alertTexts.remove, setting(removed, alert)],
  ];
  return (
    <li class="alert-row">
      <p>
        <strong>{name}</strong> {!isActive && <span class="quiet">{alertTexts.statuses[status]}</span>}
        <br />
        {sentence}
      </p>
      {note !== null && <p class="pane-note">{note}</p>}
      <p class="actions">
        {actions.map(([text, run]) => (
          <button key={text} type="button" class="quiet-button" aria-label={`${text}: ${name}`} onClick={run}>
            {text}
          </button>
        ))}
      </p>
      {isOpen && <DeliveryTable path={path} list={opened.value!.list} />}
    </li>
  );
}

async function sendTest(path: string, id: string): Promise<void> {
  await callJson(`${path}/test`, { method: 'POST' });
  await show(path, id);
}

async function rotate(path: string): Promise<void> {
  shownSecret.value = (await callJson<AlertWithSecret>(`${path}/rotate`, { method: 'POST' })).secret;
}

async function toggle(path: string, id: string): Promise<void> {
  if (opened.value?.id === id) opened.value = null;
  else await catchingFailure(() => show(path, id));
}

/**
 * If one of the shown deliveries is still waiting, the list is loaded again after this pause, up to READS_MAX
 * times.
 */
const READ_AGAIN_MS = 2_000;
const READS_MAX = 10;

async function show(path: string, id: string, readsLeft = READS_MAX): Promise<void> {
  const { deliveries } = await callJson<Static<typeof AlertDeliveriesAnswer>>(`${path}/deliveries`);
  opened.value = { id, list: deliveries };
  if (readsLeft === 0 || !deliveries.some(({ state }) => state === 'waiting')) return;
  setTimeout(() => {
    if (opened.value?.id === id) void catchingFailure(() => show(path, id, readsLeft - 1));
  }, READ_AGAIN_MS);
}

function DeliveryTable({ path, list }: { readonly path: string; readonly list: Deliveries }) {
  if (list.length === 0) return <p class="quiet">{alertTexts.noDeliveries}</p>;
  const id = opened.value!.id;
  const again = (delivery: string) => () =>
    void catchingFailure(async () => {
      await callJson(`${path}/deliveries/${delivery}/resend`, { method: 'POST' });
      await show(path, id);
    });
  return (
    <ScrollRegion label={alertTexts.deliveries}>
      <PlainTable columns={alertTexts.columns}>
        {list.map((delivery) => (
          <tr key={delivery.id}>
            <td>{dateTimeText(delivery.created_at, OWN_TIME_ZONE)}</td>
            <td>{textOf(delivery.body)}</td>
            <td>{alertTexts.states[delivery.state]}</td>
            <td>{delivery.error ?? delivery.status}</td>
            <td>{delivery.answer}</td>
            <td>
              {delivery.state !== 'waiting' && (
                <button type="button" class="quiet-button" onClick={again(delivery.id)}>
                  {alertTexts.resend}
                </button>
              )}
            </td>
          </tr>
        ))}
      </PlainTable>
    </ScrollRegion>
  );
}

function textOf(body: string): string {
  const { data } = JSON.parse(body) as {
    readonly data: { readonly items: readonly { readonly text: string }[] };
  };
  return data.items.map(({ text }) => text).join(' ');
}
