// Other names that people use for a club: nicknames, initials, cities, former and sponsors' names. General knowledge of
// the game, one club a line, every name equal: whichever the feed uses, the others find it. A name two clubs share
// ("Spurs") stands on both lines and is ambiguous when both play.

import { foldText } from './fold-text.ts';
import { FORMER_NAMES } from './former-names.ts';
import type { OtherName } from './name-language.ts';
import { type ParsedName, parseName, splitWords } from './normalise.ts';
import { KIND_AFFIX, KIND_NUMBER, kindOfTeamWord } from './word-kinds.ts';
import { formOf } from './word-similarity.ts';

const NICKNAMES = `
Manchester United | Man United | Man Utd | Man U | MUFC | Red Devils
Manchester City | Man City | MCFC | Citizens
Tottenham Hotspur | Tottenham | Spurs | THFC
Wolverhampton Wanderers | Wolverhampton | Wolves | WWFC
Brighton and Hove Albion | Brighton | Brighton Hove | Seagulls
Nottingham Forest | Nott'm Forest | Notts Forest | Nottm Forest | NFFC
Notts County | Nottingham County
Sheffield United | Sheff Utd | Sheffield Utd | Blades
Sheffield Wednesday | Sheff Wed | Sheffield Wed | Owls
West Ham United | West Ham | Hammers
West Bromwich Albion | West Brom | WBA | West Bromwich | Baggies
Queens Park Rangers | QPR | Queens Park R
Newcastle United | Newcastle | Magpies | Toon | NUFC
Aston Villa | Villa
Crystal Palace | Palace
Leicester City | Leicester | Foxes
Leeds United | Leeds | LUFC
Arsenal | Gunners
Everton | Toffees
Liverpool | LFC
Chelsea | CFC
Southampton | Saints
Bournemouth | AFC Bournemouth | Cherries
Ipswich Town | Ipswich | Tractor Boys
Norwich City | Norwich | Canaries
Sunderland | Black Cats
Middlesbrough | Boro
Blackburn Rovers | Blackburn
Bolton Wanderers | Bolton
Birmingham City | Birmingham | B'ham City | Brum
Stoke City | Stoke | Potters
Derby County | Derby
Hull City | Hull
Preston North End | Preston | PNE
Plymouth Argyle | Plymouth
Peterborough United | Peterborough | Posh
Charlton Athletic | Charlton
Wigan Athletic | Wigan
Brentford | Bees
Wycombe Wanderers | Wycombe
Milton Keynes Dons | MK Dons
Dagenham and Redbridge | Dag and Red | Dagenham
Rushden and Diamonds | Rushden
Burton Albion | Burton
Crewe Alexandra | Crewe
Accrington Stanley | Accrington
Forest Green Rovers | Forest Green
Heart of Midlothian | Hearts
Hibernian | Hibs
Glasgow Rangers | Rangers | Gers
Celtic | Celtic Glasgow | Glasgow Celtic | Bhoys
Partick Thistle | Partick
Queen of the South | Queen of South | QoS
Inverness Caledonian Thistle | Inverness CT | Inverness | Caley Thistle | ICT
Greenock Morton | Morton
Dunfermline Athletic | Dunfermline | Pars
St Johnstone | Saint Johnstone | St J'stone
Kilmarnock | Killie
The New Saints | TNS | Total Network Solutions | Llansantffraid
Bangor City | Bangor
Barcelona | Barca | FCB Barcelona | Blaugrana
Real Madrid | Madrid | Real | Los Blancos
Atletico Madrid | Atletico de Madrid | Atleti | Ath Madrid | Atl Madrid | Atletico
Athletic Bilbao | Athletic Club | Athletic Club Bilbao | Ath Bilbao | Bilbao
Real Sociedad | Real Sociedad San Sebastian | La Real | Sociedad
Real Betis | Betis | Real Betis Balompie | Betis Sevilla | Betis Seville
Celta Vigo | Celta | Celta de Vigo | RC Celta
Espanyol | Espanyol Barcelona | RCD Espanyol | Espanol
Deportivo La Coruna | Deportivo de La Coruna | La Coruna | Depor | Dep La Coruna
Racing Santander | Racing de Santander | Real Racing Santander | Real Racing Club | Santander
Rayo Vallecano | Rayo | Rayo Vallecano de Madrid
Sporting Gijon | Sporting de Gijon | Real Sporting | Gijon
Real Valladolid | Valladolid
Real Zaragoza | Zaragoza | Real Saragossa
Real Oviedo | Oviedo
Real Mallorca | Mallorca | RCD Mallorca
Deportivo Alaves | Alaves
Las Palmas | UD Las Palmas
Real Madrid Castilla | Real Madrid B | Castilla
Athletic Bilbao B | Bilbao Athletic
Sevilla B | Sevilla Atletico
UCAM Murcia | Universidad Catolica de Murcia
Paris Saint Germain | PSG | Paris SG | Paris St Germain | Paris
Olympique Marseille | Olympique de Marseille | Marseille | OM
Olympique Lyonnais | Olympique Lyon | Lyon | OL
Saint Etienne | AS Saint Etienne | St Etienne | ASSE
Monaco | AS Monaco
Lille | LOSC Lille | LOSC | Lille OSC
Nice | OGC Nice
Rennes | Stade Rennais | Stade Rennes
Reims | Stade Reims | Stade de Reims
Brest | Stade Brest | Stade Brestois
Bordeaux | Girondins Bordeaux | Girondins de Bordeaux
Strasbourg | Racing Strasbourg | RC Strasbourg Alsace
Lens | RC Lens | Racing Lens
Nantes | FC Nantes Atlantique
Montpellier | Montpellier HSC | Montpellier Herault
Le Havre | Le Havre AC | HAC
Angers | Angers SCO
Auxerre | AJ Auxerre
Caen | SM Caen | Stade Malherbe Caen | Malherbe
Guingamp | EA Guingamp | En Avant Guingamp
Sochaux | FC Sochaux Montbeliard
Evian Thonon Gaillard | Evian | Evian TG | ETG | Thonon Evian
Ajaccio | AC Ajaccio
Gazelec Ajaccio | GFC Ajaccio | GFCA
Bayern Munich | Bayern | Bayern Munchen | FC Bayern | FCB
Borussia Dortmund | Dortmund | BVB | BVB 09
Borussia Monchengladbach | Monchengladbach | Gladbach | M'gladbach | B M'gladbach | BMG
Bayer Leverkusen | Leverkusen | Bayer 04 | Werkself
RB Leipzig | Leipzig | RasenBallsport Leipzig | Red Bull Leipzig
Eintracht Frankfurt | Frankfurt | SGE | Ein Frankfurt
VfB Stuttgart | Stuttgart
VfL Wolfsburg | Wolfsburg
Werder Bremen | Werder | Bremen
Hertha BSC | Hertha Berlin | Hertha
Union Berlin | 1. FC Union Berlin
TSG Hoffenheim | Hoffenheim | TSG 1899 Hoffenheim
Schalke 04 | Schalke | FC Schalke | S04
Hamburger SV | Hamburg | HSV
St Pauli | FC St Pauli | FCSP
Koln | FC Koln | Cologne | FC Cologne | 1. FC Koln
Nurnberg | FC Nurnberg | Nuremberg | Der Club | FCN
Kaiserslautern | FC Kaiserslautern | K'lautern | Lautern | FCK
Greuther Furth | SpVgg Greuther Furth | Furth
Fortuna Dusseldorf | Dusseldorf | Duesseldorf | F Dusseldorf
Arminia Bielefeld | Bielefeld
Hannover 96 | Hannover | Hanover
Mainz 05 | Mainz | FSV Mainz
Darmstadt 98 | Darmstadt
Karlsruher SC | Karlsruhe | KSC
1860 Munich | Munich 1860 | TSV 1860 Munchen | 1860 Munchen | 60 Munchen
Dynamo Dresden | Dresden | SG Dynamo Dresden
Hansa Rostock | Rostock
Eintracht Braunschweig | Braunschweig | Brunswick
Erzgebirge Aue | Aue | Wismut Aue
Alemannia Aachen | Aachen
Rot Weiss Essen | RW Essen | RWE | Essen
Rot Weiss Oberhausen | RW Oberhausen | RWO | Oberhausen
Rot Weiss Erfurt | RW Erfurt | Erfurt
Preussen Munster | Munster | Pr Munster
Tennis Borussia Berlin | TeBe Berlin | TeBe
Carl Zeiss Jena | CZ Jena | Jena
Chemnitzer FC | Chemnitz
Waldhof Mannheim | SV Waldhof
Stuttgarter Kickers | Stuttgart Kickers
Internazionale | Inter | Inter Milan | Inter Milano | Internazionale Milano | Inter Mailand | FC Internazionale
Milan | AC Milan | Milan AC | Rossoneri
Juventus | Juve | Juventus Turin | Juventus Torino
Torino | Toro | Torino Calcio | FC Turin
Roma | AS Roma | Rome
Lazio | SS Lazio | Lazio Roma | Lazio Rome
Napoli | SSC Napoli | Naples
Fiorentina | ACF Fiorentina | Firenze | Florence | AC Florenz | Viola
Sampdoria | Samp | Sampdoria Genoa | Sampdoria Genova
Genoa | Genoa CFC | Genua
Atalanta | Atalanta Bergamo | Atalanta BC
Udinese | Udinese Calcio | Udine
Hellas Verona | Verona
Chievo | Chievo Verona | ChievoVerona
SPAL | SPAL Ferrara | Ferrara
Sudtirol | Alto Adige | Bolzano
Siena | Robur Siena
Parma | Parma Calcio
Reggiana | Reggio Audace
Benfica | SL Benfica | Benfica Lisbon | Benfica Lissabon | Benfica Lisboa
Sporting CP | Sporting | Sporting Lisbon | Sporting Lisboa | Sporting Clube de Portugal | Sp Lisbon | Sp Lisboa
Porto | FC Porto | Oporto
Braga | Sporting Braga | Sporting de Braga | Sp Braga | SC Braga
Vitoria Guimaraes | Vitoria de Guimaraes | Guimaraes | Vitoria SC
Vitoria Setubal | Vitoria de Setubal | Setubal | Vitoria FC
Belenenses | Os Belenenses | Belenenses Lisbon
B SAD | Belenenses SAD
Academica Coimbra | Academica | Academica de Coimbra
Estrela Amadora | Estrela da Amadora | Amadora
Pacos Ferreira | Pacos de Ferreira
Boavista | Boavista Porto
Nacional | Nacional Madeira | CD Nacional
Maritimo | Maritimo Funchal | CS Maritimo
Ajax | Ajax Amsterdam | AFC Ajax
PSV Eindhoven | PSV
Feyenoord | Feyenoord Rotterdam
AZ Alkmaar | AZ | Alkmaar
Sparta Rotterdam | Sparta
Twente | FC Twente | Twente Enschede
NEC Nijmegen | NEC | Nijmegen
RKC Waalwijk | RKC | Waalwijk
NAC Breda | NAC | Breda
Heracles Almelo | Heracles
ADO Den Haag | Den Haag | ADO | The Hague
PEC Zwolle | Zwolle | FC Zwolle
Go Ahead Eagles | GA Eagles | Go Ahead Eagles Deventer
VVV Venlo | VVV | Venlo
De Graafschap | De Graafschap Doetinchem
MVV Maastricht | MVV | Maastricht
Club Brugge | FC Brugge | Bruges | Club Bruges | Brugge
Cercle Brugge | Cercle Bruges
Anderlecht | RSC Anderlecht
Union Saint Gilloise | Union St Gilloise | Union SG | St Gilloise | Royale Union Saint Gilloise
Standard Liege | Standard | Standard de Liege | Standard Luttich
Gent | KAA Gent | AA Gent | La Gantoise | Ghent
Genk | KRC Genk | Racing Genk
Antwerp | Royal Antwerp
Sint Truiden | St Truiden | STVV | Sint Truidense
OH Leuven | Oud Heverlee Leuven | Leuven | OHL
Charleroi | Sporting Charleroi
Germinal Beerschot | Beerschot | Beerschot AC | Germinal Beerschot Antwerpen
Zulte Waregem | SV Zulte Waregem
Excelsior Mouscron | Mouscron | Royal Excelsior Mouscron | Mouscron Peruwelz
Red Bull Salzburg | RB Salzburg | Salzburg | Austria Salzburg
Sturm Graz | Sturm
Grazer AK | GAK
Rapid Wien | Rapid Vienna | Rapid
Austria Wien | Austria Vienna | FAK
First Vienna | Vienna | First Vienna Wien
LASK | LASK Linz | Linzer ASK
Wolfsberger AC | Wolfsberg | WAC
Wacker Innsbruck | Innsbruck | FC Tirol Innsbruck
WSG Tirol | Swarovski Tirol | WSG Wattens | Wattens
Admira Wacker Modling | Admira Wacker | Admira | Admira Modling | Trenkwalder Admira
Young Boys | Young Boys Bern | BSC Young Boys | YB
Grasshoppers | Grasshopper | Grasshoppers Zurich | Grasshopper Club Zurich | GC Zurich | GCZ
Servette | Servette Geneva | Servette Genf | Geneva
Basel | FC Basel | FCB Basel
Neuchatel Xamax | Xamax | Xamax Neuchatel
Galatasaray | Gala | Galatasaray Istanbul
Fenerbahce | Fener | Fenerbahce Istanbul
Besiktas | BJK | Besiktas Istanbul
Istanbul Basaksehir | Basaksehir | Istanbul BB | Istanbul Buyuksehir Belediyespor
Adana Demirspor | Adana Demir
Olympiacos | Olympiakos | Olympiacos Piraeus | Olympiakos Piraeus
Panathinaikos | Panathinaikos Athens | PAO
AEK Athens | AEK | AEK Athen
PAOK | PAOK Thessaloniki | PAOK Saloniki
Aris | Aris Thessaloniki | Aris Saloniki
Iraklis | Iraklis Thessaloniki | Heracles Thessaloniki
OFI Crete | OFI | OFI Heraklion | OFI Kreta
Larissa | AEL | AE Larissa | AEL Larissa
APOEL | APOEL Nicosia
AEK Larnaca | AEK Larnaka
AEL Limassol | AEL
Apollon Limassol | Apollon
Anorthosis | Anorthosis Famagusta
Shakhtar Donetsk | Shakhtar | Shaktar | Schachtar Donezk
Dynamo Kyiv | Dynamo Kiev | Dinamo Kiev | Dynamo Kiew
Zenit Saint Petersburg | Zenit | Zenit St Petersburg | Zenit Petersburg | Zenit Leningrad
CSKA Moscow | CSKA Moskva | ZSKA Moskau | CSKA
Spartak Moscow | Spartak Moskva | Spartak Moskau
Lokomotiv Moscow | Lokomotiv Moskva | Loko Moscow | Lok Moskau
Dynamo Moscow | Dinamo Moskva | Dynamo Moskau
Krylia Sovetov Samara | Krylya Sovetov | Krylia Sovetov | Kr Sovetov | Samara
Rubin Kazan | Rubin
Terek Grozny | Akhmat Grozny | Akhmat | Terek
Amkar Perm | Amkar
Pari Nizhny Novgorod | Nizhny Novgorod
BATE Borisov | BATE | BATE Baryssau
Steaua Bucharest | Steaua | FCSB | Steaua Bucuresti | FCSB Bucuresti
CFR Cluj | CFR 1907 Cluj
Universitatea Craiova | CS U Craiova
Universitatea Cluj | U Cluj
Rapid Bucharest | Rapid Bucuresti
Red Star Belgrade | Crvena Zvezda | Red Star | Roter Stern Belgrad | Crvena zvezda Beograd
Partizan | Partizan Belgrade | Partizan Beograd
Dinamo Zagreb | Dynamo Zagreb | Croatia Zagreb
Hajduk Split | Hajduk
Zrinjski Mostar | Zrinjski
Olimpija Ljubljana | Olimpija
Ferencvaros | FTC | Ferencvarosi TC | Ferencvaros Budapest | Fradi
Ujpest | Ujpest Budapest | Ujpesti TE
Honved | Honved Budapest | Budapest Honved
MTK Budapest | MTK
Fehervar | Videoton | MOL Fehervar | MOL Vidi | Vidi
Legia Warsaw | Legia | Legia Warszawa | Legia Warschau
Lech Poznan | Lech
Wisla Krakow | Wisla Cracow | Wisla Krakau
Slask Wroclaw | Slask | Slask Breslau
Gornik Zabrze | Gornik
Jagiellonia Bialystok | Jagiellonia | Jaga
Sparta Prague | Sparta Praha | Sparta Prag
Slavia Prague | Slavia Praha | Slavia Prag
Viktoria Plzen | Viktoria Pilsen | Plzen | Pilsen
Banik Ostrava | Banik
Bohemians 1905 | Bohemians Praha | Bohemians Prague
Slovan Bratislava | Slovan | Slovan Pressburg
Copenhagen | FC Copenhagen | Kobenhavn | FC Kobenhavn | FCK
Brondby | Brondby IF
Midtjylland | FC Midtjylland | FCM
Nordsjaelland | FC Nordsjaelland | FCN
Aalborg | AaB | AaB Aalborg | Aalborg BK
Aarhus | AGF | AGF Aarhus | Aarhus GF
Odense | OB | OB Odense | Odense BK
Esbjerg | EfB
Bodo Glimt | Bodo | Glimt
Molde | Molde FK
Rosenborg | Rosenborg Trondheim | RBK
Valerenga | Valerenga Oslo
Lillestrom | LSK
Odd | Odds BK | Odd Grenland | Odd Skien
Ham Kam | Hamarkameratene | HamKam
Malmo | Malmo FF | MFF
AIK | AIK Stockholm | AIK Solna
Djurgarden | Djurgardens IF | Djurgarden Stockholm
Hammarby | Hammarby Stockholm | Bajen
IFK Goteborg | Gothenburg | IFK Gothenburg | Goteborg
Elfsborg | IF Elfsborg | Elfsborg Boras
HJK | HJK Helsinki
Shamrock Rovers | Shamrock
St Patricks Athletic | St Pats | St Patrick's
Bohemians | Bohemian | Bohemians Dublin | Bohs
University College Dublin | UCD
Linfield | Linfield Belfast
Maccabi Tel Aviv | Maccabi TA | M Tel Aviv
Hapoel Tel Aviv | Hapoel TA
Maccabi Haifa | M Haifa
Hapoel Beer Sheva | Beer Sheva | H Beer Sheva | Hapoel Be'er Sheva
Beitar Jerusalem | Beitar
Qarabag | Qarabag Agdam | Karabakh | Qarabag Aghdam | Karabakh Agdam
Urartu | Banants | Banants Yerevan | FC Urartu Yerevan
Noah | Artsakh
Ararat Armenia | Ararat Armenia Yerevan
Sheriff Tiraspol | Sheriff
Dinamo Tbilisi | Dynamo Tbilisi
Kairat Almaty | Kairat
Rigas Futbola Skola | RFS | RFS Riga
Zalgiris Vilnius | Zalgiris
Riteriai | Trakai
F91 Dudelange | Dudelange
Rio Ave | Rio Ave Vila do Conde
Gil Vicente | Gil Vicente Barcelos
Uniao Leiria | Uniao de Leiria | Leiria
Beira Mar | Beira Mar Aveiro
Leixoes | Leixoes Matosinhos
Santa Clara | Santa Clara Azores | Santa Clara Ponta Delgada
Aves | Desportivo das Aves | Desportivo Aves
Sporting Covilha | Covilha | Sporting da Covilha
Academico Viseu | Academico de Viseu | Viseu
Casa Pia | Casa Pia Lisboa | Casa Pia Lisbon
Trabzonspor | Trabzon
Genclerbirligi | Genclerbirligi Ankara
Ankaragucu | MKE Ankaragucu
Goztepe | Goztepe Izmir
Altay | Altay Izmir
Kasimpasa | Kasimpasa Istanbul
Fatih Karagumruk | Karagumruk | Karagumruk Istanbul
Gaziantep FK | Gazisehir Gaziantep | Gaziantep
Caykur Rizespor | Rizespor | Rize
Osmanlispor | Ankaraspor | Ankara Buyuksehir Belediyespor
Akhisar Belediyespor | Akhisarspor | Akhisar
Roda JC Kerkrade | Roda JC | Roda | Roda Kerkrade
Vitesse | Vitesse Arnhem
Heerenveen | SC Heerenveen
Willem II | Willem II Tilburg
Excelsior | Excelsior Rotterdam | SBV Excelsior
Cambuur | Cambuur Leeuwarden | SC Cambuur
Almere City | Omniworld | Omniworld Almere
TOP Oss | FC Oss
Lierse | Lierse SK | Lierse Kempenzonen | Lierse Lier
RWD Molenbeek | RWDM | Molenbeek | RWDM Brussels
Mechelen | KV Mechelen | Malines | FC Malines
Kortrijk | KV Kortrijk | Courtrai
Lokeren | Sporting Lokeren | KSC Lokeren
Waasland Beveren | SK Beveren Waasland
Patro Eisden | Patro Eisden Maasmechelen
Nancy | AS Nancy Lorraine
Troyes | ESTAC Troyes | ESTAC
Dijon | Dijon FCO
Clermont | Clermont Foot | Clermont Foot 63 | Clermont Ferrand
Nimes | Nimes Olympique | Olympique Nimes
Chateauroux | LB Chateauroux | Berrichonne Chateauroux | La Berrichonne de Chateauroux
Laval | Stade Lavallois | Stade Laval
Niort | Chamois Niortais | Chamois Niort
Grenoble | Grenoble Foot 38
Red Star | Red Star Paris | Red Star Saint Ouen
Quevilly Rouen | US Quevilly Rouen | Quevilly | QRM
Bastia | SC Bastia | Sporting Bastia
Vicenza | LR Vicenza | Lanerossi Vicenza | Vicenza Virtus
Pescara | Delfino Pescara
Salernitana | Salerno
Spezia | La Spezia | Spezia La Spezia
Virtus Entella | Entella | Entella Chiavari
Ascoli | Ascoli Picchio
Osasuna | Osasuna Pamplona
Numancia | Numancia Soria
Hercules | Hercules Alicante | Hercules de Alicante
Recreativo Huelva | Recreativo | Recre | Recreativo de Huelva
Gimnastic Tarragona | Gimnastic | Nastic | Nastic Tarragona | Gimnastic de Tarragona
Cultural Leonesa | Leonesa | Cultural y Deportiva Leonesa
Real Union | Real Union Irun
Hamilton Academical | Hamilton | Accies | Hamilton Accies
Raith Rovers | Raith
Airdrieonians | Airdrie | Airdrie United
Dundee United | Dundee Utd
Leyton Orient | Orient
Portsmouth | Pompey
Swansea City | Swansea | Swans
Cracovia | Cracovia Krakow | Cracovia Cracow
Podbeskidzie | Podbeskidzie Bielsko Biala
Termalica Nieciecza | Bruk Bet Termalica | Nieciecza | Termalica
Slovan Liberec | Liberec
Sigma Olomouc | Olomouc
Zbrojovka Brno | Brno
Slovacko | Slovacko Uherske Hradiste
Vysocina Jihlava | Jihlava
Dynamo Ceske Budejovice | Ceske Budejovice | Budweis
Spartak Trnava | Trnava
Dunajska Streda | DAC | DAC 1904 Dunajska Streda
Zlate Moravce | ViOn Zlate Moravce | ViOn
Zemplin Michalovce | Michalovce
Astra Giurgiu | Astra Ploiesti | Astra
Petrolul Ploiesti | Petrolul
Viitorul Constanta | Viitorul
Farul Constanta | Farul
Otelul Galati | Otelul
Gaz Metan Medias | Gaz Metan
Politehnica Iasi | Poli Iasi | CSM Iasi | CSMS Iasi
Politehnica Timisoara | Poli Timisoara
UTA Arad | UTA
Sepsi Sfantu Gheorghe | Sepsi | Sepsi OSK
Hermannstadt | FC Hermannstadt | Hermannstadt Sibiu
Levski Sofia | Levski
Ludogorets Razgrad | Ludogorets
Cherno More Varna | Cherno More
Beroe Stara Zagora | Beroe
Litex Lovech | Litex
Rijeka | HNK Rijeka | Rijeka Fiume
Slaven Belupo | Slaven Koprivnica | Slaven Belupo Koprivnica | Slaven
Vojvodina Novi Sad | Vojvodina
Cukaricki | Cukaricki Stankom | Cukaricki Beograd
OFK Beograd | OFK Belgrade | OFK
TSC Backa Topola | TSC | Backa Topola
Zeljeznicar Sarajevo | Zeljeznicar | Zeljo
Siroki Brijeg | NK Siroki Brijeg
Buducnost Podgorica | Buducnost
Sutjeska Niksic | Sutjeska
Vardar Skopje | Vardar
Shkendija Tetovo | Shkendija | Shkendija 79
Rabotnicki Skopje | Rabotnicki
Partizani Tirana | Partizani
Skenderbeu Korce | Skenderbeu
Debrecen | Debreceni VSC | DVSC | Debreceni
Gyor | Gyori ETO | ETO Gyor | Gyori ETO FC
Vasas | Vasas Budapest
Puskas Akademia | Puskas Academy | Puskas
Diosgyor | Diosgyori VTK | DVTK
Haladas | Szombathelyi Haladas | Haladas Szombathely
Zalaegerszeg | Zalaegerszegi TE | ZTE
Dnipro Dnipropetrovsk | Dnipro | Dnepr Dnepropetrovsk
Metalist Kharkiv | Metalist
Vorskla Poltava | Vorskla
Zorya Luhansk | Zorya | Zarya Lugansk
Chornomorets Odesa | Chernomorets Odessa | Chornomorets
Tavriya Simferopol | Tavriya | Tavria Simferopol
Mariupol | Illichivets Mariupol | Illichivets
Kryvbas Kryvyi Rih | Kryvbas | Krivbass Krivoy Rog
Rostov | FK Rostov | Rostov Don | Rostov na Donu
Anzhi Makhachkala | Anzhi | Anji
Alania Vladikavkaz | Alania | Spartak Vladikavkaz
Saturn Ramenskoye | Saturn | Saturn Moscow Oblast
Tom Tomsk | Tom
Ural Yekaterinburg | Ural | Ural Sverdlovsk Oblast
Mordovia Saransk | Mordovia
Orenburg | Gazovik Orenburg
Yenisey Krasnoyarsk | Yenisey | Enisey Krasnoyarsk
SKA Khabarovsk | SKA Energia Khabarovsk
Luch Vladivostok | Luch Energia Vladivostok | Luch Energia
Baltika Kaliningrad | Baltika
Fakel Voronezh | Fakel
Arsenal Sarandi | Arsenal de Sarandi
Aldosivi | Aldosivi Mar del Plata
Patronato | Patronato Parana
Sarmiento | Sarmiento Junin | Sarmiento de Junin
Olimpo | Olimpo Bahia Blanca | Olimpo de Bahia Blanca
Ferro Carril Oeste | Ferro
Chacarita Juniors | Chacarita
Deportivo Riestra | Riestra
Huracan | Huracan Buenos Aires
Parana | Parana Clube | Parana PR
Figueirense | Figueirense SC
Joinville | JEC | Joinville EC
Portuguesa | Portuguesa Desportos | Portuguesa SP | Lusa
Guarani | Guarani Campinas | Guarani SP
Operario PR | Operario Ferroviario
Vila Nova | Vila Nova GO
Colo Colo | Colo Colo Santiago
Audax Italiano | Audax
Everton Vina del Mar | Everton de Vina del Mar | Everton de Chile
Santiago Wanderers | Wanderers Valparaiso
Deportes Tolima | Tolima
Once Caldas | Once Caldas Manizales
Atletico Bucaramanga | Bucaramanga
Rionegro Aguilas | Aguilas Doradas | Aguilas Doradas Rionegro | Rionegro
La Equidad | Equidad
Melgar | FBC Melgar | Melgar Arequipa
Cesar Vallejo | Universidad Cesar Vallejo | UCV
San Martin de Porres | Universidad San Martin | USMP | U San Martin | Universidad de San Martin de Porres
Cusco | Real Garcilaso | Cusco FC
Defensor Sporting | Defensor
Montevideo Wanderers | Wanderers Montevideo
Liverpool Montevideo | Liverpool FC Montevideo
Deportivo La Guaira | La Guaira
Mineros de Guayana | Mineros Guayana
Jorge Wilstermann | Wilstermann
San Jose Oruro | Club San Jose
Sportivo Luqueno | Luqueno
Atlas | Atlas Guadalajara
Jaguares Chiapas | Chiapas | Jaguares de Chiapas
Juarez | FC Juarez | Bravos de Juarez | Bravos
Dorados de Sinaloa | Dorados | Dorados Sinaloa | Dorados Culiacan
Cafetaleros de Tapachula | Cafetaleros | Cafetaleros de Chiapas
Alebrijes de Oaxaca | Alebrijes | Alebrijes Oaxaca
Venados | Venados Merida | Merida FC | Venados de Yucatan
Atletico San Luis | Atletico de San Luis | Atletico San Luis Potosi
Real Salt Lake | RSL
Columbus Crew | Crew
Chicago Fire | Fire Chicago
FC Dallas | Dallas Burn
Consadole Sapporo | Hokkaido Consadole Sapporo
JEF United Chiba | JEF United | JEF United Ichihara
Tokyo Verdy | Verdy Kawasaki | Verdy
Suwon Bluewings | Suwon Samsung Bluewings | Suwon Samsung
Gimcheon Sangmu | Sangju Sangmu
Pohang Steelers | Pohang
Atromitos | Atromitos Athens
Panionios | Panionios Athens | Panionios GSS
PAS Giannina | Giannina | PAS Ioannina | Ioannina
Xanthi | Skoda Xanthi
Panetolikos | Panetolikos Agrinio | Panaitolikos
Omonia | Omonia Nicosia
Nea Salamis | Nea Salamina | Nea Salamis Famagusta
Ironi Kiryat Shmona | Kiryat Shmona | Hapoel Kiryat Shmona
Bnei Yehuda | Bnei Yehuda Tel Aviv
Ashdod | MS Ashdod | FC Ashdod
SonderjyskE | Sonderjyske Haderslev
Hacken | BK Hacken | Hacken Goteborg
Brommapojkarna | IF Brommapojkarna | BP Stockholm
GAIS | GAIS Goteborg
Brann | SK Brann | Brann Bergen
Viking | Viking Stavanger | Viking FK
Start | IK Start | Start Kristiansand
Stromsgodset | Stromsgodset Drammen
Lyn | Lyn Oslo | FC Lyn Oslo
Inter Turku | FC Inter Turku
TPS | TPS Turku | Turun Palloseura
KuPS | KuPS Kuopio | Kuopion Palloseura
Ilves | Ilves Tampere
Haka | Haka Valkeakoski
SJK | SJK Seinajoki | Seinajoen Jalkapallokerho
VPS | VPS Vaasa | Vaasan Palloseura
RoPS | RoPS Rovaniemi | Rovaniemen Palloseura
Lausanne | Lausanne Sport | Lausanne Sports
St Gallen | Saint Gall
Wiener Neustadt | SC Wiener Neustadt | Magna Wiener Neustadt
Holstein Kiel | Kiel
Jahn Regensburg | Regensburg | SSV Jahn Regensburg
Kickers Offenbach | Offenbach
KFC Uerdingen | Bayer Uerdingen | Uerdingen
Lokomotive Leipzig | Lok Leipzig
Wehen Wiesbaden | SV Wehen | Wehen
Energie Cottbus | Cottbus
Wuppertaler SV | Wuppertal | WSV
Boca Juniors | Boca
River Plate | River | CA River Plate
Independiente | Independiente Avellaneda | CA Independiente
Racing Club | Racing | Racing Avellaneda | Racing Club de Avellaneda
San Lorenzo | San Lorenzo de Almagro
Estudiantes La Plata | Estudiantes LP | Estudiantes de La Plata | Estudiantes
Gimnasia La Plata | Gimnasia y Esgrima La Plata | Gimnasia LP | GELP | Gimnasia y Esgrima LP
Velez Sarsfield | Velez
Rosario Central | Central
Newells Old Boys | Newell's | Newells | NOB
Argentinos Juniors | Argentinos | Arg Juniors
Talleres | Talleres Cordoba | Talleres de Cordoba
Belgrano | Belgrano Cordoba | Belgrano de Cordoba
Instituto | Instituto Cordoba | Instituto AC Cordoba
Union Santa Fe | Union de Santa Fe
Colon | Colon Santa Fe | Colon de Santa Fe
Atletico Tucuman | Atl Tucuman
Central Cordoba | Central Cordoba Santiago del Estero | Central Cordoba SdE
Godoy Cruz | Godoy Cruz Mendoza
Defensa y Justicia | Defensa
Flamengo | Flamengo RJ | Mengao | CR Flamengo
Fluminense | Fluminense RJ | Flu
Vasco da Gama | Vasco | Vasco RJ | CR Vasco da Gama
Botafogo RJ | Botafogo | Botafogo de Futebol e Regatas
Corinthians | Corinthians Paulista | SC Corinthians | Timao
Palmeiras | SE Palmeiras | Palmeiras SP | Verdao
Sao Paulo | Sao Paulo FC | SPFC
Santos | Santos FC | Santos SP
Bragantino | Red Bull Bragantino | RB Bragantino | Bragantino SP
Atletico Mineiro | Atletico MG | Galo | CA Mineiro | CAM
Athletico Paranaense | Atletico Paranaense | Atletico PR | Athletico PR | CAP | Paranaense
Atletico Goianiense | Atletico GO | Atletico Clube Goianiense | Goianiense | ACG
America Mineiro | America MG | America FC MG
America de Natal | America RN | America Natal
Cruzeiro | Cruzeiro MG | Raposa
Gremio | Gremio RS | Gremio Porto Alegre
Internacional | Internacional RS | Inter Porto Alegre | Internacional Porto Alegre | SC Internacional | Inter RS
Bahia | EC Bahia | Bahia Salvador
Vitoria | EC Vitoria | Vitoria BA | Vitoria Salvador
Sport Recife | Sport | Sport Club do Recife | Sport PE
Nautico | Nautico PE | Nautico Recife
Ceara | Ceara SC | Ceara Fortaleza
Fortaleza | Fortaleza EC | Fortaleza CE
Goias | Goias EC | Goias GO
Coritiba | Coritiba PR | Coxa
Chapecoense | Chapecoense SC | Chape
Avai | Avai SC | Avai FC
Criciuma | Criciuma SC | Criciuma EC
Juventude | Juventude RS | EC Juventude
Cuiaba | Cuiaba MT | Cuiaba EC
CSA | CS Alagoano | CSA AL
CRB | Regatas Brasil | CRB AL
Ponte Preta | AA Ponte Preta
Penarol | Penarol Montevideo | CA Penarol
Nacional | Nacional Montevideo | Club Nacional de Football
Universidad de Chile | U de Chile | La U
Universidad Catolica | U Catolica | Catolica | CDUC
LDU Quito | Liga de Quito | LDU | Liga Deportiva Universitaria | Liga Deportiva Universitaria de Quito
Barcelona Guayaquil | Barcelona SC | Barcelona SC Guayaquil
Emelec | CS Emelec | Emelec Guayaquil
El Nacional | El Nacional Quito
Independiente del Valle | Ind del Valle | IDV
Universitario | Universitario de Deportes | La U de Lima | Universitario Lima
Alianza Lima | Alianza
Sporting Cristal | Cristal
Atletico Nacional | Nacional Medellin | Atl Nacional | Atletico Nacional Medellin
Independiente Medellin | DIM | Deportivo Independiente Medellin | Medellin
Independiente Santa Fe | Santa Fe
Millonarios | Millonarios Bogota
America de Cali | America Cali
Junior | Junior Barranquilla | Atletico Junior
Olimpia | Olimpia Asuncion
Cerro Porteno | Cerro
Bolivar | Bolivar La Paz
The Strongest | Strongest
Club America | America | Aguilas | America Mexico
Guadalajara | Chivas | Chivas Guadalajara | CD Guadalajara
Cruz Azul | La Maquina
Pumas UNAM | Pumas | UNAM | Universidad Nacional
Tigres UANL | Tigres | UANL | UA Nuevo Leon | Universidad Autonoma de Nuevo Leon
Monterrey | Rayados | CF Monterrey
Santos Laguna | Santos Torreon
Tijuana | Xolos | Club Tijuana
Queretaro | Gallos Blancos | Gallos Blancos Queretaro
Atletico Morelia | Monarcas Morelia | Monarcas | Morelia
Tecos | Estudiantes Tecos | UAG | Tecos UAG | UA Guadalajara | Universidad Autonoma de Guadalajara
Leones Negros | Leones Negros UdeG | U de Guadalajara | UdeG | U Guadalajara | Universidad de Guadalajara
Correcaminos | Correcaminos UAT | UAT | UA Tamaulipas
Lobos BUAP | BUAP
Necaxa | Rayos Necaxa
Pachuca | Tuzos
Saprissa | Deportivo Saprissa
Alajuelense | LD Alajuelense | Liga Deportiva Alajuelense
Los Angeles Galaxy | LA Galaxy | Galaxy
Los Angeles FC | LAFC
New York City | NYC FC | NYCFC
New York Red Bulls | NY Red Bulls | NYRB | MetroStars
DC United | D.C. United | Washington DC United
Inter Miami | Inter Miami CF | Miami CF
Sporting Kansas City | Sporting KC | Kansas City Wizards | SKC
Houston Dynamo | Dynamo Houston
San Jose Earthquakes | SJ Earthquakes | Quakes
CF Montreal | Montreal Impact | Impact Montreal
Minnesota United | MNUFC
New England Revolution | NE Revolution | Revs
Philadelphia Union | Philly Union
Vancouver Whitecaps | Whitecaps
Seattle Sounders | Sounders
Atlanta United | ATL UTD
Al Ahly | Al Ahly Cairo | Ahly | Al Ahli Cairo
Zamalek | Zamalek Cairo
Wydad Casablanca | Wydad | WAC Casablanca
Raja Casablanca | Raja
Esperance Tunis | Esperance | Esperance de Tunis | Esperance Sportive de Tunis
Etoile du Sahel | Etoile Sahel | ESS | Etoile Sportive du Sahel
Club Africain | Club Africain Tunis
TP Mazembe | Mazembe
Kaizer Chiefs | Chiefs
Orlando Pirates | Pirates
Mamelodi Sundowns | Sundowns
Al Hilal | Al Hilal Riyadh | Hilal
Al Nassr | Al Nassr Riyadh | Nassr
Al Ittihad | Al Ittihad Jeddah | Ittihad
Al Ahli | Al Ahli Jeddah | Al Ahli Saudi
Guangzhou | Guangzhou Evergrande | Guangzhou FC | Evergrande
Guangzhou City | Guangzhou R&F
Shanghai Port | Shanghai SIPG | SIPG | Shanghai East Asia
Shanghai Shenhua | Shenhua | Shanghai Greenland Shenhua
Beijing Guoan | Guoan | Beijing Sinobo Guoan
Shandong Taishan | Shandong Luneng | Luneng Taishan | Shandong
Jiangsu | Jiangsu Suning | Jiangsu Sainty | Jiangsu FC
Hebei | Hebei China Fortune | Hebei CFFC
Zhejiang | Hangzhou Greentown | Zhejiang Greentown | Zhejiang Professional
Tianjin Jinmen Tiger | Tianjin Teda | Teda | Tianjin Tigers
Tianjin Tianhai | Tianjin Quanjian
Wuhan Zall | Wuhan FC | Wuhan
Dalian Pro | Dalian Yifang | Dalian Aerbin
Changchun Yatai | Yatai
Urawa Red Diamonds | Urawa Reds | Urawa
Yokohama F Marinos | Yokohama Marinos | Marinos
Jeonbuk Hyundai Motors | Jeonbuk | Jeonbuk Motors
Ulsan Hyundai | Ulsan HD | Ulsan
Western Sydney Wanderers | WS Wanderers | Western Sydney
Melbourne Victory | Victory
Atlanta Hawks | Hawks | ATL Hawks
Boston Celtics | Celtics
Brooklyn Nets | Nets | New Jersey Nets
Charlotte Hornets | Hornets
Chicago Bulls | Bulls
Cleveland Cavaliers | Cavaliers | Cavs
Dallas Mavericks | Mavericks | Mavs
Denver Nuggets | Nuggets
Detroit Pistons | Pistons
Golden State Warriors | Warriors | Golden State | GSW | Dubs
Houston Rockets | Rockets
Indiana Pacers | Pacers
Los Angeles Clippers | LA Clippers | Clippers | Clips
Los Angeles Lakers | LA Lakers | Lakers | LAL
Memphis Grizzlies | Grizzlies | Grizz
Miami Heat | Heat
Milwaukee Bucks | Bucks
Minnesota Timberwolves | Timberwolves | Wolves | T-Wolves | Twolves
New Orleans Pelicans | Pelicans | Pels | NOLA Pelicans
New York Knicks | Knicks | NY Knicks | Knickerbockers
Oklahoma City Thunder | Thunder | OKC Thunder | OKC | Oklahoma City
Orlando Magic | Magic
Philadelphia 76ers | 76ers | Sixers | Philly 76ers | Seventy Sixers
Phoenix Suns | Suns
Portland Trail Blazers | Trail Blazers | Trailblazers | Blazers
Sacramento Kings | Kings
San Antonio Spurs | Spurs | SA Spurs
Toronto Raptors | Raptors | Raps
Utah Jazz | Jazz
Washington Wizards | Wizards | Wiz
Olimpia Milano | EA7 Milano | Armani Milano | Olimpia Milan
Virtus Bologna | Virtus Segafredo Bologna
Baskonia | TD Systems Baskonia | Saski Baskonia | Caja Laboral
Anadolu Efes | Efes
Zalgiris Kaunas | Zalgiris
Panathinaikos | Panathinaikos BC
Fenerbahce Beko | Fenerbahce | Fenerbahce Ulker
Partizan Mozzart Bet | Partizan
Maccabi Tel Aviv | Maccabi Playtika Tel Aviv
`;

/** Two-letter states behind a Brazilian club's name. */
const STATES: ReadonlySet<string> = new Set(
  'sp rj mg rs pr sc ba pe ce go pb rn al pa am ma pi mt ms df es se to ro ac ap rr'.split(' '),
);

const GROUPS: readonly (readonly string[])[] = `${NICKNAMES.trim()}\n${FORMER_NAMES.trim()}`
  .split('\n')
  .map((line) => line.split(' | '));
const GROUPS_BY_KEY: ReadonlyMap<string, readonly number[]> = keyGroups();

/** Every other name known for this one; empty for most. A second team goes by its own line, else by its club's. */
export function nicknamesOf(name: ParsedName): readonly OtherName[] {
  const key = keyOf(name.words.map((word) => word.text));
  const side = name.variant === 0 ? undefined : GROUPS_BY_KEY.get(sideKey(name.variant, key));
  const groups = side ?? groupsOfClub(name.text, key);
  return groups.flatMap((group) => GROUPS[group]!.map((text) => ({ text, wholeSide: side !== undefined })));
}

/** Lines that hold the name as written or by its telling words; only without those, by them less a Brazilian state. */
function groupsOfClub(text: string, key: string): readonly number[] {
  const groups = new Set([...(GROUPS_BY_KEY.get(text) ?? []), ...(GROUPS_BY_KEY.get(key) ?? [])]);
  return groups.size > 0 ? [...groups] : (GROUPS_BY_KEY.get(withoutState(key)) ?? []);
}

function keyGroups(): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (let group = 0; group < GROUPS.length; group++) {
    for (const key of new Set(GROUPS[group]!.flatMap(keysOf))) {
      const list = groups.get(key);
      if (list === undefined) groups.set(key, [group]);
      else list.push(group);
    }
  }
  return groups;
}

function keysOf(name: string): string[] {
  const texts = splitWords(foldText(name, 200)).map((word) => word.text);
  const parsed = parseName(name);
  const keys = [texts.join(' '), keyOf(texts)];
  if (parsed.variant !== 0) keys.push(sideKey(parsed.variant, keyOf(parsed.words.map((word) => word.text))));
  return keys;
}

function sideKey(variant: number, key: string): string {
  return `${variant}|${key}`;
}

/**
 * The words that tell: plain and two-letter club forms and years are left out. Longer forms stay, for they often tell
 * two clubs of one town apart ("VfB Leipzig").
 */
function keyOf(texts: readonly string[]): string {
  const telling = texts.filter((text, index) => {
    const kind = kindOfTeamWord(text);
    if (kind === KIND_NUMBER) return index > 0 && text.length < 4;
    return kind < KIND_AFFIX || (kind === KIND_AFFIX && text.length > 2);
  });
  return (telling.length === 0 ? texts : telling).map(formOf).join(' ');
}

function withoutState(key: string): string {
  const at = key.lastIndexOf(' ');
  return at > 0 && STATES.has(key.slice(at + 1)) ? key.slice(0, at) : key;
}
