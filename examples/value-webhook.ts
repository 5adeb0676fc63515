// Notifies a webhook of every value bet when it opens: one POST with the signal and the match, in a form that
// chat programs and automation tools accept. Settings: OVERROUND_URL, OVERROUND_API_KEY, WEBHOOK_URL,
// MIN_EDGE_PCT (2). Value needs a sharp bookmaker, so the key must be of the standard tier or above;
// otherwise the program says so and exits. In your own program, import from '@overround/client' in the first
// line.

import { createClient, type Event, type Signal } from '../clients/typescript/src/index.ts';

const {
  OVERROUND_URL = 'http://127.0.0.1:3000',
  OVERROUND_API_KEY,
  WEBHOOK_URL,
  MIN_EDGE_PCT = '2',
} = process.env;
if (!WEBHOOK_URL) end('Set WEBHOOK_URL to the address to notify');

const TRIES = 3;
const TRY_MS = 5_000;

const client = createClient({ url: OVERROUND_URL, key: OVERROUND_API_KEY });
const { bookmakers, note } = await client
  .post('/v1/mcp/list_bookmakers', { body: {} })
  .catch((error: unknown) => end(`Cannot reach ${OVERROUND_URL}: ${error}`));
const seesSharp = bookmakers.some((one) => one.class === 'sharp' && one.covered);
if (!seesSharp) end(`No value bets are possible: ${note} Set OVERROUND_API_KEY`);
const mirror = client.mirror({
  signals: ['value'],
  min_edge_pct: Number(MIN_EDGE_PCT),
  onState: (state, error) => console.error(state, error?.message ?? ''),
});

// A slow webhook delays nothing: bets that open and close while it is busy are not reported, and the loop
// continues with those that are open.
for await (const { signals } of mirror) {
  for (const signal of signals) {
    const match = mirror.get(signal.event_id);
    if (signal.change === 'opened' && match !== undefined) await notify(WEBHOOK_URL, signal, match.event);
  }
}

function end(reason: string): never {
  console.error(reason);
  process.exit(1);
}

/** POSTs one value bet, with up to three tries; if all fail, prints the failure. */
async function notify(url: string, signal: Signal, event: Event): Promise<void> {
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
