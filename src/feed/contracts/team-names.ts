// Full names of American teams. Both venues shorten them: Kalshi to the city with an initial where a city has
// two teams ("Los Angeles L"), Polymarket to the nickname ("Lakers"). A short name alone may be another team
// of another league, so each league has a list of its own. The names are spelled as The Odds API spells them.

const NBA = (
  'Atlanta Hawks|Boston Celtics|Brooklyn Nets|Charlotte Hornets|Chicago Bulls|Cleveland Cavaliers' +
  '|Dallas Mavericks|Denver Nuggets|Detroit Pistons|Golden State Warriors|Houston Rockets' +
  '|Indiana Pacers|Los Angeles Clippers|Los Angeles Lakers|Memphis Grizzlies|Miami Heat' +
  '|Milwaukee Bucks|Minnesota Timberwolves|New Orleans Pelicans|New York Knicks|Oklahoma City Thunder' +
  '|Orlando Magic|Philadelphia 76ers|Phoenix Suns|Portland Trail Blazers|Sacramento Kings' +
  '|San Antonio Spurs|Toronto Raptors|Utah Jazz|Washington Wizards'
).split('|');

const WNBA = (
  'Atlanta Dream|Chicago Sky|Connecticut Sun|Dallas Wings|Golden State Valkyries|Indiana Fever' +
  '|Las Vegas Aces|Los Angeles Sparks|Minnesota Lynx|New York Liberty|Phoenix Mercury|Portland Fire' +
  '|Seattle Storm|Toronto Tempo|Washington Mystics'
).split('|');

const MLS = (
  'Atlanta United FC|Austin FC|Charlotte FC|Chicago Fire|Colorado Rapids|Columbus Crew SC|D.C. United' +
  '|FC Cincinnati|FC Dallas|Houston Dynamo|Inter Miami CF|LA Galaxy|Los Angeles FC' +
  '|Minnesota United FC|CF Montreal|Nashville SC|New England Revolution|New York City FC' +
  '|New York Red Bulls|Orlando City SC|Philadelphia Union|Portland Timbers|Real Salt Lake' +
  '|San Diego FC|San Jose Earthquakes|Seattle Sounders FC|Sporting Kansas City|St. Louis City SC' +
  '|Toronto FC|Vancouver Whitecaps FC'
).split('|');

/** Short names that neither begin nor end the full name. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'DC United': 'D.C. United',
  'Los Angeles G': 'LA Galaxy',
  Miami: 'Inter Miami CF',
};

const TEAMS: Readonly<Record<string, readonly string[]>> = { nba: NBA, wnba: WNBA, mls: MLS };

/**
 * The full name of a team in a league. The name itself if the league has no list, or if not exactly one team
 * of the list fits.
 */
export function fullTeamName(leagueCode: string, name: string): string {
  const teams = TEAMS[leagueCode];
  if (teams === undefined || teams.includes(name)) return name;
  const other = OTHER_NAMES[name];
  if (other !== undefined && teams.includes(other)) return other;
  const found = teams.filter((team) => team.startsWith(name) || team.endsWith(` ${name}`));
  return found.length === 1 ? found[0]! : name;
}
