// Reads from a Kalshi event's title and ticker which teams play, and on which Eastern date. Pure.

const EASTERN = 'America/New_York';
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const TICKER_DATE = /^(\d\d)([A-Z]{3})(\d\d)/;

/**
 * Both teams in the order of a title: "Vancouver vs Houston", "Indiana vs Chicago: Spread",
 * "Game 5: New York at San Antonio", "Reg Time: Arsenal vs Leeds". Null for any other title.
 */
export function titleTeams(title: string): readonly [string, string] | null {
  const [, first, second] =
    /^(?:[^:]+: )?(.+?) (?:vs\.?|at) ([^:]+?)(?: Winner\?)?(?:: [^:]+)?$/.exec(title) ?? [];
  return first === undefined || second === undefined || first === second ? null : [first, second];
}

/** The date of an event ticker, `KXWNBAGAME-26AUG09GSLA`, as 2026-08-09. Null when it has none. */
export function tickerDate(eventTicker: string): string | null {
  const [, year, month, day] = TICKER_DATE.exec(eventTicker.split('-')[1] ?? '') ?? [];
  const index = MONTHS.indexOf(month ?? '');
  return index < 0 ? null : `20${year}-${String(index + 1).padStart(2, '0')}-${day}`;
}

/** What follows the series in an event ticker: date and team codes, meant to be common to a match. */
export function tickerMatch(eventTicker: string): string {
  return eventTicker.slice(eventTicker.indexOf('-') + 1);
}

/** The codes of both teams at the end of an event ticker, `GSLA` in `KXWNBAGAME-26AUG09GSLA`. */
export function tickerCodes(eventTicker: string): string {
  return tickerMatch(eventTicker)
    .replace(TICKER_DATE, '')
    .replace(/^\d{4}/, '');
}

/** The date of an instant in Eastern time, as 2026-08-09. */
export function easternDate(ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(EASTERN).toPlainDate().toString();
}
