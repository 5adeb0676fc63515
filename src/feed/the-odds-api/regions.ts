// Which regions of The Odds API show which bookmaker (from its documentation), and the cheapest way to
// request a set of them: a region costs as much as ten bookmakers named one by one.

const BOOKMAKERS_BY_REGION: Readonly<Record<string, string>> = {
  eu: 'onexbet sport888 betclic_fr betanysports betfair_ex_eu betonlineag betsson codere_it betvictor coolbet everygame gtbets leovegas_se marathonbet matchbook mybookieag nordicbet pinnacle pmu_fr suprabets tipico_de unibet_fr unibet_it unibet_nl unibet_se williamhill winamax_de winamax_fr',
  uk: 'sport888 betfair_ex_uk betfair_sb_uk betfred_uk betvictor betway boylesports casumo coral grosvenor ladbrokes_uk leovegas livescorebet matchbook paddypower skybet smarkets unibet_uk virginbet williamhill',
  us: 'betonlineag betmgm betrivers betus bovada williamhill_us draftkings fanatics fanduel lowvig mybookieag',
  us2: 'ballybet betanysports betparx espnbet fliff hardrockbet hardrockbet_az hardrockbet_fl hardrockbet_oh rebet',
  us_ex: 'betopenly kalshi novig polymarket prophetx',
  au: 'betfair_ex_au betr_au betright bet365_au dabble_au ladbrokes_au neds playup pointsbetau sportsbet tab tabtouch unibet',
};
const BOOKMAKERS_PER_REGION_PRICE = 10;

export interface BookmakerChoice {
  /** The query parameter and its value. */
  readonly parameter: 'bookmakers' | 'regions';
  readonly value: string;
  /** Credits for each requested market. */
  readonly creditsPerMarket: number;
}

/**
 * The cheapest request for these bookmakers. They are requested by name if that costs no more than regions,
 * because a region also has unwanted bookmakers.
 */
export function chooseBookmakers(bookmakers: readonly string[]): BookmakerChoice {
  const byName = Math.ceil(bookmakers.length / BOOKMAKERS_PER_REGION_PRICE);
  const regions = fewestRegions(bookmakers, byName - 1);
  if (regions === null) {
    return { parameter: 'bookmakers', value: bookmakers.join(','), creditsPerMarket: byName };
  }
  return { parameter: 'regions', value: regions.join(','), creditsPerMarket: regions.length };
}

/** The fewest regions that show all these bookmakers; null when that takes more than `countMax`. */
function fewestRegions(bookmakers: readonly string[], countMax: number): readonly string[] | null {
  const regions = Object.entries(BOOKMAKERS_BY_REGION).map(([key, text]) => ({
    key,
    shows: new Set(text.split(' ')),
  }));
  let best: readonly string[] | null = null;
  for (let chosen = 1; chosen < 1 << regions.length; chosen++) {
    const taken = regions.filter((_, index) => (chosen & (1 << index)) !== 0);
    if (taken.length > countMax || (best !== null && taken.length >= best.length)) continue;
    if (bookmakers.every((key) => taken.some(({ shows }) => shows.has(key))))
      best = taken.map(({ key }) => key);
  }
  return best;
}
