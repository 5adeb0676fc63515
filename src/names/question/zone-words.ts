// The time zone that a question names: "kick off time in Rome", "napoli roma, New York time".

import { QUERY_CHARS_MAX } from '../../limits.ts';
import { isKnownWord } from '../club-table.ts';
import { foldText } from '../text/fold-text.ts';
import { isQuestionWord } from './question-words.ts';

interface ZoneWords {
  /** The text without the place. */
  readonly rest: string;
  /** An IANA zone, or null if the text names none. */
  readonly timezone: string | null;
}

/** Other places and abbreviations that mean a zone, by the city in the zone's name. */
const PLACES: Readonly<Record<string, string>> = {
  london: 'uk, england, britain, manchester, liverpool',
  rome: 'italy, rom, roma, milan, milano, naples, turin',
  madrid: 'spain, barcelona, seville, valencia',
  berlin: 'germany, deutschland, munich, hamburg, frankfurt',
  paris: 'france, marseille, lyon',
  lisbon: 'portugal, porto, lisboa',
  'new york': 'eastern, et, est, edt, miami, boston, washington, philadelphia, atlanta',
  chicago: 'central, ct, cst, cdt, houston, dallas',
  denver: 'mountain, mt',
  'los angeles': 'pacific, pt, pst, pdt, la, san francisco, seattle, las vegas, california',
  'sao paulo': 'brazil, rio, rio de janeiro',
  kolkata: 'india, ist, delhi, mumbai',
  shanghai: 'china, beijing',
  tokyo: 'japan',
  istanbul: 'turkey',
  sydney: 'melbourne, australia',
};
const WORDS = 'time|kick ?-?off|tip ?-?off|starts?|begins?|hora|uhr(?:zeit)?|heure|anpfiff|ansto(?:ß|ss)';
const PLACE = "[\\p{L}.\\u2019'-]+(?: [\\p{L}.\\u2019'-]+){0,2}";
/** "Kick off in Rome": the place belongs to the time, whichever clubs play there. */
const BESIDE = new RegExp(
  `\\b(?:${WORDS})(?: times?)? (?:in|en|à) (${PLACE}?)(?: time)?(?=\\s*(?:[?!.,;]|$))`,
  'iu',
);
/** "New York time". */
const BEFORE = new RegExp(`(?:\\b(?:in|at) )?(?<![\\p{L}])(${PLACE}) time\\b`, 'giu');
/** "What time do Boca play in Tokyo": a place that is in no club's name. */
const LAST = new RegExp(`\\b(?:${WORDS})\\b.* in (${PLACE})\\s*[?!.]*$`, 'iu');
const HAS_TIME = new RegExp(WORDS, 'i');
let zones: ReadonlyMap<string, string> | null = null;

/**
 * Takes the time zone out of a question that names a team beside it.
 * @param given the zone of the call: if it is Madrid's, "Madrid" in "what time do Barcelona play in Madrid"
 * is a zone
 */
export function takeZone(query: string, given?: string): ZoneWords {
  const text = query.slice(0, QUERY_CHARS_MAX);
  const nothing = { rest: text, timezone: null };
  if (!HAS_TIME.test(text)) return nothing;
  for (const { written, place } of placesIn(text, given)) {
    const timezone = zonesByPlace().get(place);
    if (timezone === undefined) continue;
    const rest = text.replace(written, ' ');
    return namesSomething(rest) ? { rest, timezone } : nothing;
  }
  return nothing;
}

function* placesIn(
  text: string,
  given: string | undefined,
): Generator<{ readonly written: string; readonly place: string }> {
  const beside = BESIDE.exec(text);
  if (beside !== null) yield { written: beside[0], place: foldText(beside[1]!, text.length) };
  for (const [written, words] of text.matchAll(BEFORE)) {
    // In "napoli new york time" the place may be "napoli new york", "new york" or "york"; try each.
    const parts = words!.split(' ');
    for (let from = 0; from < parts.length; from++) {
      const place = parts.slice(from).join(' ');
      const isIn = from === 0 && /^(?:in|at) /i.test(written);
      yield { written: isIn ? written : `${place} time`, place: foldText(place, text.length) };
    }
  }
  const last = LAST.exec(text)?.[1];
  if (last === undefined) return;
  const place = foldText(last, text.length);
  const isGiven = given !== undefined && zonesByPlace().get(place) === given;
  if (isGiven || !place.split(' ').some(isKnownWord)) yield { written: last, place };
}

/** Zones by the last part of their names, "new york", and by the words of PLACES. */
function zonesByPlace(): ReadonlyMap<string, string> {
  if (zones !== null) return zones;
  const found = new Map<string, string>();
  for (const zone of Intl.supportedValuesOf('timeZone'))
    found.set(foldText(zone.split('/').at(-1)!.replaceAll('_', ' '), zone.length), zone);
  for (const [city, places] of Object.entries(PLACES)) {
    const zone = found.get(city);
    if (zone !== undefined) for (const place of places.split(', ')) found.set(place, zone);
  }
  zones = found;
  return found;
}

function namesSomething(text: string): boolean {
  const words = foldText(text, text.length).split(/[^a-z0-9]+/);
  return words.some((word) => word.length > 1 && !isQuestionWord(word));
}
