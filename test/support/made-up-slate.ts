// A made-up recording in which all seven bookmakers quote. It is for cases that no recording of real prices
// has, and for machines without those recordings.

import { BOOKMAKER_KEYS } from '../../src/domain/catalogue.ts';
import { Random } from '../../src/domain/random.ts';
import { eventMessage, type Message, quoteMessage } from './recording-file.ts';

const FIXTURES = 8;
const FIRST_AT = '2026-03-09T06:00:00.000Z';
const LAST_AT = '2026-03-10T11:59:50.000Z';

/**
 * Fixtures before, during and after play. Every bookmaker quotes a 1x2, a total and three handicaps, so the
 * sharp one sometimes has the best price.
 */
export function slateOfAllBooks(): Message[] {
  const random = new Random(7);
  const price = (base: number) => Math.round(100 * base * (0.97 + 0.06 * random.unit())) / 100;
  const messages: Message[] = [];
  for (let index = 0; index < FIXTURES; index++) {
    const key = `fixture-${index}`;
    const hours = String(8 + index).padStart(2, '0');
    const scheduledAt = `2026-03-10T${hours}:30:00.000Z`;
    messages.push(
      eventMessage(
        { key, home: `Home ${index}`, away: `Away ${index}`, league: 'League', scheduledAt },
        FIRST_AT,
      ),
    );
    for (const at of [FIRST_AT, LAST_AT]) {
      for (const bookmaker of BOOKMAKER_KEYS) {
        for (const line of [-0.75, -0.5, 0]) {
          messages.push(quoteMessage(key, { bookmaker, line, prices: [price(1.95), price(1.95)] }, at));
        }
        const quote = { type: 'quote', at, event: key, bookmaker, period: 'full_time', status: 'open' };
        const prices = [price(2.2), price(3.3), price(3.4)];
        messages.push({ ...quote, market_type: '1x2', prices });
        messages.push({ ...quote, market_type: 'totals', line: 2.5, prices: [price(1.95), price(1.95)] });
      }
    }
    if (index > 1 && index < 4) {
      messages.push({
        type: 'state',
        at: LAST_AT,
        event: key,
        status: 'live',
        clock: "2H 60'",
        score: [1, 0],
      });
    }
  }
  return messages.sort((left, right) => String(left.at).localeCompare(String(right.at)));
}
