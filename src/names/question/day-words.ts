// Days in other languages than English: "heute Abend", "el domingo", "ce soir".

/** Longer words first. None of them is a word of a club's name; a Spanish weekday needs its article. */
const DAYS: readonly (readonly [string, string])[] = [
  [
    'heute abend|heute nacht|esta noche|ce soir|stasera|stanotte|hoje à noite|hoje a noite|esta noite',
    'tonight',
  ],
  ['mañana por la noche|morgen abend|demain soir|domani sera', 'tomorrow night'],
  ["heute|hoy|aujourd['’]hui|oggi|hoje", 'today'],
  ['(?<!pasado )(?:mañana|manana)|morgen|demain|domani|amanhã|amanha', 'tomorrow'],
  ['gestern|ayer|ieri|ontem', 'yesterday'],
  ['(?:(?:am|dieses) )?wochenende|(?:este )?fin de semana|ce week-?end|fine settimana', 'this weekend'],
  ['(?:am )?montag|(?:el|este) lunes|lundi|lunedì', 'monday'],
  ['(?:am )?dienstag|(?:el|este) martes|mardi|martedì', 'tuesday'],
  ['(?:am )?mittwoch|(?:el|este) mi[eé]rcoles|mercredi|mercoledì', 'wednesday'],
  ['(?:am )?donnerstag|(?:el|este) jueves|jeudi|giovedì', 'thursday'],
  ['(?:am )?freitag|(?:el|este) viernes|vendredi|venerdì', 'friday'],
  ['(?:am )?samstag|(?:am )?sonnabend|(?:el|este) s[aá]bado|samedi|sabato', 'saturday'],
  ['(?:am )?sonntag|(?:el|este) domingo|dimanche|domenica', 'sunday'],
];
const PATTERNS = DAYS.map(
  ([words, english]) =>
    [new RegExp(`(?<![\\p{L}\\d-])(?:${words})(?![\\p{L}\\d-])`, 'giu'), english] as const,
);
const ANY = new RegExp(DAYS.map(([words]) => words).join('|'), 'iu');

/** The text with such days in English. */
export function withEnglishDays(text: string): string {
  if (!ANY.test(text)) return text;
  return PATTERNS.reduce((rest, [pattern, english]) => rest.replace(pattern, english), text);
}
