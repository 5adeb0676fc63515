// How feeds and bookmakers spell clubs: the simulator's name, and what The Odds API, football-data.co.uk,
// iSports, API-Football and newspapers write for it. We wrote the list ourselves, from common knowledge.

const ROWS = `
Manchester City: Man City | Man. City | Manchester City FC
Manchester United: Man United | Man Utd | Manchester Utd | Man. United | Manchester United FC
Newcastle United: Newcastle | Newcastle Utd | Newcastle United FC
Tottenham Hotspur: Tottenham | Tottenham Hotspur FC
Brighton & Hove Albion: Brighton | Brighton and Hove Albion | Brighton & Hove Albion FC | Brighton Hove Albion
Nottingham Forest: Nott'm Forest | Nottm Forest | Nottingham Forest FC | Notts Forest
Crystal Palace: Crystal Palace FC
Bournemouth: AFC Bournemouth
West Ham United: West Ham | West Ham Utd | West Ham United FC
Wolverhampton Wanderers: Wolverhampton | Wolverhampton Wanderers FC
Leeds United: Leeds | Leeds Utd | Leeds United FC
Aston Villa: Aston Villa FC
Sunderland: Sunderland AFC
Ipswich Town: Ipswich
Leicester City: Leicester
Norwich City: Norwich
Derby County: Derby
Queens Park Rangers: QPR
West Bromwich Albion: West Brom | WBA | West Bromwich
Sheffield Wednesday: Sheffield Weds | Sheff Wed
Sheffield United: Sheff Utd | Sheffield Utd
Blackburn Rovers: Blackburn
Preston North End: Preston
Coventry City: Coventry
Swansea City: Swansea
Stoke City: Stoke
Charlton Athletic: Charlton
Oxford United: Oxford | Oxford Utd
Hull City: Hull
Heart of Midlothian: Hearts
St Mirren: St. Mirren | Saint Mirren
Bayern München: Bayern Munich | FC Bayern München | FC Bayern Munich | Bayern | FC Bayern
Borussia Dortmund: Dortmund | BVB
Bayer Leverkusen: Leverkusen | Bayer 04 Leverkusen
RB Leipzig: Leipzig | RasenBallsport Leipzig
Eintracht Frankfurt: Ein Frankfurt
VfB Stuttgart: Stuttgart
SC Freiburg: Freiburg
TSG Hoffenheim: Hoffenheim | TSG 1899 Hoffenheim | 1899 Hoffenheim
Mainz 05: Mainz | 1. FSV Mainz 05 | FSV Mainz 05
Werder Bremen: SV Werder Bremen | Bremen
Borussia Mönchengladbach: M'gladbach | Monchengladbach | Borussia Monchengladbach | Gladbach | Borussia M'gladbach
VfL Wolfsburg: Wolfsburg
Union Berlin: 1. FC Union Berlin
1. FC Köln: FC Koln | Cologne | FC Cologne | 1. FC Koln | FC Köln
FC Augsburg: Augsburg
Hamburger SV: Hamburg | HSV
FC St. Pauli: St Pauli | St. Pauli
1. FC Heidenheim: Heidenheim | FC Heidenheim | 1. FC Heidenheim 1846
Schalke 04: FC Schalke 04 | Schalke
Hannover 96: Hannover
Hertha Berlin: Hertha | Hertha BSC
1. FC Nürnberg: Nurnberg | Nürnberg | FC Nurnberg | Nuremberg
Fortuna Düsseldorf: Fortuna Dusseldorf
SV Darmstadt 98: Darmstadt | Darmstadt 98
Greuther Fürth: Greuther Furth | SpVgg Greuther Fürth
1. FC Kaiserslautern: Kaiserslautern
Karlsruher SC: Karlsruhe
Inter: Inter Milan | Internazionale | FC Internazionale Milano | Inter Milano | Internazionale Milano
AC Milan: Milan
Juventus: Juventus FC | Juventus Turin
Roma: AS Roma
Lazio: SS Lazio
Napoli: SSC Napoli | Naples
Atalanta: Atalanta BC | Atalanta Bergamo
Fiorentina: ACF Fiorentina
Hellas Verona: Verona | Hellas Verona FC
Torino: Torino FC
Genoa: Genoa CFC
Sampdoria: UC Sampdoria
Udinese: Udinese Calcio
Cagliari: Cagliari Calcio
Parma: Parma Calcio | Parma Calcio 1913
Sassuolo: US Sassuolo | Sassuolo Calcio
Barcelona: FC Barcelona
Real Madrid: Real Madrid CF
Atlético Madrid: Ath Madrid | Atletico Madrid | Atl. Madrid | Club Atlético de Madrid | Atletico de Madrid | Atlético de Madrid
Athletic Bilbao: Ath Bilbao | Athletic Club | Athletic Club Bilbao
Real Betis: Betis | Real Betis Balompié
Real Sociedad: Sociedad | Real Sociedad de Fútbol
Celta Vigo: Celta | RC Celta | Celta de Vigo | RC Celta de Vigo
Espanyol: Espanol | RCD Espanyol | Espanyol Barcelona
Rayo Vallecano: Vallecano
Alavés: Alaves | Deportivo Alavés | CD Alaves
Mallorca: RCD Mallorca | Real Mallorca
Sevilla: Sevilla FC
Villarreal: Villarreal CF
Getafe: Getafe CF
Osasuna: CA Osasuna
Girona: Girona FC
Elche: Elche CF
Levante: Levante UD
Valencia: Valencia CF
Real Oviedo: Oviedo
Deportivo La Coruña: La Coruna | Dep. La Coruña | RC Deportivo La Coruña
Racing Santander: Santander | Real Racing Santander | Racing de Santander
Sporting Gijón: Sp Gijon | Sporting Gijon | Real Sporting Gijón
Real Valladolid: Valladolid | Real Valladolid CF
Real Zaragoza: Zaragoza
Real Sociedad B: Sociedad B
Las Palmas: UD Las Palmas
Almería: Almeria | UD Almería
Leganés: Leganes | CD Leganés
Málaga: Malaga | Malaga CF
Cádiz: Cadiz | Cádiz CF
Paris Saint-Germain: Paris SG | PSG | Paris Saint Germain | Paris St Germain | Paris S-G
Marseille: Olympique Marseille | Olympique de Marseille | OM
Lyon: Olympique Lyonnais | Olympique Lyon | OL
Monaco: AS Monaco
Lille: Lille OSC | LOSC Lille
Nice: OGC Nice
Lens: RC Lens
Rennes: Stade Rennais | Stade Rennes | Stade Rennais FC
Strasbourg: RC Strasbourg | RC Strasbourg Alsace | Strasbourg Alsace
Brest: Stade Brestois 29 | Stade Brestois
Toulouse: Toulouse FC
Nantes: FC Nantes
Metz: FC Metz
Lorient: FC Lorient
Angers: Angers SCO
Auxerre: AJ Auxerre
Le Havre: Le Havre AC
Saint-Étienne: St Etienne | AS Saint-Etienne | Saint Etienne
Montpellier: Montpellier HSC
Sporting CP: Sporting Lisbon | Sp Lisbon | Sporting Clube de Portugal | Sporting Lisboa
Benfica: SL Benfica | Benfica Lisbon
FC Porto: Porto
Braga: Sporting Braga | Sp Braga | SC Braga
Vitória Guimarães: Guimaraes | Vitoria de Guimaraes | Vitoria SC | Vitoria Guimaraes
Nacional Madeira: CD Nacional Madeira
PSV Eindhoven: PSV
Ajax: Ajax Amsterdam | AFC Ajax
Feyenoord: Feyenoord Rotterdam
AZ Alkmaar: AZ
FC Twente: Twente | FC Twente Enschede | Twente Enschede
FC Utrecht: Utrecht
SC Heerenveen: Heerenveen
FC Groningen: Groningen
NEC Nijmegen: Nijmegen | NEC
Heracles Almelo: Heracles
Go Ahead Eagles: G.A. Eagles
Club Brugge: Club Brugge KV | Club Bruges | FC Bruges
Union Saint-Gilloise: St. Gilloise | Union SG | Royale Union Saint-Gilloise | Union St. Gilloise
KRC Genk: Genk | Racing Genk
KAA Gent: Gent | AA Gent | Ghent
Royal Antwerp: Antwerp | Royal Antwerp FC
Standard Liège: Standard | Standard de Liège | Standard Liege
Sint-Truiden: St Truiden | Sint-Truidense VV | St. Truiden
OH Leuven: Oud-Heverlee Leuven
KV Mechelen: Mechelen
Zulte Waregem: Waregem | SV Zulte Waregem
Anderlecht: RSC Anderlecht
Galatasaray: Galatasaray SK
Fenerbahçe: Fenerbahce | Fenerbahce SK
Beşiktaş: Besiktas | Besiktas JK
Başakşehir: Istanbul Basaksehir | Buyuksehyr | Basaksehir
Olympiacos: Olympiakos | Olympiacos Piraeus | Olympiakos Piraeus
AEK Athens: AEK
PAOK: PAOK Salonika | PAOK Thessaloniki
OFI Crete: OFI
Aris Thessaloniki: Aris
Red Bull Salzburg: RB Salzburg | FC Salzburg | Salzburg
Sturm Graz: SK Sturm Graz
Austria Wien: Austria Vienna | FK Austria Wien
Rapid Wien: Rapid Vienna | SK Rapid Wien
LASK: LASK Linz
Rheindorf Altach: Altach | SCR Altach
FC Basel: Basel | FC Basel 1893
Young Boys: BSC Young Boys | Young Boys Bern
FC Zürich: FC Zurich | Zurich
Grasshopper Zürich: Grasshoppers | Grasshopper Club Zürich | Grasshopper
FC St. Gallen: FC St Gallen | St. Gallen | St Gallen
FC Luzern: Luzern | Lucerne
FC København: FC Copenhagen | Copenhagen
Brøndby IF: Brondby | Brondby IF
FC Midtjylland: Midtjylland
AGF Aarhus: Aarhus | AGF
Malmö FF: Malmo FF | Malmo
BK Häcken: BK Hacken | Hacken | Häcken
IFK Göteborg: Goteborg | IFK Goteborg | IFK Gothenburg
Djurgården: Djurgardens IF | Djurgarden
Bodø/Glimt: Bodo/Glimt | FK Bodo/Glimt | Bodo Glimt
Tromsø: Tromso | Tromso IL
Viking: Viking FK | Viking Stavanger
FK Haugesund: Haugesund
Strømsgodset: Stromsgodset | Strømsgodset IF
Sarpsborg 08: Sarpsborg | Sarpsborg FK | Sarpsborg 08 FF
Rosenborg: Rosenborg BK
Slavia Praha: Slavia Prague | SK Slavia Praha
Sparta Praha: Sparta Prague | AC Sparta Praha
Viktoria Plzeň: Viktoria Plzen | Plzen
Legia Warszawa: Legia Warsaw | Legia
Lech Poznań: Lech Poznan
Flamengo: CR Flamengo | Flamengo RJ
Fluminense: Fluminense RJ | Fluminense FC
Palmeiras: SE Palmeiras
Botafogo: Botafogo RJ | Botafogo FR
Internacional: Internacional RS | SC Internacional
Corinthians: Corinthians Paulista | SC Corinthians | Corinthians SP
Atlético Mineiro: Atletico MG | Atletico-MG | Atletico Mineiro
Red Bull Bragantino: Bragantino | RB Bragantino | Bragantino-SP
Vasco da Gama: Vasco | CR Vasco da Gama
Grêmio: Gremio | Gremio FBPA
Ceará: Ceara | Ceara SC
Coritiba: Coritiba PR | Coritiba FC
Athletico Paranaense: Athletico-PR | Atletico Paranaense | Atletico-PR
Atlético Goianiense: Atletico GO | Atletico-GO
Goiás: Goias | Goias EC
América Mineiro: America MG | America-MG
Sport Recife: Sport Club do Recife
Avaí: Avai | Avai FC
River Plate: CA River Plate
Boca Juniors: CA Boca Juniors | Boca
Racing Club: Racing Club de Avellaneda | Racing Avellaneda
Newell’s Old Boys: Newells Old Boys | Newell's Old Boys
Vélez Sarsfield: Velez Sarsfield | Velez
Estudiantes: Estudiantes L.P. | Estudiantes La Plata | Estudiantes de La Plata
Talleres: Talleres Cordoba | Talleres de Córdoba
Colo-Colo: Colo Colo
Universidad de Chile: U. de Chile
Universidad Católica: U. Catolica
Club América: Club America | America Mexico
Guadalajara: CD Guadalajara | Chivas | Guadalajara Chivas
Tigres UANL: Tigres | UANL Tigres
Pumas UNAM: Pumas | UNAM Pumas
Los Angeles FC: LAFC
LA Galaxy: Los Angeles Galaxy
New York City FC: NYCFC | New York City
New York Red Bulls: NY Red Bulls | New York RB
Inter Miami: Inter Miami CF
CF Montréal: CF Montreal | Montreal
D.C. United: DC United
St. Louis City: St Louis City SC | St. Louis City SC
Sporting Kansas City: Sporting KC
Atlanta United: Atlanta United FC
Minnesota United: Minnesota United FC
Vancouver Whitecaps: Vancouver Whitecaps FC
Houston Dynamo: Houston Dynamo FC
Yokohama F. Marinos: Yokohama F Marinos | Yokohama Marinos | Yokohama F.Marinos
Sanfrecce Hiroshima: Hiroshima Sanfrecce FC | Hiroshima
Kyoto Sanga: Kyoto Purple Sanga | Kyoto Sanga FC
Urawa Red Diamonds: Urawa Reds | Urawa
Machida Zelvia: FC Machida Zelvia
Al Hilal: Al-Hilal | Al Hilal SFC | Al-Hilal Saudi FC | Al Hilal Riyadh
Al Nassr: Al-Nassr | Al Nassr FC | Al-Nassr FC
Al Ittihad: Al-Ittihad | Al Ittihad FC | Al-Ittihad FC
Al Ahli Jeddah: Al-Ahli Jeddah
Al Ettifaq: Al-Ettifaq FC
Philadelphia 76ers: Sixers
Los Angeles Clippers: LA Clippers
Los Angeles Lakers: LA Lakers
Golden State Warriors: GS Warriors
Portland Trail Blazers: Portland Trailblazers | Trail Blazers
ASVEL Villeurbanne: ASVEL Lyon Villeurbanne | ASVEL | LDLC ASVEL Villeurbanne
Virtus Bologna: Virtus Segafredo Bologna
Rasta Vechta: RASTA Vechta
Crvena Zvezda: Red Star Belgrade | Crvena zvezda Belgrade
Olimpia Milano: EA7 Emporio Armani Milan | Olimpia Milan
Anadolu Efes: Anadolu Efes Istanbul
Žalgiris Kaunas: Zalgiris Kaunas
Saski Baskonia: Baskonia
`;

/** Spellings by the simulator's name. */
export const FEED_SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map(
  ROWS.trim()
    .split('\n')
    .map((row) => {
      const at = row.indexOf(': ');
      return [row.slice(0, at), row.slice(at + 2).split(' | ')] as const;
    }),
);
