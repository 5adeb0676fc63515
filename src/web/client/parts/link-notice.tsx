// Shows that the view of the start link has ended, and what the visitor can do.

import { apiKey } from '../data/choices.ts';
import { linkView } from '../data/link-ticket.ts';
import { texts } from '../texts.ts';
import { openKeyField } from './key-field.tsx';
import { Notice } from './notice.tsx';

export function LinkNotice() {
  if (linkView.value !== 'over' || apiKey.value !== null) return null;
  const action = { label: texts.key.title, run: openKeyField };
  return <Notice isStrip {...texts.notices.ticketOver} action={action} />;
}
