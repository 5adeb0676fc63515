// Tells a webhook of every value bet as it opens: one POST with the signal and the match, such as chat programs and automations
// take. Settings: OVERROUND_URL, OVERROUND_API_KEY (standard tier or above), WEBHOOK_URL, MIN_EDGE_PCT (2).
// In a program of your own the first line says '@overround/client'.

import { createClient, type Event, type Signal } from '../clients/typescript/src/index.ts';

const {
  OVERROUND_URL = 'http://127.0.0.1:3000',
  OVERROUND_API_KEY,
  WEBHOOK_URL,
  MIN_EDGE_PCT = '2',
} = process.env;
if (!WEBHOOK_URL) throw new Error('Set WEBHOOK_URL to the address that is to be told');

const TRIES = 3;
const TRY_MS = 5_000;

const client = createClient({ url: OVERROUND_URL, key: OVERROUND_API_KEY });
const mirror = client.mirror({
  signals: ['value'],
  min_edge_pct: Number(MIN_EDGE_PCT),
  onState: (state, error) => console.error(state, error?.message ?? ''),
});

// A webhook that is slow holds up nothing: what opens and closes meanwhile is not told, and the loop goes on with what is open.
for await (const { signals } of mirror) {
  for (const signal of signals) {
    const match = mirror.get(signal.event_id);
    if (signal.change === 'opened' && match !== undefined) await tell(WEBHOOK_URL, signal, match.event);
  }
}

/** POSTs one value bet, up to three times; then says that it could not. */
async function tell(url: string, signal: Signal, event: Event): Promise<void> {
  const bet = signal.value_bet!;
  const match = `${event.home_team.name} v ${event.away_team.name}`;
  const line = bet.line === null ? '' : ` ${bet.line}`;
  const body = JSON.stringify({
    id: signal.id,
    text: `${match}: ${bet.outcome}${line} at ${bet.bookmaker} ${bet.price}, fair ${bet.fair_price}, edge ${bet.edge_pct}%`,
    opened_at: signal.opened_at,
    match,
    value_bet: bet,
  });
  for (let tries = 1; tries <= TRIES; tries++) {
    try {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(TRY_MS),
      });
      if (response.ok) return;
      console.error(`The webhook answered ${response.status} (${tries} of ${TRIES})`);
    } catch (error) {
      console.error(`Cannot reach the webhook: ${error} (${tries} of ${TRIES})`);
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000 * 2 ** tries));
  }
}
