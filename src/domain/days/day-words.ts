// Words for days in other languages than English ("heute Abend", "ce soir"), and words that mean a day only
// when they are the whole text.

/**
 * Longer words come before shorter ones. No word here is also a word of a club's name. A Spanish weekday
 * counts only with its article.
 */
const DAYS: readonly (readonly [string, string])[] = [
  [
    'heute abend|heute nacht|esta noche|ce soir|stasera|stanotte|hoje à noite|hoje a noite|esta noite|الليلة|הערב|הלילה|απόψε|сегодня вечером|vanavond|bu akşam|bu gece|dziś wieczorem',
    'tonight',
  ],
  ['übermorgen|pasado mañana|pasado manana|après-demain|dopodomani|depois de amanhã', 'day after tomorrow'],
  ['mañana por la noche|morgen abend|demain soir|domani sera', 'tomorrow night'],
  [
    "heute|hoy|aujourd['’]hui|oggi|hoje|اليوم|היום|сегодня|данас|днес|сьогодні|σήμερα|vandaag|bugün|dziś|dzisiaj",
    'today',
  ],
  ['mañana|manana|morgen|demain|domani|amanhã|amanha|غدا|מחר|завтра|сутра|αύριο|yarın|jutro', 'tomorrow'],
  ['gestern abend|gestern nacht|anoche|hier soir|ieri sera|ontem à noite', 'last night'],
  ['gestern|ayer|ieri|ontem|أمس|אתמול|вчера|јуче|вчора|χθες|χτες|gisteren|dün|wczoraj', 'yesterday'],
  [
    '(?:(?:am|dieses) )?wochenende|(?:este )?fin de semana|(?:este )?fim de semana|ce week-?end|fine settimana|(?:dit )?weekeinde|bu hafta sonu|w ten weekend',
    'this weekend',
  ],
  ['(?:am )?montag|(?:el|este) lunes|segunda-feira|lundi|lunedì|maandag', 'monday'],
  ['(?:am )?dienstag|(?:el|este) martes|terça-feira|mardi|martedì|dinsdag', 'tuesday'],
  ['(?:am )?mittwoch|(?:el|este) mi[eé]rcoles|quarta-feira|mercredi|mercoledì|woensdag', 'wednesday'],
  ['(?:am )?donnerstag|(?:el|este) jueves|quinta-feira|jeudi|giovedì|donderdag', 'thursday'],
  ['(?:am )?freitag|(?:el|este) viernes|sexta-feira|vendredi|venerdì|vrijdag', 'friday'],
  [
    '(?:am )?samstag|(?:am )?sonnabend|(?:el|este|neste) s[aá]bado|samedi|sabato|zaterdag|w sobotę|cumartesi|в субботу|(?:το )?σάββατο',
    'saturday',
  ],
  [
    '(?:am )?sonntag|(?:el|este|neste) domingo|dimanche|domenica|zondag|w niedzielę|pazar günü|в воскресенье|(?:την )?κυριακή',
    'sunday',
  ],
];
const PATTERNS = DAYS.map(
  ([words, english]) =>
    [new RegExp(`(?<![\\p{L}\\d-])(?:${words})(?![\\p{L}\\d-])`, 'giu'), english] as const,
);
/** Languages without spaces between words, and Korean, where a particle may follow the word. */
const UNSPACED: readonly (readonly [RegExp, string])[] = [
  [/今晚|今夜|오늘\s?밤/gu, ' tonight '],
  [/今天|今日|오늘/gu, ' today '],
  [/后天|後天|明後日|모레/gu, ' day after tomorrow '],
  [/明天|明日|내일/gu, ' tomorrow '],
  [/昨天|昨日|어제/gu, ' yesterday '],
  [/本周末|这个周末|周末|週末|주말/gu, ' this weekend '],
];
const ANY = new RegExp(
  [...DAYS, ...UNSPACED].map(([words]) => (typeof words === 'string' ? words : words.source)).join('|'),
  'iu',
);

/** Replaces words for days in other languages with English ones. */
export function withEnglishDays(text: string): string {
  if (!ANY.test(text)) return text;
  return [...PATTERNS, ...UNSPACED].reduce(
    (rest, [pattern, english]) => rest.replace(pattern, english),
    text,
  );
}

/**
 * Words that mean a day only when they are the whole text. In a question they may be part of a name ("Sun").
 */
const ALONE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    monday: 'mon lunes segunda lunedi',
    tuesday: 'tue martes terça terca martedi',
    wednesday: 'wed miércoles miercoles quarta mercoledi',
    thursday: 'thu jueves quinta giovedi',
    friday: 'fri viernes sexta venerdi',
    saturday: 'sat sábado sabado',
    sunday: 'sun domingo',
    weekend: 'week-end',
    yesterday: 'hier',
  }).flatMap(([english, words]) => words.split(' ').map((word) => [word, english] as const)),
);

/**
 * Replaces a text that is one of the words in ALONE with the English day, and drops a leading "on", "the" or
 * "for".
 */
export function dayAlone(text: string): string {
  const word = text.trim().replace(/^(?:on|the|for)\s+/i, '');
  return ALONE.get(word.toLowerCase()) ?? word;
}
