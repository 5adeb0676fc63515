// A notice in place of the prices, or above them: what happened and what the page does about it.

import type { ConnectionState } from '../data/connection-state.ts';
import type { Follower } from '../data/follow.ts';
import { countText, instantText } from '../data/number-words.ts';
import { parameter, setParameter } from '../data/view.ts';
import { texts } from '../texts.ts';
import { nowMs } from './ticking.ts';

export interface NoticeProps {
  readonly title: string;
  readonly text: string;
  /** The button below the text. */
  readonly action?: { readonly label: string; readonly run: () => void };
  /** True for one line above the prices, instead of a panel in their place. */
  readonly isStrip?: boolean;
}

export function Notice({ title, text, action, isStrip = false }: NoticeProps) {
  return (
    <section class={isStrip ? 'notice notice-strip' : 'notice'} aria-label={title}>
      <p class="notice-title">{title}</p>
      {text !== '' && <p>{text}</p>}
      {action !== undefined && (
        <button type="button" class="quiet-button" onClick={action.run}>
          {action.label}
        </button>
      )}
    </section>
  );
}

/** Finds the instants in a text of the server. One without milliseconds is an example to write like it. */
const INSTANT = /\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z/g;

type Trouble = Exclude<ConnectionState, 'loading' | 'live' | 'past'>;

/** What is wrong with the connection; empty while it works. */
export function ConnectionNotice({
  follower,
  isStrip,
}: {
  readonly follower: Follower;
  readonly isStrip: boolean;
}) {
  const { state, failure, retryAtMs } = follower.connection.value;
  if (state === 'loading' || state === 'live' || state === 'past') return null;
  const { title, text } = texts.notices[state as Trouble];
  const details = state === 'refused' || state === 'limited' ? [failure?.message, failure?.fix] : [];
  const words = [text, ...details].filter((one) => one !== null && one !== undefined && one !== '');
  return (
    <Notice
      isStrip={isStrip}
      title={title}
      text={[...words.map((one) => one!.replace(/[^.]$/, '$&.')), retryText(state, retryAtMs)]
        .join(' ')
        .replace(INSTANT, (iso) => instantText(Date.parse(iso), parameter('timezone')))
        .trim()}
      {...actionOf(state, follower)}
    />
  );
}

function actionOf(state: Trouble, follower: Follower): Pick<NoticeProps, 'action'> {
  if (state === 'refused' && parameter('at') !== '') {
    return { action: { label: texts.past.now, run: () => setParameter('at', '') } };
  }
  if (state === 'refused' || state === 'polling') return {};
  return { action: { label: texts.retryNow, run: () => follower.retry() } };
}

function retryText(state: ConnectionState, retryAtMs: number | null): string {
  if (retryAtMs === null || state === 'polling' || state === 'refused') return '';
  return texts.retryIn(countText(Math.max(1, Math.ceil((retryAtMs - nowMs.value) / 1_000))));
}
