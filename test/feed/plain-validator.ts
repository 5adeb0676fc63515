// The rules of the protocol page, implemented plainly and independently of the parser: is this message
// well-formed?

const BOOKS = ['crown', 'sbobet', 'macau', 'm8bet', 'pinnacle', 'nova88', 'hkjc'];
const DAY_MS = 86_400_000;
const OPTIONAL_NULL = [undefined, null] as const;

type Wire = Record<string, unknown>;

/** Whether a single message of the protocol is valid. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const wire = value as Wire;
  const { type } = wire;
  if (type === 'hello') {
    return wire.protocol === 1 && isTime(wire.at) && isText(wire.source) && isEpoch(wire.epoch);
  }
  if (!isSeq(wire.seq)) return false;
  if (type === 'snapshot_begin' || type === 'snapshot_end') return true;
  if (!isTime(wire.at)) return false;
  if (type === 'heartbeat') return isOptional(wire.event, isText) && isOptional(wire.bookmakers, areBooks);
  if (!isText(wire.event)) return false;
  if (type === 'remove') return true;
  if (type === 'event') return isEvent(wire);
  if (type === 'state') return isState(wire);
  if (type === 'result') {
    if (!isPair(wire.score) || !isOptional(wire.red_cards, isPair) || !isTime(wire.finished_at)) return false;
    return plainTimeMs(wire.finished_at) - plainTimeMs(wire.at) <= DAY_MS;
  }
  if (type === 'liquidity') return isLiquidity(wire);
  if (type === 'close') return isQuoteKey(wire);
  if (type === 'quote') return isQuoteKey(wire) && isQuote(wire);
  return false;
}

function areBooks(value: unknown): boolean {
  return Array.isArray(value) && value.every((key) => BOOKS.includes(key as string));
}

function isEvent(wire: Wire): boolean {
  const sides = [wire.league, wire.home, wire.away] as { key: unknown; name: unknown }[];
  if (wire.sport !== 'football' && wire.sport !== 'basketball') return false;
  if (!sides.every((side) => typeof side === 'object' && side !== null)) return false;
  if (!sides.every((side) => isText(side.key) && isText(side.name))) return false;
  if (!isOptional(wire.bookmakers, areBooks)) return false;
  return sides[1]!.key !== sides[2]!.key && isOptional(wire.scheduled_at, isTime);
}

function isState(wire: Wire): boolean {
  if (!['scheduled', 'live', 'finished'].includes(wire.status as string)) return false;
  const isClockRight = isOptional(
    wire.clock,
    (clock) =>
      typeof clock === 'string' && new TextEncoder().encode(clock).length <= 32 && isPrintable(clock),
  );
  return isClockRight && isOptional(wire.score, isPair) && isOptional(wire.cards, isPair);
}

function isLiquidity({ bookmaker, currency, rows }: Wire): boolean {
  const isAmount = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 10 ** 12;
  const isRow = (row: unknown): boolean => {
    if (typeof row !== 'object' || row === null) return false;
    const { sizes, matched, ...line } = row as Wire;
    if (!isQuoteKey({ ...line, bookmaker }) || !isOptional(matched, isAmount)) return false;
    return Array.isArray(sizes) && [2, 3].includes(sizes.length) && sizes.every(isAmount);
  };
  if (typeof currency !== 'string' || currency.length !== 3 || currency.replace(/[A-Z]/g, '') !== '')
    return false;
  return BOOKS.includes(bookmaker as string) && Array.isArray(rows) && rows.length <= 64 && rows.every(isRow);
}

function isQuoteKey(wire: Wire): boolean {
  if (!BOOKS.includes(wire.bookmaker as string)) return false;
  if (wire.period !== 'full_time' && wire.period !== 'half_time') return false;
  return isLineOf(wire.market_type, wire.line);
}

function isLineOf(market: unknown, line: unknown): boolean {
  if (market === '1x2') return OPTIONAL_NULL.includes(line as null);
  if (typeof line !== 'number' || ![0, 0.25, 0.5, 0.75].includes(Math.abs(line % 1))) return false;
  if (Math.abs(line) > 1_000) return false;
  return market === 'asian_handicap' || (market === 'totals' && line >= 0);
}

function isQuote(wire: Wire): boolean {
  const counts = wire.market_type === '1x2' ? [2, 3] : [2];
  const isPrices = (value: unknown) =>
    Array.isArray(value) &&
    counts.includes(value.length) &&
    value.every((price) => typeof price === 'number' && price >= 0 && price <= 200_000);
  return (
    (wire.status === 'open' || wire.status === 'suspended') &&
    isPrices(wire.prices) &&
    isOptional(wire.opening, isPrices) &&
    isOptional(wire.opening_line, (line) => isLineOf(wire.market_type, line)) &&
    isOptional(wire.opened_at, isTime)
  );
}

function isOptional(value: unknown, isRight: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || isRight(value);
}

function isEpoch(value: unknown): boolean {
  return isOptional(value, (epoch) => typeof epoch === 'string' || typeof epoch === 'number');
}

function isSeq(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isPair(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    value.every((count) => Number.isInteger(count) && count >= 0 && count <= 9_999)
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length >= 1 && value.length <= 200 && isPrintable(value);
}

function isPrintable(text: string): boolean {
  const isPlain = [...text].every((one) => one.charCodeAt(0) >= 32 && one.charCodeAt(0) !== 127);
  return isPlain && text.isWellFormed();
}

function isTime(value: unknown): boolean {
  return !Number.isNaN(plainTimeMs(value));
}

/**
 * Unix ms of a time of the protocol, NaN for anything else. It uses Temporal, which knows the calendar, but
 * has no hour 24 and accepts a second 60 at any time of day.
 */
export function plainTimeMs(value: unknown): number {
  if (typeof value !== 'string') return Number.NaN;
  const found = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?:(:\d\d)(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.exec(value);
  if (found === null) return Number.NaN;
  const [, day = '', minute = '', second = ':00', fraction = '.0', zone = ''] = found;
  try {
    const ms = instantMs(day, { minute, second, fraction }, zone);
    return ms >= 0 && ms < Date.UTC(10_000, 0) ? ms : Number.NaN;
  } catch {
    return Number.NaN;
  }
}

interface TimeOfDay {
  readonly minute: string;
  readonly second: string;
  readonly fraction: string;
}

/** @throws RangeError for a date that is not in the calendar */
function instantMs(day: string, { minute, second, fraction }: TimeOfDay, zone: string): number {
  if (minute === '24:00' && second === ':00' && Number(fraction) === 0) {
    return DAY_MS + Temporal.Instant.from(`${day}T00:00:00${zone}`).epochMilliseconds;
  }
  const instant = Temporal.Instant.from(`${day}T${minute}${second}${fraction}${zone}`);
  if (second !== ':60') return instant.epochMilliseconds;
  const after = instant.add({ seconds: 1 }).toZonedDateTimeISO('UTC');
  const isMonthOver = after.day === 1 && after.hour === 0 && after.minute === 0;
  return isMonthOver ? after.startOfDay().epochMilliseconds - 1 : Number.NaN;
}
