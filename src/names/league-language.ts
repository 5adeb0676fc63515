// How leagues are named: a country, a level, a sponsor. General knowledge of the game's competitions, one table.

import { foldText } from './fold-text.ts';
import type { NameLanguage, OtherName } from './name-language.ts';
import { type ParsedName, parseLeagueName, splitWords } from './normalise.ts';
import { KIND_AFFIX, KIND_GENERIC, KIND_LITTLE, KIND_PROPER } from './word-kinds.ts';

/** Words of other languages and the adjectives of countries, as the one word they are compared by. */
const FORMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    liga: 'league',
    lig: 'league',
    ligue: 'league',
    ligaen: 'league',
    liiga: 'league',
    copa: 'cup',
    coppa: 'cup',
    coupe: 'cup',
    taca: 'cup',
    pokal: 'cup',
    kupa: 'cup',
    beker: 'cup',
    pohar: 'cup',
    one: '1',
    first: '1',
    primera: '1',
    primeira: '1',
    prima: '1',
    i: '1',
    two: '2',
    second: '2',
    segunda: '2',
    ii: '2',
    three: '3',
    third: '3',
    tercera: '3',
    prem: 'premier',
    premyer: 'premier',
    premjer: 'premier',
    super: 'super',
    english: 'england',
    scottish: 'scotland',
    welsh: 'wales',
    irish: 'ireland',
    spanish: 'spain',
    espana: 'spain',
    italian: 'italy',
    italia: 'italy',
    german: 'germany',
    deutschland: 'germany',
    french: 'france',
    portuguese: 'portugal',
    dutch: 'netherlands',
    holland: 'netherlands',
    nederland: 'netherlands',
    belgian: 'belgium',
    austrian: 'austria',
    swiss: 'switzerland',
    turkish: 'turkey',
    turkiye: 'turkey',
    greek: 'greece',
    cypriot: 'cyprus',
    russian: 'russia',
    ukrainian: 'ukraine',
    polish: 'poland',
    czech: 'czechia',
    slovak: 'slovakia',
    hungarian: 'hungary',
    romanian: 'romania',
    bulgarian: 'bulgaria',
    serbian: 'serbia',
    croatian: 'croatia',
    slovenian: 'slovenia',
    danish: 'denmark',
    swedish: 'sweden',
    norwegian: 'norway',
    finnish: 'finland',
    icelandic: 'iceland',
    israeli: 'israel',
    brazilian: 'brazil',
    brasil: 'brazil',
    argentine: 'argentina',
    argentinian: 'argentina',
    uruguayan: 'uruguay',
    chilean: 'chile',
    colombian: 'colombia',
    peruvian: 'peru',
    ecuadorian: 'ecuador',
    mexican: 'mexico',
    american: 'usa',
    us: 'usa',
    canadian: 'canada',
    japanese: 'japan',
    korean: 'korea',
    chinese: 'china',
    australian: 'australia',
    saudi: 'saudi',
    egyptian: 'egypt',
    moroccan: 'morocco',
    tunisian: 'tunisia',
  }),
);

const COUNTRIES: ReadonlySet<string> = new Set(
  `england scotland wales ireland northern spain italy germany france portugal netherlands belgium austria switzerland turkey greece cyprus
  russia ukraine belarus poland czechia republic slovakia hungary romania bulgaria serbia croatia slovenia bosnia macedonia albania kosovo montenegro
  denmark sweden norway finland iceland faroe estonia latvia lithuania israel georgia armenia azerbaijan kazakhstan uzbekistan
  brazil argentina uruguay paraguay chile colombia peru ecuador bolivia venezuela mexico usa canada costa rica guatemala honduras panama
  japan korea south north china australia new zealand india indonesia thailand vietnam malaysia singapore hong kong iran iraq qatar uae emirates
  saudi arabia egypt morocco tunisia algeria nigeria ghana africa kenya international`
    .trim()
    .split(/\s+/),
);
const SHARED_WORDS: ReadonlySet<string> = new Set(
  'league cup division championship championnat campeonato national nacional 1 2 3 4 5 a b c d e f g h'.split(
    ' ',
  ),
);
const LITTLE: ReadonlySet<string> = new Set(
  'the of de do da del la le les los and y e fc football soccer basketball men mens men s association season'.split(
    ' ',
  ),
);

/** One competition a line; names that countries share ("Premier League") stand alone on none. */
const COMPETITIONS = `
England Premier League | EPL | English Premier League | Barclays Premier League | FA Premier League
England Championship | EFL Championship | Sky Bet Championship | English Championship
England League One | EFL League One | English League 1
England League Two | EFL League Two | English League 2
England National League | Vanarama National League | English Conference
FA Cup | England FA Cup | English FA Cup | Emirates FA Cup
EFL Cup | England League Cup | Carabao Cup | English League Cup
Scotland Premiership | Scottish Premiership | SPL | SPFL | Scottish Premier League
Spain La Liga | La Liga | LaLiga | Spain Primera Division | LaLiga EA Sports | La Liga Santander | Liga BBVA
Spain Segunda Division | La Liga 2 | LaLiga 2 | LaLiga Hypermotion | LaLiga SmartBank
Copa del Rey | Spain Copa del Rey | Spanish Cup
Italy Serie A | Serie A TIM | Lega Serie A | Calcio Serie A
Italy Serie B | Serie B BKT
Coppa Italia | Italy Coppa Italia | Italian Cup
Germany Bundesliga | Germany 1 Bundesliga | German Bundesliga 1
Germany 2 Bundesliga | Germany Bundesliga 2 | 2 Bundesliga | Zweite Bundesliga
DFB Pokal | Germany DFB Pokal | German Cup
Austria Bundesliga | Austrian Football Bundesliga | Austria Tipico Bundesliga | Austria Admiral Bundesliga
France Ligue 1 | Ligue 1 | Ligue 1 Uber Eats | Ligue 1 McDonald's | Championnat de France
France Ligue 2 | Ligue 2 | Ligue 2 BKT
Coupe de France | France Coupe de France | French Cup
Netherlands Eredivisie | Eredivisie | Dutch Eredivisie
Portugal Primeira Liga | Primeira Liga | Liga Portugal | Liga NOS | Liga Betclic
Belgium Pro League | Jupiler Pro League | Belgium First Division A | Belgium Jupiler League
Switzerland Super League | Swiss Superleague | Swiss Super League
Turkey Super Lig | Super Lig | Turkey Super League | Trendyol Super Lig
Greece Super League | Super League Greece | Greek Super League
Russia Premier League | RPL | Russian Premier League
Ukraine Premier League | UPL | Ukrainian Premier League
Denmark Superliga | Denmark Superligaen | Danish Superliga
Norway Eliteserien | Eliteserien | Norway Tippeligaen
Sweden Allsvenskan | Allsvenskan
Finland Veikkausliiga | Veikkausliiga
Poland Ekstraklasa | Ekstraklasa
Brazil Serie A | Brasileirao | Brasileirao Serie A | Brasileiro Serie A | Campeonato Brasileiro | Campeonato Brasileiro Serie A
Brazil Serie B | Brasileirao Serie B | Brasileiro Serie B | Campeonato Brasileiro Serie B
Argentina Primera Division | Argentina Liga Profesional | Liga Profesional Argentina | Argentine Primera
Mexico Liga MX | Liga MX | Mexico Primera Division
USA Major League Soccer | MLS | USA MLS | Major League Soccer
Japan J1 League | J League | J1 League | J1
Korea K League 1 | K League | K League 1 | South Korea K League 1
China Super League | CSL | Chinese Super League
Australia A League | A League | A League Men
Saudi Arabia Pro League | Saudi Pro League | Roshn Saudi League | SPL Saudi
UEFA Champions League | Champions League | UCL
UEFA Europa League | Europa League | UEL
UEFA Europa Conference League | Conference League | UECL | UEFA Conference League
CONMEBOL Copa Libertadores | Copa Libertadores | Libertadores
CONMEBOL Copa Sudamericana | Copa Sudamericana | Sudamericana
FIFA World Cup | World Cup
UEFA Nations League | Nations League
NBA | USA NBA | National Basketball Association
NCAA Basketball | NCAAB | College Basketball | NCAA
EuroLeague | Euroleague Basketball | Turkish Airlines EuroLeague
Spain ACB | Liga ACB | Liga Endesa | ACB
Italy Lega A | Lega Basket Serie A | LBA
`;

const GROUPS: readonly (readonly string[])[] = COMPETITIONS.trim()
  .split('\n')
  .map((line) => line.split(' | '));
const GROUP_BY_KEY: ReadonlyMap<string, number> = keyGroups();

/** Leagues: countries tell less than names, "A" and "2" tell much. */
export const LEAGUE_LANGUAGE: NameLanguage = {
  parse: parseLeagueName,
  kindOf: kindOfLeagueWord,
  formOf,
  kindWeights: [1, 0.6, 1, 0.6, 0.4, 0.05, 0.05],
  nameCoverShare: 0.35,
  otherNames,
};

function formOf(text: string): string {
  return FORMS.get(text) ?? text;
}

function kindOfLeagueWord(text: string): number {
  const form = formOf(text);
  if (SHARED_WORDS.has(form)) return KIND_GENERIC;
  if (LITTLE.has(text) || /^\d+$/.test(text)) return KIND_LITTLE;
  return COUNTRIES.has(form) ? KIND_AFFIX : KIND_PROPER;
}

function otherNames(name: ParsedName): readonly OtherName[] {
  const group = GROUP_BY_KEY.get(keyOf(name.words.map((word) => word.text)));
  return group === undefined ? [] : GROUPS[group]!.map((text) => ({ text, wholeSide: false }));
}

function keyGroups(): Map<string, number> {
  const groups = new Map<string, number>();
  for (let group = 0; group < GROUPS.length; group++) {
    for (const name of GROUPS[group]!)
      groups.set(keyOf(splitWords(foldText(name, 200)).map((word) => word.text)), group);
  }
  return groups;
}

/** The words in any order: "Serie A - Italy" is "Italy Serie A". */
function keyOf(texts: readonly string[]): string {
  return texts.map(formOf).sort().join(' ');
}
