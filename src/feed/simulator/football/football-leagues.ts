// Football leagues and clubs of the simulated slate: real names, roughly from strongest to weakest within a
// league, because a club's position in its list is its strength. `hour` is the usual kickoff in UTC (over 24:
// after midnight).

import type { LeagueRow } from '../league-table.ts';

export const FOOTBALL_LEAGUES: readonly LeagueRow[] = [
  {
    key: 'aus-a-league',
    name: 'Australia A-League',
    rank: 3,
    hour: 8.5,
    goals: 3.0,
    spread: 0.22,
    teams:
      'Melbourne City|Auckland FC|Western Sydney Wanderers|Melbourne Victory|Adelaide United|Sydney FC|Macarthur FC|Central Coast Mariners|Wellington Phoenix|Newcastle Jets|Perth Glory|Brisbane Roar',
  },
  {
    key: 'jpn-j1-league',
    name: 'Japan J1 League',
    rank: 2,
    hour: 10,
    goals: 2.6,
    spread: 0.25,
    teams:
      'Vissel Kobe|Kashima Antlers|Sanfrecce Hiroshima|Machida Zelvia|Kawasaki Frontale|Urawa Red Diamonds|Gamba Osaka|Kashiwa Reysol|Cerezo Osaka|Yokohama F. Marinos|FC Tokyo|Avispa Fukuoka|Tokyo Verdy|Nagoya Grampus|Kyoto Sanga|Shimizu S-Pulse|Fagiano Okayama|Yokohama FC|Shonan Bellmare|Albirex Niigata',
  },
  {
    key: 'kor-k-league-1',
    name: 'South Korea K League 1',
    rank: 3,
    hour: 10.5,
    goals: 2.6,
    spread: 0.22,
    teams:
      'Jeonbuk Motors|Ulsan HD|Pohang Steelers|FC Seoul|Gimcheon Sangmu|Daejeon Hana Citizen|Gangwon FC|Gwangju FC|FC Anyang|Jeju SK|Suwon FC|Daegu FC',
  },
  {
    key: 'chn-super-league',
    name: 'China Super League',
    rank: 2,
    hour: 11.5,
    goals: 3.1,
    spread: 0.45,
    teams:
      'Shanghai Port|Shanghai Shenhua|Chengdu Rongcheng|Beijing Guoan|Shandong Taishan|Tianjin Jinmen Tiger|Zhejiang FC|Yunnan Yukun|Henan FC|Dalian Yingbo|Qingdao West Coast|Wuhan Three Towns|Meizhou Hakka|Shenzhen Peng City|Qingdao Hainiu|Changchun Yatai',
  },
  {
    key: 'eng-wsl',
    name: "England Women's Super League",
    rank: 3,
    hour: 12.5,
    goals: 3.1,
    spread: 0.6,
    teams:
      'Chelsea Women|Arsenal Women|Manchester United Women|Manchester City Women|Brighton Women|Aston Villa Women|Liverpool Women|Everton Women|West Ham Women|Tottenham Women|London City Lionesses|Leicester City Women',
  },
  {
    key: 'deu-2-bundesliga',
    name: 'Germany 2. Bundesliga',
    rank: 3,
    hour: 12.5,
    goals: 3.0,
    spread: 0.22,
    teams:
      'Schalke 04|Hannover 96|Hertha Berlin|SV Elversberg|Karlsruher SC|1. FC Kaiserslautern|Fortuna Düsseldorf|SC Paderborn|1. FC Nürnberg|Holstein Kiel|VfL Bochum|1. FC Magdeburg|SV Darmstadt 98|Greuther Fürth|Arminia Bielefeld|Dynamo Dresden|Preußen Münster|Eintracht Braunschweig',
  },
  {
    key: 'ita-serie-b',
    name: 'Italy Serie B',
    rank: 3,
    hour: 13.5,
    goals: 2.4,
    spread: 0.2,
    teams:
      'Venezia|Palermo|Monza|Empoli|Frosinone|Cesena|Modena|Bari|Sampdoria|Catanzaro|Spezia|Juve Stabia|Avellino|Padova|Pescara|Südtirol|Reggiana|Carrarese|Mantova|Virtus Entella',
  },
  {
    key: 'sco-premiership',
    name: 'Scotland Premiership',
    rank: 2,
    hour: 14,
    goals: 2.8,
    spread: 0.45,
    teams:
      'Celtic|Rangers|Heart of Midlothian|Hibernian|Aberdeen|Motherwell|Dundee United|St Mirren|Falkirk|Kilmarnock|Dundee FC|Livingston',
  },
  {
    key: 'eng-championship',
    name: 'England Championship',
    rank: 2,
    hour: 14.5,
    goals: 2.55,
    spread: 0.25,
    teams:
      'Ipswich Town|Southampton|Coventry City|Middlesbrough|Leicester City|Birmingham City|West Bromwich Albion|Norwich City|Millwall|Bristol City|Wrexham|Watford|Swansea City|Stoke City|Hull City|Blackburn Rovers|Preston North End|Derby County|Queens Park Rangers|Charlton Athletic|Sheffield United|Portsmouth|Oxford United|Sheffield Wednesday',
  },
  {
    key: 'deu-bundesliga',
    name: 'Germany Bundesliga',
    rank: 1,
    hour: 14.5,
    goals: 3.15,
    spread: 0.48,
    teams:
      'Bayern München|Borussia Dortmund|Bayer Leverkusen|RB Leipzig|Eintracht Frankfurt|VfB Stuttgart|SC Freiburg|TSG Hoffenheim|Mainz 05|Werder Bremen|Borussia Mönchengladbach|VfL Wolfsburg|Union Berlin|1. FC Köln|FC Augsburg|Hamburger SV|FC St. Pauli|1. FC Heidenheim',
  },
  {
    key: 'eng-premier-league',
    name: 'England Premier League',
    rank: 1,
    hour: 15,
    goals: 2.85,
    spread: 0.42,
    teams:
      'Manchester City|Liverpool|Arsenal|Chelsea|Newcastle United|Aston Villa|Tottenham Hotspur|Manchester United|Brighton & Hove Albion|Nottingham Forest|Crystal Palace|Bournemouth|Everton|Brentford|Fulham|West Ham United|Wolverhampton Wanderers|Leeds United|Sunderland|Burnley',
  },
  {
    key: 'swe-allsvenskan',
    name: 'Sweden Allsvenskan',
    rank: 2,
    hour: 15,
    goals: 2.8,
    spread: 0.35,
    teams:
      'Malmö FF|Hammarby|Mjällby AIF|AIK|IF Elfsborg|Djurgården|BK Häcken|IFK Göteborg|GAIS|IK Sirius|IF Brommapojkarna|IFK Norrköping|Halmstads BK|Degerfors IF|IFK Värnamo|Östers IF',
  },
  {
    key: 'nor-eliteserien',
    name: 'Norway Eliteserien',
    rank: 2,
    hour: 15.5,
    goals: 3.1,
    spread: 0.42,
    teams:
      'Bodø/Glimt|Viking|SK Brann|Rosenborg|Tromsø|Fredrikstad|Molde|Sarpsborg 08|Sandefjord|Vålerenga|KFUM Oslo|Kristiansund|HamKam|Bryne|Strømsgodset|FK Haugesund',
  },
  {
    key: 'cze-first-league',
    name: 'Czech First League',
    rank: 3,
    hour: 15,
    goals: 2.8,
    spread: 0.42,
    teams:
      'Slavia Praha|Sparta Praha|Viktoria Plzeň|Baník Ostrava|FK Jablonec|Sigma Olomouc|Slovan Liberec|Bohemians 1905|Hradec Králové|MFK Karviná|Mladá Boleslav|FK Teplice|Slovácko|Dukla Praha|FC Zlín|FK Pardubice',
  },
  {
    key: 'aut-bundesliga',
    name: 'Austria Bundesliga',
    rank: 2,
    hour: 15.5,
    goals: 2.9,
    spread: 0.35,
    teams:
      'Red Bull Salzburg|Sturm Graz|Austria Wien|Rapid Wien|LASK|Wolfsberger AC|TSV Hartberg|WSG Tirol|SV Ried|Rheindorf Altach|Grazer AK|Blau-Weiß Linz',
  },
  {
    key: 'che-super-league',
    name: 'Switzerland Super League',
    rank: 2,
    hour: 15.5,
    goals: 3.0,
    spread: 0.3,
    teams:
      'FC Basel|Young Boys|Servette|FC Lugano|FC Luzern|FC Thun|Lausanne-Sport|FC St. Gallen|FC Zürich|FC Sion|Grasshopper Zürich|FC Winterthur',
  },
  {
    key: 'dnk-superliga',
    name: 'Denmark Superliga',
    rank: 2,
    hour: 16,
    goals: 2.9,
    spread: 0.35,
    teams:
      'FC København|FC Midtjylland|Brøndby IF|AGF Aarhus|FC Nordsjælland|Randers FC|Silkeborg IF|Viborg FF|Odense BK|Sønderjyske|FC Fredericia|Vejle BK',
  },
  {
    key: 'tur-super-lig',
    name: 'Turkey Süper Lig',
    rank: 2,
    hour: 16.5,
    goals: 2.8,
    spread: 0.42,
    teams:
      'Galatasaray|Fenerbahçe|Beşiktaş|Trabzonspor|Başakşehir|Samsunspor|Göztepe|Gaziantep FK|Çaykur Rizespor|Alanyaspor|Konyaspor|Antalyaspor|Kasımpaşa|Kayserispor|Eyüpspor|Gençlerbirliği|Kocaelispor|Fatih Karagümrük',
  },
  {
    key: 'nld-eredivisie',
    name: 'Netherlands Eredivisie',
    rank: 2,
    hour: 16.5,
    goals: 3.15,
    spread: 0.48,
    teams:
      'PSV Eindhoven|Feyenoord|Ajax|AZ Alkmaar|FC Twente|FC Utrecht|NEC Nijmegen|Go Ahead Eagles|SC Heerenveen|FC Groningen|Sparta Rotterdam|Fortuna Sittard|PEC Zwolle|NAC Breda|Heracles Almelo|FC Volendam|Excelsior|Telstar',
  },
  {
    key: 'pol-ekstraklasa',
    name: 'Poland Ekstraklasa',
    rank: 3,
    hour: 16.5,
    goals: 2.7,
    spread: 0.25,
    teams:
      'Lech Poznań|Raków Częstochowa|Legia Warszawa|Jagiellonia Białystok|Pogoń Szczecin|Górnik Zabrze|Cracovia|Widzew Łódź|Motor Lublin|GKS Katowice|Korona Kielce|Piast Gliwice|Zagłębie Lubin|Wisła Płock|Radomiak Radom|Lechia Gdańsk|Arka Gdynia|Termalica Nieciecza',
  },
  {
    key: 'esp-laliga-2',
    name: 'Spain LaLiga 2',
    rank: 3,
    hour: 17,
    goals: 2.3,
    spread: 0.2,
    teams:
      'Deportivo La Coruña|Racing Santander|Almería|Las Palmas|Real Valladolid|Leganés|Málaga|Sporting Gijón|Cádiz|Granada|Burgos|Castellón|Eibar|Córdoba|Albacete|Huesca|Real Zaragoza|Andorra|Cultural Leonesa|Ceuta|Mirandés|Real Sociedad B',
  },
  {
    key: 'grc-super-league',
    name: 'Greece Super League',
    rank: 3,
    hour: 17.5,
    goals: 2.5,
    spread: 0.48,
    teams:
      'Olympiacos|PAOK|AEK Athens|Panathinaikos|Aris Thessaloniki|OFI Crete|Levadiakos|Atromitos|Volos|Asteras Tripolis|Panetolikos|Kifisia|AEL Larissa|Panserraikos',
  },
  {
    key: 'sau-pro-league',
    name: 'Saudi Pro League',
    rank: 3,
    hour: 17.5,
    goals: 3.0,
    spread: 0.5,
    teams:
      'Al Hilal|Al Nassr|Al Ittihad|Al Ahli Jeddah|Al Qadsiah|Al Taawoun|Al Shabab|Al Ettifaq|Neom SC|Al Fateh|Al Khaleej|Al Riyadh|Al Fayha|Damac|Al Kholood|Al Hazem|Al Okhdood|Al Najma',
  },
  {
    key: 'fra-ligue-2',
    name: 'France Ligue 2',
    rank: 3,
    hour: 18,
    goals: 2.5,
    spread: 0.2,
    teams:
      'Saint-Étienne|Montpellier|Troyes|Reims|Le Mans|Guingamp|Red Star|Dunkerque|Pau FC|Annecy|Grenoble|Rodez|Nancy|Amiens|Clermont Foot|Laval|Boulogne|Bastia',
  },
  {
    key: 'bel-pro-league',
    name: 'Belgium Pro League',
    rank: 2,
    hour: 18,
    goals: 2.8,
    spread: 0.32,
    teams:
      'Club Brugge|Union Saint-Gilloise|KRC Genk|Anderlecht|KAA Gent|Royal Antwerp|Standard Liège|Charleroi|KV Mechelen|Sint-Truiden|Westerlo|OH Leuven|Zulte Waregem|Cercle Brugge|La Louvière|FCV Dender',
  },
  {
    key: 'ita-serie-a',
    name: 'Italy Serie A',
    rank: 1,
    hour: 18.5,
    goals: 2.6,
    spread: 0.4,
    teams:
      'Inter|Napoli|Juventus|AC Milan|Roma|Atalanta|Como|Bologna|Lazio|Fiorentina|Udinese|Torino|Genoa|Sassuolo|Cagliari|Parma|Hellas Verona|Cremonese|Lecce|Pisa',
  },
  {
    key: 'fra-ligue-1',
    name: 'France Ligue 1',
    rank: 1,
    hour: 19,
    goals: 2.85,
    spread: 0.42,
    teams:
      'Paris Saint-Germain|Marseille|Monaco|Lille|Lyon|Nice|Strasbourg|Lens|Rennes|Toulouse|Brest|Paris FC|Auxerre|Nantes|Lorient|Angers|Le Havre|Metz',
  },
  {
    key: 'esp-laliga',
    name: 'Spain LaLiga',
    rank: 1,
    hour: 19,
    goals: 2.6,
    spread: 0.45,
    teams:
      'Real Madrid|Barcelona|Atlético Madrid|Villarreal|Athletic Bilbao|Real Betis|Real Sociedad|Celta Vigo|Girona|Sevilla|Valencia|Osasuna|Rayo Vallecano|Mallorca|Espanyol|Getafe|Elche|Alavés|Levante|Real Oviedo',
  },
  {
    key: 'prt-primeira-liga',
    name: 'Portugal Primeira Liga',
    rank: 2,
    hour: 19.5,
    goals: 2.65,
    spread: 0.52,
    teams:
      'Sporting CP|Benfica|FC Porto|Braga|Vitória Guimarães|Famalicão|Gil Vicente|Moreirense|Rio Ave|Santa Clara|Estoril|Casa Pia|Estrela Amadora|Arouca|Nacional Madeira|Alverca|Tondela|AVS',
  },
  {
    key: 'bra-serie-a',
    name: 'Brazil Serie A',
    rank: 2,
    hour: 22,
    goals: 2.45,
    spread: 0.35,
    teams:
      'Flamengo|Palmeiras|Cruzeiro|Botafogo|Fluminense|Internacional|Bahia|São Paulo|Atlético Mineiro|Corinthians|Grêmio|Mirassol|Red Bull Bragantino|Vasco da Gama|Santos|Ceará|Fortaleza|Vitória|Juventude|Sport Recife',
  },
  {
    key: 'bra-serie-b',
    name: 'Brazil Serie B',
    rank: 3,
    hour: 22.5,
    goals: 2.2,
    spread: 0.2,
    teams:
      'Coritiba|Athletico Paranaense|Goiás|Novorizontino|Cuiabá|Chapecoense|Criciúma|Remo|Vila Nova|Atlético Goianiense|Avaí|CRB|América Mineiro|Operário|Botafogo SP|Athletic Club MG|Ferroviária|Volta Redonda|Paysandu|Amazonas',
  },
  {
    key: 'ury-primera',
    name: 'Uruguay Primera División',
    rank: 3,
    hour: 22.5,
    goals: 2.4,
    spread: 0.35,
    teams:
      'Peñarol|Nacional|Liverpool Montevideo|Defensor Sporting|Boston River|Juventud|Racing Montevideo|Danubio|Montevideo City Torque|Wanderers Montevideo|Cerro Largo|Cerro|Plaza Colonia|Progreso|River Plate Montevideo|Miramar Misiones',
  },
  {
    key: 'chl-primera',
    name: 'Chile Primera División',
    rank: 3,
    hour: 23,
    goals: 2.6,
    spread: 0.3,
    teams:
      'Universidad de Chile|Colo-Colo|Universidad Católica|Coquimbo Unido|Palestino|Audax Italiano|Huachipato|O’Higgins|Cobresal|Ñublense|Unión La Calera|Everton Viña del Mar|Deportes La Serena|Deportes Limache|Deportes Iquique|Unión Española',
  },
  {
    key: 'arg-liga-profesional',
    name: 'Argentina Liga Profesional',
    rank: 2,
    hour: 23.5,
    goals: 2.1,
    spread: 0.25,
    teams:
      'River Plate|Boca Juniors|Racing Club|Vélez Sarsfield|Rosario Central|Estudiantes|Talleres|Independiente|Argentinos Juniors|San Lorenzo|Lanús|Huracán|Deportivo Riestra|Barracas Central|Tigre|Defensa y Justicia|Godoy Cruz|Belgrano|Platense|Unión Santa Fe|Instituto|Newell’s Old Boys|Independiente Rivadavia|Central Córdoba|Gimnasia La Plata|Atlético Tucumán|Banfield|Sarmiento',
  },
  {
    key: 'col-primera-a',
    name: 'Colombia Primera A',
    rank: 2,
    hour: 24.5,
    goals: 2.3,
    spread: 0.3,
    teams:
      'Atlético Nacional|Junior|Millonarios|Independiente Medellín|América de Cali|Deportes Tolima|Independiente Santa Fe|Once Caldas|Atlético Bucaramanga|Deportivo Cali|Deportivo Pasto|Fortaleza CEIF|Águilas Doradas|Alianza FC|Deportivo Pereira|Llaneros|Boyacá Chicó|Envigado|La Equidad|Unión Magdalena',
  },
  {
    key: 'usa-mls',
    name: 'USA MLS',
    rank: 2,
    hour: 25,
    goals: 3.0,
    spread: 0.28,
    teams:
      'Inter Miami|Philadelphia Union|FC Cincinnati|Los Angeles FC|San Diego FC|Vancouver Whitecaps|Columbus Crew|Minnesota United|Seattle Sounders|Orlando City|Charlotte FC|Nashville SC|New York City FC|New York Red Bulls|Portland Timbers|Austin FC|Chicago Fire|FC Dallas|LA Galaxy|Real Salt Lake|Colorado Rapids|San Jose Earthquakes|Houston Dynamo|Atlanta United|New England Revolution|Toronto FC|St. Louis City|CF Montréal|Sporting Kansas City|D.C. United',
  },
  {
    key: 'mex-liga-mx',
    name: 'Mexico Liga MX',
    rank: 2,
    hour: 26,
    goals: 2.8,
    spread: 0.38,
    teams:
      'Club América|Toluca|Cruz Azul|Tigres UANL|Monterrey|Guadalajara|Pachuca|León|Pumas UNAM|Santos Laguna|Atlas|Tijuana|Juárez|Necaxa|Atlético San Luis|Querétaro|Mazatlán|Puebla',
  },
];
