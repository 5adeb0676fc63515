// Basketball leagues and clubs of the simulated slate, strongest first as in football. `points` is the total
// of an average match, `quarterMinutes` is game time. A club that plays in two real competitions is listed in
// one.

import type { LeagueRow } from '../league-table.ts';

export const BASKETBALL_LEAGUES: readonly LeagueRow[] = [
  {
    key: 'aus-nbl',
    name: 'Australia NBL',
    rank: 3,
    hour: 9,
    goals: 182,
    spread: 0.05,
    quarterMinutes: 10,
    teams:
      'Sydney Kings|Melbourne United|Perth Wildcats|Illawarra Hawks|Adelaide 36ers|South East Melbourne Phoenix|Tasmania JackJumpers|New Zealand Breakers|Brisbane Bullets|Cairns Taipans',
  },
  {
    key: 'chn-cba',
    name: 'China CBA',
    rank: 2,
    hour: 11.5,
    goals: 206,
    spread: 0.07,
    quarterMinutes: 12,
    teams:
      'Zhejiang Lions|Liaoning Flying Leopards|Guangdong Southern Tigers|Beijing Ducks|Shanxi Loongs|Shanghai Sharks|Xinjiang Flying Tigers|Shandong Heroes|Zhejiang Golden Bulls|Qingdao Eagles|Beijing Royal Fighters|Guangzhou Loong Lions|Shenzhen Leopards|Jilin Northeast Tigers|Nanjing Monkey Kings|Fujian Sturgeons|Tianjin Pioneers|Jiangsu Dragons|Sichuan Blue Whales|Ningbo Rockets',
  },
  {
    key: 'deu-bbl',
    name: 'Germany BBL',
    rank: 3,
    hour: 16.5,
    goals: 170,
    spread: 0.05,
    quarterMinutes: 10,
    teams:
      'ALBA Berlin|Ratiopharm Ulm|Telekom Baskets Bonn|Würzburg Baskets|Bamberg Baskets|EWE Baskets Oldenburg|Niners Chemnitz|Rasta Vechta|MHP Riesen Ludwigsburg|Rostock Seawolves|Hamburg Towers|Löwen Braunschweig',
  },
  {
    key: 'ita-lba',
    name: 'Italy Lega Basket',
    rank: 3,
    hour: 17,
    goals: 165,
    spread: 0.05,
    quarterMinutes: 10,
    teams:
      'Germani Brescia|Derthona Tortona|Aquila Trento|Reyer Venezia|Dinamo Sassari|Pallacanestro Trieste|Napoli Basket|Pallacanestro Reggiana|Pallacanestro Varese|Treviso Basket|Vanoli Cremona|APU Udine',
  },
  {
    key: 'esp-acb',
    name: 'Spain Liga ACB',
    rank: 2,
    hour: 18,
    goals: 168,
    spread: 0.05,
    quarterMinutes: 10,
    teams:
      'Unicaja Málaga|La Laguna Tenerife|Joventut Badalona|UCAM Murcia|BAXI Manresa|Dreamland Gran Canaria|Surne Bilbao Basket|Río Breogán|San Pablo Burgos|Casademont Zaragoza|Força Lleida|BC Andorra',
  },
  {
    key: 'euroleague',
    name: 'EuroLeague',
    rank: 1,
    hour: 19,
    goals: 166,
    spread: 0.05,
    quarterMinutes: 10,
    teams:
      'Olympiacos BC|Panathinaikos AKTOR|Fenerbahçe Beko|Real Madrid Baloncesto|FC Barcelona Basket|AS Monaco Basket|Anadolu Efes|Žalgiris Kaunas|Crvena Zvezda|Partizan|Valencia Basket|Hapoel Tel Aviv|Maccabi Tel Aviv|Olimpia Milano|Bayern München Basket|Virtus Bologna|Paris Basketball|Dubai Basketball|Saski Baskonia|ASVEL Villeurbanne',
  },
  {
    key: 'usa-wnba',
    name: 'USA WNBA',
    rank: 3,
    hour: 23.5,
    goals: 166,
    spread: 0.05,
    quarterMinutes: 10,
    teams:
      'Minnesota Lynx|New York Liberty|Las Vegas Aces|Phoenix Mercury|Atlanta Dream|Indiana Fever|Seattle Storm|Golden State Valkyries|Los Angeles Sparks|Washington Mystics|Chicago Sky|Connecticut Sun',
  },
  {
    key: 'usa-nba',
    name: 'USA NBA',
    rank: 1,
    hour: 25,
    goals: 228,
    spread: 0.045,
    quarterMinutes: 12,
    teams:
      'Oklahoma City Thunder|Denver Nuggets|Cleveland Cavaliers|New York Knicks|Houston Rockets|Boston Celtics|Los Angeles Lakers|Minnesota Timberwolves|Orlando Magic|Golden State Warriors|Detroit Pistons|San Antonio Spurs|Los Angeles Clippers|Milwaukee Bucks|Atlanta Hawks|Indiana Pacers|Miami Heat|Memphis Grizzlies|Philadelphia 76ers|Dallas Mavericks|Toronto Raptors|Sacramento Kings|Phoenix Suns|Chicago Bulls|Portland Trail Blazers|New Orleans Pelicans|Brooklyn Nets|Charlotte Hornets|Utah Jazz|Washington Wizards',
  },
];
