// The account's API keys: create, rotate, revoke. A new key is shown once.

import { signal } from '@preact/signals';
import { callJson } from '../data/api.ts';
import { dateTimeText, OWN_TIME_ZONE } from '../data/number-words.ts';
import { pageSettings } from '../data/page-settings.ts';
import { setting } from '../data/setting.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { Confirmation } from './confirmation.tsx';
import { consoleTexts } from './console-texts.ts';
import { ChoiceField, Field, Form, type FormValues } from './form.tsx';
import { SecretBox } from './secret-box.tsx';
import { type ApiKey, account, catchingFailure, type IssuedKey, keys, loadKeys, shownKey } from './state.ts';

/** Lowest tier first. */
export const TIERS = pageSettings.tiers.map(({ key }) => key);

type Question = { readonly kind: 'rotate' | 'revoke'; readonly key: ApiKey };
const question = signal<Question | null>(null);

export function KeysSection() {
  const list = keys.value;
  return (
    <section aria-label={consoleTexts.keys}>
      <h2>{consoleTexts.keys}</h2>
      <CreateForm />
      {shownKey.value !== null && <Secret shown={shownKey.value} />}
      {list !== null && list.length === 0 && <p class="quiet">{consoleTexts.noKeys}</p>}
      {list !== null && list.length > 0 && <KeyTable list={list} />}
      {question.value !== null && <Confirm {...question.value} />}
    </section>
  );
}

function CreateForm() {
  const who = account.value;
  const plan = who === null || who === 'loading' ? 'free' : who.plan;
  const allowed = TIERS.slice(0, TIERS.indexOf(plan) + 1);
  return (
    <Form
      className="create-form"
      submitText={consoleTexts.create}
      send={async (body) => {
        shownKey.value = await callJson<IssuedKey>('/platform/keys', {
          method: 'POST',
          body: newKeyBody(body),
        });
        await loadKeys();
      }}
    >
      {(error) => (
        <>
          <Field label={consoleTexts.label} name="label" error={error('label')} />
          <ChoiceField label={consoleTexts.tier} name="tier" options={allowed} chosen={allowed.at(-1)} />
          <details class="account-action key-limits">
            <summary>{consoleTexts.keyLimits}</summary>
            <Field
              label={consoleTexts.expires}
              name="expires_at"
              type="datetime-local"
              hint={consoleTexts.expiresHint}
              error={error('expires_at')}
            />
            <Field
              label={consoleTexts.addresses}
              name="allowed_addresses"
              hint={consoleTexts.addressesHint}
              error={error('allowed_addresses')}
            />
          </details>
        </>
      )}
    </Form>
  );
}

/**
 * The body of a request for a new key. The expiry is in the visitor's time zone. Empty fields are left out.
 */
function newKeyBody({ label, tier, expires_at = '', allowed_addresses = '' }: FormValues) {
  const addresses = allowed_addresses.split(/[\s,]+/).filter((one) => one !== '');
  return {
    label,
    tier,
    ...(expires_at === '' ? {} : { expires_at: new Date(expires_at).toISOString() }),
    ...(addresses.length === 0 ? {} : { allowed_addresses: addresses }),
  };
}

function Secret({ shown }: { readonly shown: IssuedKey }) {
  const { publicUrl } = pageSettings;
  const curl = `curl -s -H "Authorization: Bearer ${shown.key}" '${publicUrl}/v1/events?status=live&limit=3'`;
  const mcp = JSON.stringify({
    mcpServers: { overround: { url: `${publicUrl}/mcp`, headers: { Authorization: `Bearer ${shown.key}` } } },
  });
  return (
    <SecretBox title={consoleTexts.secretTitle} secret={shown.key} shown={shownKey}>
      <h3>{consoleTexts.curl}</h3>
      <Line text={curl} />
      <h3>{consoleTexts.mcp}</h3>
      <Line text={mcp} />
    </SecretBox>
  );
}

function Line({ text }: { readonly text: string }) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} />
    </>
  );
}

function KeyTable({ list }: { readonly list: readonly ApiKey[] }) {
  return (
    <ScrollRegion label={consoleTexts.keys}>
      <PlainTable
        columns={[
          consoleTexts.label,
          consoleTexts.key,
          consoleTexts.tier,
          consoleTexts.status,
          consoleTexts.created,
          consoleTexts.lastUsed,
          consoleTexts.expires,
        ]}
        buttons={consoleTexts.actions}
      >
        {list.toReversed().map((key) => (
          <KeyRow key={key.key_id} apiKey={key} />
        ))}
      </PlainTable>
    </ScrollRegion>
  );
}

function KeyRow({ apiKey: key }: { readonly apiKey: ApiKey }) {
  const isActive = key.status === 'active';
  const name = labelOf(key);
  const ask = (kind: Question['kind']) => setting(question, { kind, key });
  return (
    <tr class={isActive ? '' : 'is-revoked'}>
      <th scope="row">{key.label === '' ? <span class="quiet">{consoleTexts.unnamed}</span> : key.label}</th>
      <td>
        <code>isk_…{key.last4}</code>
      </td>
      <td>{key.tier}</td>
      <td>{isActive ? consoleTexts.active : consoleTexts.revoked}</td>
      <td>{dateTimeText(key.created_at, OWN_TIME_ZONE)}</td>
      <td>
        {key.last_used_at === null ? consoleTexts.never : dateTimeText(key.last_used_at, OWN_TIME_ZONE)}
      </td>
      <td>
        {key.expires_at === null ? consoleTexts.never : dateTimeText(key.expires_at, OWN_TIME_ZONE)}
        {key.allowed_addresses.length > 0 && (
          <span class="quiet key-addresses">{consoleTexts.onlyFrom(key.allowed_addresses.join(', '))}</span>
        )}
      </td>
      <td>
        {isActive && (
          <span class="actions">
            <button
              type="button"
              class="quiet-button"
              aria-label={consoleTexts.rotateOf(name)}
              onClick={ask('rotate')}
            >
              {consoleTexts.rotate}
            </button>
            <button
              type="button"
              class="quiet-button danger"
              aria-label={consoleTexts.revokeOf(name)}
              onClick={ask('revoke')}
            >
              {consoleTexts.revoke}
            </button>
          </span>
        )}
      </td>
    </tr>
  );
}

export function labelOf({ label, last4 }: Pick<ApiKey, 'label' | 'last4'>): string {
  return label === '' ? `…${last4}` : label;
}

function Confirm({ kind, key }: Question) {
  const isRotation = kind === 'rotate';
  const close = setting(question, null);
  const act = async (): Promise<void> => {
    const path = `/platform/keys/${key.key_id}`;
    await catchingFailure(async () => {
      if (isRotation) shownKey.value = await callJson<IssuedKey>(`${path}/rotate`, { method: 'POST' });
      else await callJson(path, { method: 'DELETE' });
      await loadKeys();
    });
  };
  return (
    <Confirmation
      title={isRotation ? consoleTexts.rotateTitle : consoleTexts.revokeTitle}
      text={isRotation ? consoleTexts.rotateText : consoleTexts.revokeText}
      action={isRotation ? consoleTexts.rotate : consoleTexts.revoke}
      act={act}
      close={close}
    >
      <strong>{labelOf(key)}</strong> <code>isk_…{key.last4}</code>
    </Confirmation>
  );
}
