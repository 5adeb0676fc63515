// Former names, names of merged clubs' heirs, sponsors' names, full and local-language names of clubs, by country: the
// second part of the nickname table, in the same form. General knowledge of the game.

export const FORMER_NAMES = `
Bodo Glimt | FK Bodo Glimt
Tromso | Tromso IL
Stabaek | Stabaek Fotball
Sandnes Ulf | Ulf Sandnes
Mjondalen | MIF
Fredrikstad | FFK
Kongsvinger | KIL
Sogndal | Sogndal Fotball
Haugesund | FK Haugesund
Hodd | IL Hodd
Aalesund | Aalesunds FK | AaFK | Alesund
Sarpsborg 08 | Sarpsborg Sparta
Kristiansund | KBK
Ranheim | Ranheim Fotball
Lyn | SFK Lyn
Skeid | Skeid Oslo
Randers | Randers Freja
Silkeborg | SIF
Viborg | Viborg FF
Horsens | AC Horsens | ACH
Vejle | Vejle BK | VB Vejle
Lyngby | Lyngby BK
Hobro | Hobro IK
Vestsjaelland | FC Vestsjaelland | Slagelse
AB | AB Copenhagen | Akademisk Boldklub | AB Gladsaxe | Akademisk Boldklub Gladsaxe
B 93 | B 93 Copenhagen | Boldklubben af 1893 | B 93 Kobenhavn
Frem | BK Frem | Boldklubben Frem | Frem Copenhagen
KB | Kjobenhavns Boldklub
Hvidovre | Hvidovre IF
Koge | HB Koge | Herfolge
Naestved | Naestved BK
Fredericia | FC Fredericia
Nykobing | Nykobing FC | Lolland Falster Alliancen | LFA
Kolding | Kolding IF | Kolding FC
Ikast | Ikast FS
AGF | Aarhus Gymnastikforening
OB | Odense Boldklub
AaB | Aalborg Boldspilklub
Helsingborg | Helsingborgs IF | HIF
Orebro | Orebro SK
Norrkoping | IFK Norrkoping | Peking
Kalmar | Kalmar FF
Halmstad | Halmstads BK | HBK
Sundsvall | GIF Sundsvall
Gefle | Gefle IF | Gavle
Mjallby | Mjallby AIF
Atvidaberg | Atvidabergs FF
Landskrona | Landskrona BoIS
Trelleborg | Trelleborgs FF
Osters | Osters IF | Oster Vaxjo
Sirius | IK Sirius | Sirius Uppsala
Ljungskile | Ljungskile SK
Orgryte | Orgryte IS | OIS
Dalkurd | Dalkurd FF | Dalkurd Uppsala
Syrianska | Syrianska FC | Syrianska Sodertalje
Assyriska | Assyriska FF | Assyriska Sodertalje
Ostersund | Ostersunds FK | OFK
AFC Eskilstuna | AFC United | Athletic FC Eskilstuna
Vasteras | Vasteras SK | VSK
Degerfors | Degerfors IF
Varberg | Varbergs BoIS
Djurgarden | DIF
AIK | Allmanna Idrottsklubben | Gnaget
HJK | Helsingin Jalkapalloklubi | HJK Helsingfors | Klubi
HIFK | HIFK Helsinki | IFK Helsinki | IFK Helsingfors
Lahti | FC Lahti
Honka | FC Honka | Honka Espoo
Mariehamn | IFK Mariehamn
Jaro | FF Jaro | Jaro Pietarsaari | Jaro Jakobstad
MyPa | MyPa 47 | MyPa Anjalankoski | Myllykosken Pallo
Tampere United | TamU
Ilves | Tampereen Ilves
KPV | KPV Kokkola | Kokkolan Palloveikot
PK 35 | PK 35 Vantaa | Pallokerho 35
KTP | FC KTP | KTP Kotka | Kotkan Tyovaen Palloilijat
Jazz | FC Jazz | Jazz Pori | FC Jazz Pori
AC Oulu | Oulu
Gnistan | IF Gnistan
EIF | Ekenas IF | EIF Ekenas | Ekenas
JJK | JJK Jyvaskyla | Jyvaskylan Jalkapalloklubi
VPS | Vasa BK
KR | KR Reykjavik | Knattspyrnufelag Reykjavikur
FH | FH Hafnarfjordur | Fimleikafelag Hafnarfjardar | Hafnarfjordur
IA | IA Akranes | Akranes | Ithrottabandalag Akraness
IBV | IBV Vestmannaeyjar | Vestmannaeyjar | Vestmannaeyja
KA | KA Akureyri | Knattspyrnufelag Akureyrar
Thor | Thor Akureyri | Thor Akureyri AC
Valur | Valur Reykjavik
Fram | Fram Reykjavik
Vikingur Reykjavik | Vikingur | Vikingur R
Fylkir | Fylkir Reykjavik
Breidablik | Breidablik Kopavogur | Breidablik UBK | UBK
HK Kopavogur | HK | Handknattleiksfelag Kopavogs
Stjarnan | Stjarnan Gardabaer
Keflavik | IBK Keflavik
Grindavik | UMFG
Vikingur Olafsvik | Vikingur O
Leiknir Reykjavik | Leiknir
Selfoss | UMF Selfoss
B36 | B36 Torshavn
HB | HB Torshavn | Havnar Boltfelag
KI | KI Klaksvik | Klaksvik | Klaksvikar Itrottarfelag
EB Streymur | EB/Streymur | Streymur
NSI | NSI Runavik | Runavik
B68 | B68 Toftir | Toftir
GI | GI Gota | Gota
Vikingur | Vikingur Gota | Vikingur Gotu
VB Vagur | VB | FC Suduroy | Suduroy
TB | TB Tvoroyri | Tvoroyri
07 Vestur | FC 07 Vestur
Skala | Skala IF
Groningen | FC Groningen | GVAV
Utrecht | FC Utrecht | DOS Utrecht
Emmen | FC Emmen
Den Bosch | FC Den Bosch | BVV Den Bosch
Dordrecht | FC Dordrecht | Dordrecht 90 | DFC
Eindhoven | FC Eindhoven
Volendam | FC Volendam
Helmond Sport | Helmond
Telstar | Telstar IJmuiden | Telstar Velsen | Stormvogels Telstar
Fortuna Sittard | Sittard | FSC
Veendam | SC Veendam | BV Veendam
Haarlem | HFC Haarlem
RBC Roosendaal | RBC | Roosendaal
AGOVV | AGOVV Apeldoorn | Apeldoorn
Achilles 29 | Achilles 29 Groesbeek
NAC Breda | NOAD ADVENDO Combinatie
NEC Nijmegen | Nijmegen Eendracht Combinatie
PSV | Philips Sport Vereniging
AZ Alkmaar | AZ 67 | Alkmaar Zaanstreek
ADO Den Haag | FC Den Haag | Alles Door Oefening
PEC Zwolle | FC Zwolle | Prins Hendrik Ende Desespereert Nimmer Combinatie
VVV Venlo | Venlose Voetbal Vereniging
MVV Maastricht | Maatschappelijke Voetbal Vereniging
RKC Waalwijk | Rooms Katholieke Combinatie Waalwijk
Twente | FC Twente 65
Vitesse | SBV Vitesse
Katwijk | VV Katwijk
Legia Warsaw | CWKS Legia | CWKS Warszawa
Lech Poznan | Kolejorz | Amica Lech
Polonia Warsaw | Polonia Warszawa | Czarne Koszule
Widzew Lodz | Widzew | RTS Widzew
LKS Lodz | LKS | Lodzki KS
Zaglebie Lubin | Zaglebie
Korona Kielce | Korona | Kolporter Korona | Kolporter Kielce
Pogon Szczecin | Pogon | Portowcy
Lechia Gdansk | Lechia
Arka Gdynia | Arka | Prokom Arka Gdynia
Piast Gliwice | Piast
Ruch Chorzow | Ruch
GKS Belchatow | Belchatow | BOT GKS Belchatow | PGE GKS Belchatow
GKS Katowice | Katowice | Dospel Katowice | GieKSa
GKS Tychy | Tychy
Wisla Plock | Petrochemia Plock | Petro Plock | Orlen Plock | Plock
Gornik Leczna | Bogdanka Leczna | Leczna | GKS Bogdanka
Odra Wodzislaw | Odra Wodzislaw Slaski
Groclin Grodzisk | Dyskobolia Grodzisk | Dyskobolia Grodzisk Wielkopolski | Dyskobolia | Groclin Dyskobolia
Amica Wronki | Amica
Zawisza Bydgoszcz | Zawisza
Rakow Czestochowa | Rakow
Warta Poznan | Warta
Stal Mielec | FKS Stal Mielec | PGE Stal Mielec
Radomiak Radom | Radomiak
Puszcza Niepolomice | Puszcza
Sandecja Nowy Sacz | Sandecja
Miedz Legnica | Miedz
Motor Lublin | Motor
Jagiellonia Bialystok | Jagiellonia
Szombierki Bytom | Szombierki
Cracovia | MKS Cracovia | Comarch Cracovia
Termalica Nieciecza | LKS Nieciecza
Garbarnia Krakow | Garbarnia
Hutnik Krakow | Hutnik Nowa Huta | Hutnik
Bohemians 1905 | Bohemka | AFK Vrsovice
Dukla Prague | Dukla Praha | UDA Praha
Slavia Prague | Sesivani | SK Slavia
Viktoria Zizkov | Viktoria Zizkov Praha
Slovan Liberec | Slovan Elitex Liberec
Jablonec | FK Jablonec 97 | Baumit Jablonec | Jablonec nad Nisou
Mlada Boleslav | FK Mlada Boleslav | Skoda Mlada Boleslav
Teplice | FK Teplice | Sklo Union Teplice
Hradec Kralove | Spartak Hradec Kralove | SK Hradec Kralove
Pribram | Marila Pribram | Dukla Pribram | 1. FK Pribram
Sigma Olomouc | SK Sigma Olomouc MZ
Slovacko | Synot Slovacko | Synot Stare Mesto
Zlin | Fastav Zlin | Tescoma Zlin | Trinity Zlin
Karvina | MFK OKD Karvina | MFK Karvina
Opava | Slezsky FC Opava | Kaucuk Opava
Drnovice | Petra Drnovice
Usti nad Labem | Army Usti nad Labem
Bohemians Prague Strizkov | FK Bohemians Praha | Bohemians Strizkov | FC Strizkov Praha 9
Most | SIAD Most | FK SIAD Most
Blsany | Chmel Blsany
Banik Ostrava | Banik
Pardubice | FK Pardubice
Slovan Bratislava | CHZJD Slovan Bratislava
Zilina | MSK Zilina
Kosice | MFK Kosice | 1. FC Kosice | VSS Kosice | FC VSS Kosice | Steel Trans Licartovce
Inter Bratislava | ASK Inter Slovnaft Bratislava
Artmedia Petrzalka | Artmedia Bratislava | Petrzalka | Artmedia | MFK Petrzalka
Dukla Banska Bystrica | Banska Bystrica | FK Dukla Banska Bystrica
Ruzomberok | MFK Ruzomberok | SCP Ruzomberok
Nitra | FC Nitra | Plastika Nitra
Tatran Presov | Presov | 1. FC Tatran Presov
Senica | FK Senica
Trencin | AS Trencin | Ozeta Dukla Trencin | Laugaricio Trencin | FK AS Trencin
Podbrezova | Zeleziarne Podbrezova | ZP Sport Podbrezova
Skalica | MFK Skalica
Sered | SKF Sered | iClinic Sered
Pohronie | FK Pohronie
Komarno | KFC Komarno
Liptovsky Mikulas | Tatran Liptovsky Mikulas
Ferencvaros | Ferencvarosi Torna Club | Franzstadt
MTK Budapest | MTK Hungaria | Hungaria | Magyar Testgyakorlok Kore
Ujpest | Ujpesti Dozsa | Ujpest Dozsa
Honved | Kispest Honved | Kispest | Budapesti Honved SE
Vasas | Vasas SC
Fehervar | Videoton Szekesfehervar | Alba Volan | Szekesfehervar | FC Fehervar
Debrecen | Debreceni Vasutas SC | Loki
Gyor | Raba ETO | Raba ETO Gyor | Vasas ETO
Paks | Paksi FC | Paksi SE | Atomeromu SE
Kecskemet | Kecskemeti TE | KTE | Ereco
Pecs | Pecsi MFC | PMFC | Pecsi Dozsa
Siofok | Siofoki Banyasz | BFC Siofok
Kaposvar | Kaposvari Rakoczi
Nyiregyhaza | Nyiregyhaza Spartacus | Szpari
Lombard Papa | Lombard Papa TFC | Papa
Tatabanya | Tatabanyai Banyasz | FC Tatabanya
Mezokovesd | Mezokovesd Zsory | Mezokovesdi SE
Dunaujvaros | Dunaferr | Dunaujvaros PASE
Kisvarda | Kisvarda Master Good | Varda
Balmazujvaros | Balmaz Kamilla Gyogyfurdo
BVSC | BVSC Budapest
Csepel | Csepel SC
III Keruleti TVE | III. Keruleti TUE
Soproni VSE | Sopron | FC Sopron | MATAV Sopron | Matav Compaq Sopron
Bekescsaba | Bekescsaba 1912 Elore | Bekescsabai Elore
Szolnok | Szolnoki MAV
Red Star Belgrade | FK Crvena Zvezda | Etoile Rouge Belgrade | Estrella Roja
Partizan | FK Partizan
Vojvodina Novi Sad | FK Vojvodina | Vosa
Rad | Rad Beograd | Rad Belgrade
Spartak Subotica | Spartak Zlatibor Voda | Zlatibor Voda
Zemun | FK Zemun
Obilic | Obilic Beograd | Obilic Belgrade
Radnicki Nis | Radnicki N
Javor Ivanjica | Javor | Habitfarm Javor | Javor Matis
Napredak Krusevac | Napredak
Sloboda Uzice | Sloboda Point Sevojno | Sevojno
Borac Cacak | Borac C
Jagodina | FK Jagodina
Sartid Smederevo | FK Smederevo | Smederevo 1924 | Sartid
Metalac Gornji Milanovac | Metalac
Vozdovac | Vozdovac Beograd
Mladost Lucani | Mladost L
TSC Backa Topola | Topolyai SC
OFK Beograd | Romanticari
Zeleznik | FK Zeleznik
Macva Sabac | Macva
Proleter Novi Sad | Proleter
IMT Beograd | IMT
Hajduk Kula | Hajduk K
Buducnost Podgorica | Buducnost Titograd
Rudar Pljevlja | Rudar
Zeta Golubovci | Zeta | Zeta Golubovac
Decic Tuzi | Decic
Mogren Budva | Mogren
Mladost Podgorica | OFK Titograd | Titograd
Grbalj | OFK Grbalj | Grbalj Radanovici
Lovcen Cetinje | Lovcen
Petrovac | OFK Petrovac
Kom Podgorica | Kom
Iskra Danilovgrad | Iskra
Arsenal Tivat | Arsenal
Jezero Plav | Jezero
Zeljeznicar Sarajevo | FK Zeljeznicar
Sarajevo | FK Sarajevo
Borac Banja Luka | Borac | Borac BL
Velez Mostar | Velez
Celik Zenica | Celik
Sloboda Tuzla | Sloboda
Slavija Sarajevo | Slavija | Slavija Istocno Sarajevo
Leotar Trebinje | Leotar
Modrica | Modrica Maxima | Modrica Alfa
Olimpik Sarajevo | Olimpic Sarajevo | Olimpik
Radnik Bijeljina | Radnik
Zvijezda Gradacac | Zvijezda
Posusje | HSK Posusje
Orasje | HNK Orasje
Brotnjo Citluk | Brotnjo
Tirana | KF Tirana | 17 Nentori | SK Tirana
Dinamo Tirana | Dinamo City
Vllaznia Shkoder | Vllaznia
Teuta Durres | Teuta
Elbasani | KF Elbasani | Labinoti | KS Elbasani
Flamurtari Vlore | Flamurtari
Besa Kavaje | Besa
Tomori Berat | Tomori
Kukesi | FK Kukesi
Laci | KF Laci
Bylis Ballsh | Bylis
Luftetari Gjirokaster | Luftetari
Kastrioti Kruje | Kastrioti
Apolonia Fier | Apolonia
Shkumbini Peqin | Shkumbini
Lushnja | KS Lushnja
Egnatia | Egnatia Rrogozhine
Kamza | FC Kamza | FK Kamza
Korabi Peshkopi | Korabi
BATE Borisov | BATE Barysau
Dinamo Minsk | Dynamo Minsk
Shakhtyor Soligorsk | Shakhtar Salihorsk | Shakhter Soligorsk | Shakhtyor
Gomel | FK Gomel | Homel | Gomselmash Gomel
Neman Grodno | Neman | Nyoman Hrodna
Torpedo Zhodino | Torpedo BelAZ Zhodino | Torpedo Belaz | Torpedo Zhodzina
Dnepr Mogilev | Dnyapro Mahilyow | Dnepr Transmash Mogilev
Vitebsk | FK Vitebsk | Lokomotiv 96 | Lokomotiv Vitebsk
Slavia Mozyr | Slavia Mazyr | MPKC Mozyr
Naftan Novopolotsk | Naftan | Naftan Navapolatsk
Dinamo Brest | Dynamo Brest
Minsk | FC Minsk | Smena Minsk
Belshina Bobruisk | Belshina | Fandok Bobruisk
Isloch Minsk Raion | Isloch | Isloch Minsk
Energetik BGU Minsk | Energetik BGU | Energetik-BDU
Rukh Brest | Ruh Brest
Gorodeya | FC Gorodeya | Haradzeya
Slutsk | FK Slutsk | Slutsksakhar
Partizan Minsk | MTZ RIPO | MTZ RIPO Minsk
Smorgon | FK Smorgon | Smarhon
Krumkachy Minsk | Krumkachy | NFK Minsk
Zimbru Chisinau | Zimbru | Nistru Chisinau | Zimbrul
Dacia Chisinau | Dacia
Milsami Orhei | Milsami | Viitorul Orhei
Petrocub Hincesti | Petrocub | Rapid Petrocub
Nistru Otaci | Nistru
Tiraspol | FC Tiraspol | Constructorul Chisinau | Constructorul Cioburciu
Tiligul Tiraspol | Tiligul | Tiligul Tiras Tiraspol
Academia Chisinau | Academia UTM | Academia UTM Chisinau
Olimpia Balti | FC Balti | Zaria Balti | Zarea Balti | FC Zaria Balti
Sfintul Gheorghe | Sfantul Gheorghe Suruceni
Iskra Stal Ribnita | Iskra Stal
Rapid Ghidighici | Rapid Chisinau
Speranta Nisporeni | Speranta
Saxan | Saxan Ceadir Lunga | Saxan Gagauz Yeri
Dinamo Tbilisi | Iberia Tbilisi
Saburtalo Tbilisi | Saburtalo | Iberia 1999 | Iberia 1999 Tbilisi
Torpedo Kutaisi | Torpedo K
Rustavi | FC Rustavi | Olimpi Rustavi | Metalurgi Rustavi
Zestaponi | FC Zestafoni | Zestafoni | Metalurgi Zestaponi
WIT Georgia | WIT Georgia Tbilisi
Dila Gori | Dila
Sioni Bolnisi | Sioni
Chikhura Sachkhere | Chikhura
Locomotive Tbilisi | Lokomotivi Tbilisi | Lokomotiv Tbilisi
Samtredia | FC Samtredia | Lokomotivi Samtredia
Kolkheti Poti | Kolkheti 1913 | Kolkheti
Guria Lanchkhuti | Guria
Ameri Tbilisi | Ameri
Gagra | FC Gagra
Telavi | FC Telavi | Kakheti Telavi
Kairat Almaty | Kairat Alma Ata
Astana | FC Astana | Lokomotiv Astana
Astana 1964 | Zhenis Astana | FK Zhenis | Tselinograd
Irtysh Pavlodar | Irtysh
Tobol Kostanay | Tobol | Tobyl | Tobyl Kostanay
Aktobe | FC Aktobe | Aktobe Lento
Shakhter Karagandy | Shakhtar Karagandy | Shakhter Karaganda | Shakhtyor Karagandy
Ordabasy Shymkent | Ordabasy
Taraz | FC Taraz | Dinamo Zhambyl
Atyrau | FC Atyrau | Munaishy Atyrau
Okzhetpes Kokshetau | Okzhetpes
Kyzylzhar Petropavlovsk | Kyzylzhar | Yesil Bogatyr | Esil Bogatyr | Kyzyl Zhar SK
Kaisar Kyzylorda | Kaisar | Kaysar
Zhetysu Taldykorgan | Zhetysu | Jetisu
Vostok Oskemen | Vostok | Vostok Ust Kamenogorsk
Caspiy Aktau | Caspiy | Kaspiy
Megasport | FC Almaty | Alma Ata
APOEL | APOEL Lefkosia | Athletikos Podosferikos Omilos Ellinon Lefkosias
AEK Larnaca | EPA Larnaca | Pezoporikos Larnaca
Anorthosis | Anorthosis Ammochostou
AEP Paphos | AEP | Paphos
Pafos | Pafos FC | Paphos FC
Ethnikos Achna | Achnas
Ermis Aradippou | Ermis
Alki Larnaca | Alki
Enosis Neon Paralimni | Enosis Paralimni | ENP | Paralimni
Olympiakos Nicosia | Olympiacos Nicosia | Olympiakos Lefkosia
Aris Limassol | Aris Lemesos
Doxa Katokopias | Doxa | Doxa Katokopia
Digenis Morphou | Digenis Akritas Morphou
APOP Kinyras Peyias | APOP Kinyras | APOP
Karmiotissa | Karmiotissa Polemidion | Karmiotissa Pano Polemidia
Evagoras Paphos | APOP Paphos
Othellos Athienou | Othellos Athienos
Maccabi Haifa | MHFC
Maccabi Netanya | M Netanya
Maccabi Petah Tikva | Maccabi Petach Tikva | M Petah Tikva | Maccabi PT
Hapoel Petah Tikva | Hapoel Petach Tikva | H Petah Tikva
Hapoel Haifa | H Haifa
Hapoel Jerusalem | Hapoel Katamon | Hapoel Katamon Jerusalem
Bnei Sakhnin | Ihud Bnei Sakhnin | Hapoel Bnei Sakhnin
Hapoel Ramat Gan | Ramat Gan | Hapoel Ramat Gan Givatayim
Hakoah Amidar Ramat Gan | Hakoah Ramat Gan | Hakoah Maccabi Ramat Gan
Hapoel Raanana | Ra'anana
Hapoel Acre | Hapoel Akko
Hapoel Nof HaGalil | Hapoel Nazareth Illit | Nazareth Illit
Hapoel Rishon LeZion | Rishon LeZion
Hapoel Hadera | Hadera
Hapoel Kfar Saba | Kfar Saba
Ironi Ramat HaSharon | Ramat HaSharon | Hapoel Ramat HaSharon
Sektzia Nes Tziona | Nes Tziona | Ness Ziona
Maccabi Bnei Reineh | Bnei Reineh
Ironi Tiberias | Tiberias
Maccabi Herzliya | Herzliya
Maccabi Ahi Nazareth | Ahi Nazareth
Galatasaray | Galatasaray SK | Cimbom
Fenerbahce | FB Istanbul | Sari Kanarya
Besiktas | Besiktas JK | Kara Kartallar
Bursaspor | Bursa
Antalyaspor | Antalya
Konyaspor | Konya | Atiker Konyaspor | Tumosan Konyaspor | Torku Konyaspor | Ittifak Holding Konyaspor
Kayserispor | Kayseri
Kayseri Erciyesspor | Erciyesspor
Sivasspor | Sivas | Demir Grup Sivasspor | Medicana Sivasspor
Eskisehirspor | Eskisehir
Gaziantepspor | Gaziantep SK
Samsunspor | Samsun | Yilport Samsunspor
Denizlispor | Denizli | Abali Denizlispor
Kocaelispor | Kocaeli | Izmit
Malatyaspor | Malatya
Yeni Malatyaspor | Evkur Yeni Malatyaspor | Malatya Belediyespor | BtcTurk Yeni Malatyaspor
Diyarbakirspor | Diyarbakir
Adanaspor | Adana
Manisaspor | Vestel Manisaspor | Manisa
Manisa FK | Manisa BBSK
Karabukspor | Kardemir Karabukspor | Kardemir Karabuk | Karabuk
Mersin Idman Yurdu | Mersin | Mersin IY
Orduspor | Ordu
Alanyaspor | Alanya | Aytemiz Alanyaspor | Corendon Alanyaspor
Hatayspor | Hatay | Atakas Hatayspor
Giresunspor | Giresun | GZT Giresunspor | Bitexen Giresunspor
Boluspor | Bolu
Balikesirspor | Balikesir
Elazigspor | Elazig | Sanica Boru Elazigspor
Erzurumspor | Erzurum | Buyuksehir Belediye Erzurumspor | BB Erzurumspor | Erzurum BB
Umraniyespor | Umraniye
Istanbulspor | Istanbul
Sariyer | Sariyer SK
Karsiyaka | Karsiyaka Izmir | KSK
Bucaspor | Buca
Altinordu | Altinordu Izmir
Menemenspor | Menemen Belediyespor | Menemen
Eyupspor | Eyup
Bodrumspor | Bodrum | Bodrum FK
Pendikspor | Pendik | Siltas Yapi Pendikspor
Amedspor | Amed | Diyarbakir Buyuksehir Belediyespor | Amed SK
Ankaragucu | Makina ve Kimya Endustrisi Ankaragucu | MKE Ankara
Ankara Keciorengucu | Keciorengucu
Sanliurfaspor | Sanliurfa | Urfaspor
Tuzlaspor | Tuzla
Bandirmaspor | Bandirma
Corum FK | Corum | Corumspor | Yeni Corumspor
Sakaryaspor | Sakarya
Zonguldakspor | Zonguldak
Vanspor | Van
Istanbul Basaksehir | Medipol Basaksehir | Istanbul Buyuksehir | Rams Basaksehir | IBFK | IBB | Istanbul Buyuksehir Belediyesi
Genclerbirligi | Gencler
Hacettepe | Genclerbirligi OFTAS | OFTAS | Asas
Caykur Rizespor | Rizespor
Aberdeen | Dons
Dundee | Dundee FC | Dee
Motherwell | Steelmen
Livingston | Meadowbank Thistle | Ferranti Thistle | Livi
Ross County | Staggies
St Mirren | Buddies
Falkirk | Bairns
Ayr United | Ayr | Honest Men
Alloa Athletic | Alloa | Wasps
Arbroath | Red Lichties
Brechin City | Brechin
Clyde | Bully Wee | Clyde Cumbernauld
Cove Rangers | Cove
Cowdenbeath | Blue Brazil
Dumbarton | Sons
East Fife | Fifers
East Stirlingshire | East Stirling | Shire | E Stirling
Edinburgh City | FC Edinburgh
Elgin City | Elgin
Forfar Athletic | Forfar | Loons
Gretna | Gretna FC
Montrose | Gable Endies
Peterhead | Blue Toon
Queens Park | Queen's Park | Spiders
Stirling Albion | Stirling | Binos
Annan Athletic | Annan
Kelty Hearts | Kelty
Bonnyrigg Rose | Bonnyrigg
Spartans | The Spartans
Third Lanark | Third Lanark AC
Airdrieonians | Diamonds
Inverness Caledonian Thistle | Inverness Caledonian
Hearts | Jambos | Heart of Mid | HMFC
Hibernian | Hibees | Hibernian Edinburgh
Rangers | Glasgow Rangers
Greenock Morton | Ton
Raith Rovers | Raith Kirkcaldy
Connahs Quay Nomads | Gap Connahs Quay | Deeside Nomads | gap Connah's Quay | Connah's Quay
Aberystwyth Town | Aberystwyth | Aber
Bala Town | Bala
Barry Town United | Barry Town | Barry
Caernarfon Town | Caernarfon | Cofis
Cardiff Metropolitan University | Cardiff Met | UWIC Inter Cardiff | Cardiff Metropolitan | UWIC | Inter Cardiff
Carmarthen Town | Carmarthen
Cefn Druids | Newi Cefn Druids | Elements Cefn Druids | Flexsys Cefn Druids | Cefn Druids AFC | Druids
Airbus UK Broughton | Airbus UK | Broughton | Airbus
Rhyl | Rhyl FC | CPD Y Rhyl 1879
Prestatyn Town | Prestatyn
Newtown | Newtown AFC
Neath | Neath Athletic
Port Talbot Town | Port Talbot
Llanelli Town | Llanelli
Haverfordwest County | Haverfordwest
Cwmbran Town | Cwmbran
Ebbw Vale | Ebbw Vale FC
Penybont | Pen y Bont | Bridgend
Flint Town United | Flint
Colwyn Bay | Colwyn Bay FC
Bangor City | Bangor City FC
Welshpool Town | Technogroup Welshpool | Welshpool
Caersws | Caersws FC
The New Saints | Llansantffraid | Oswestry Town | TNS Llansantffraid | Oswestry | New Saints
Cardiff City | Cardiff | Bluebirds
Swansea City | Swansea Town
Newport County | Newport
Wrexham | Wrexham AFC
Merthyr Town | Merthyr Tydfil | Merthyr
Glentoran | Glens
Crusaders | Crusaders Belfast | Crues
Coleraine | Bannsiders
Ballymena United | Ballymena
Glenavon | Glenavon Lurgan | Lurgan Blues
Portadown | Ports
Dungannon Swifts | Dungannon
Carrick Rangers | Carrick
Larne | Larne FC
Newry City | Newry Town | Newry | Newry City AFC
Institute | Institute Derry | Stute
Lisburn Distillery | Distillery
Ards | Ards Newtownards
Bangor | Bangor FC
Loughgall | Villagers
Warrenpoint Town | Warrenpoint
Omagh Town | Omagh
Benfica | Sport Lisboa e Benfica | Aguias
Sporting CP | Leoes | SCP
Porto | FCP | Dragoes
Braga | Arsenalistas | SCB
Vitoria Guimaraes | VSC | Guimaraes SC
Boavista | Boavisteiros | Axadrezados
Belenenses | CF Os Belenenses
Academica Coimbra | AAC | OAF | Academica OAF
Pacos Ferreira | Pacos
Maritimo | Maritimo Madeira
Nacional | Nacional da Madeira | Nacional Funchal
Uniao Madeira | Uniao da Madeira | Uniao Funchal | CF Uniao
Olhanense | SC Olhanense | Olhao
Portimonense | Portimonense SC | Portimao
Farense | SC Farense | Faro
Naval | Naval 1 de Maio | Naval Figueira da Foz | Associacao Naval 1 de Maio
Estoril | Estoril Praia | GD Estoril Praia
Moreirense | Moreirense FC | Moreira de Conegos
Arouca | FC Arouca
Feirense | CD Feirense
Tondela | CD Tondela
Chaves | GD Chaves | Desportivo Chaves | Desportivo de Chaves
Trofense | CD Trofense | Trofa
Penafiel | FC Penafiel
Oliveirense | UD Oliveirense
Varzim | Varzim SC | Povoa de Varzim
Vizela | FC Vizela
Famalicao | FC Famalicao
Salgueiros | SC Salgueiros | Salgueiros 08
Campomaiorense | SC Campomaiorense
Alverca | FC Alverca
Felgueiras | FC Felgueiras | FC Felgueiras 1932
Mafra | CD Mafra
Santa Clara | CD Santa Clara | Santa Clara Acores
Freamunde | SC Freamunde
Leca | Leca FC
Torreense | SCU Torreense | Torres Vedras
Amora | Amora FC
Barreirense | FC Barreirense
CUF Barreiro | CUF | Fabril Barreiro
Atletico CP | Atletico Clube de Portugal | Atletico Lisboa
Oriental | Clube Oriental de Lisboa | Oriental Lisboa | COL
Real Massama | Real SC | Real Queluz
Vilafranquense | UD Vilafranquense
Cova da Piedade | CD Cova da Piedade | Piedade
Lusitania Lourosa | Lourosa
AVS | AVS Futebol SAD | Aves SAD
Gil Vicente | Gilistas
Dudelange | Stade Dudelange
Differdange 03 | Differdange | FC Differdange 03 | Red Boys Differdange
Jeunesse Esch | Jeunesse | Jeunesse d'Esch
Fola Esch | Fola | CS Fola Esch
Grevenmacher | CS Grevenmacher
Progres Niederkorn | Progres Niedercorn | Niederkorn | Progres
Union Luxembourg | Racing Luxembourg | RFCUL | Racing FC Union Luxembourg | Racing Union
Avenir Beggen | Beggen
Spora Luxembourg | CA Spora Luxembourg | Spora
Etzella Ettelbruck | Etzella | Ettelbruck
Mondorf les Bains | US Mondorf | Mondorf
Wiltz | FC Wiltz 71 | Wiltz 71
Victoria Rosport | Rosport
Swift Hesperange | Swift Hesper | Hesperange
UNA Strassen | Strassen
RM Hamm Benfica | Hamm Benfica | Hamm
Rumelange | US Rumelange
Kaerjeng 97 | UN Kaerjeng | Kaerjeng | UN Kaerjeng 97 | Bascharage
Titus Petange | Petange | CS Petange | UT Petange | Union Titus Petange
Lincoln Red Imps | Newcastle Gibraltar | Lincoln
Europa FC | College Europa | Europa Gibraltar
Flamengo | Fla | Rubro Negro | Regatas do Flamengo | Clube de Regatas do Flamengo
Fluminense | Tricolor Carioca | Fluminense Football Club
Vasco da Gama | Club de Regatas Vasco da Gama
Botafogo RJ | Fogao | Estrela Solitaria | Botafogo FR | BFR
Corinthians | Coringao | Sport Club Corinthians Paulista
Palmeiras | Palestra Italia | Sociedade Esportiva Palmeiras
Sao Paulo | Tricolor Paulista
Santos | Peixe
Cruzeiro | Palestra Italia MG | Cruzeiro EC
Gremio | Gremio FBPA | Gremio Foot Ball Porto Alegrense
Bahia | Tricolor de Aco | Esquadrao
Vitoria | Leao da Barra | Esporte Clube Vitoria
Sport Recife | Sport Club Recife | Leao da Ilha
Nautico | Clube Nautico Capibaribe | Timbu | Nautico Capibaribe
Santa Cruz | Santa Cruz FC | Santa Cruz PE | Santa Cruz Recife
Ceara | Vozao
Fortaleza | Leao do Pici
Goias | Esmeraldino
Coritiba | Coritiba FBC | Coritiba Foot Ball Club
Figueirense | Figueira | Figueirense FC
Criciuma | Comerciario
Chapecoense | Associacao Chapecoense de Futebol | ACF
Ponte Preta | Macaca | Associacao Atletica Ponte Preta
Guarani | Bugre
Bragantino | Clube Atletico Bragantino | Massa Bruta
Portuguesa | Associacao Portuguesa de Desportos | Portuguesa de Desportos
Sao Caetano | AD Sao Caetano | Azulao
Santo Andre | EC Santo Andre | Ramalhao
Paysandu | Paysandu SC | Papao | Paysandu Belem
Remo | Clube do Remo | Remo PA | Remo Belem
Brasiliense | Brasiliense FC | Jacare
Gama | SE Gama | Gama DF
Gremio Barueri | Barueri | Gremio Prudente | Prudente | Gremio Recreativo Barueri
Ipatinga | Ipatinga FC | Betim
America RJ | America FC RJ | America Rio
Bangu | Bangu AC
Madureira | Madureira EC
Boavista RJ | Boavista Saquarema
Volta Redonda | Voltaco
Juventude | Ju | Papo
Caxias | SER Caxias | Caxias do Sul
Brasil de Pelotas | Brasil Pelotas | GE Brasil | Xavante | Gremio Esportivo Brasil
Londrina | Londrina EC | Tubarao
Operario PR | Operario Ponta Grossa | Fantasma
Cascavel | FC Cascavel
ABC | ABC Natal | ABC RN
Sampaio Correa | Sampaio | Sampaio Correa MA | Bolivia Querida
Botafogo SP | Botafogo Ribeirao Preto | Botafogo de Ribeirao Preto
Botafogo PB | Botafogo Joao Pessoa | Belo
Treze | Treze PB | Treze Campina Grande
Campinense | Campinense PB | Campinense Campina Grande
Ituano | Ituano FC | Ferroviario Atletico Ituano
Mirassol | Mirassol FC
Novorizontino | Gremio Novorizontino
Oeste | Oeste FC | Oeste Itapolis | Oeste Barueri
Sao Bento | EC Sao Bento | Sao Bento Sorocaba
Ferroviaria | Ferroviaria Araraquara | AFE
Inter de Limeira | Internacional de Limeira | Inter Limeira | Inter SP
XV de Piracicaba | XV Piracicaba | Quinze de Piracicaba | Nho Quim
Red Bull Brasil | RB Brasil
Linense | CA Linense
Tombense | Tombense MG
Boa Esporte | Boa | Ituiutaba | Boa Esporte Clube | Ituiutaba Esporte Clube
Tupi | Tupi FC | Tupi Juiz de Fora
Villa Nova | Villa Nova MG | Villa Nova Nova Lima
Caldense | AA Caldense
Uberlandia | Uberlandia EC
Luverdense | Luverdense EC | Luverdense MT
Cuiaba | Dourado
Aparecidense | AA Aparecidense
Anapolina | AA Anapolina
Confianca | AD Confianca | Confianca SE
Sergipe | CS Sergipe
ASA | ASA Arapiraca | ASA de Arapiraca | Agremiacao Sportiva Arapiraquense
CSA | Centro Sportivo Alagoano
CRB | Clube de Regatas Brasil
Salgueiro | Salgueiro AC | Carcara
Central | Central Caruaru | Central SC PE
Icasa | AD Recreativa Icasa | Icasa CE
Ferroviario | Ferroviario CE | Ferroviario Fortaleza
Guarany de Sobral | Guarany Sobral
Ypiranga | Ypiranga Erechim | Ypiranga RS
Sao Jose RS | Sao Jose Porto Alegre | Sao Jose POA
Novo Hamburgo | EC Novo Hamburgo
Manaus | Manaus FC
Nacional AM | Nacional Manaus
Altos | Altos PI
River PI | River Teresina | River AC PI
Athletico Paranaense | Furacao | Clube Atletico Paranaense
Atletico Goianiense | Dragao | ACG Goiania
Parana | Parana Clube Curitiba | Colorado Pinheiros
America Mineiro | Coelho | America Belo Horizonte
Jacuipense | Jacuipense BA
Fluminense de Feira | Flu de Feira
Brusque | Brusque FC
Metropolitano | Metropolitano Blumenau
Hercilio Luz | Hercilio Luz Tubarao
Athletic Club MG | Athletic Sao Joao del Rei
Alianza Lima | Blanquiazul
Universitario | U de Deportes | Crema
Sporting Cristal | Celeste Rimense
Sport Boys | Sport Boys Callao | Sport Boys Association
Cienciano | Cienciano del Cusco | Cienciano Cusco
Juan Aurich | Juan Aurich Chiclayo
Union Comercio | Comercio Moyobamba
Sport Huancayo | Huancayo
Ayacucho | Inti Gas | Inti Gas Deportes | Ayacucho FC
Cusco | Real Atletico Garcilaso
Deportivo Municipal | Municipal | Municipal Lima | Muni
Alianza Atletico | Alianza Atletico Sullana | Sullana
UTC | UTC Cajamarca | Universidad Tecnica de Cajamarca
Leon de Huanuco | Leon Huanuco
Carlos Mannucci | Mannucci | Carlos A Mannucci
Binacional | Deportivo Binacional | Escuela Municipal Deportivo Binacional
Cantolao | Academia Cantolao
Atletico Grau | Grau Piura
Academia Deportiva Cantolao | ADC
Coronel Bolognesi | Bolognesi Tacna
Total Chalaco | Chalaco
Nacional | Bolso | Nacional Uruguay
Penarol | CURCC | Manya | Carbonero
Danubio | Danubio Montevideo
Defensor Sporting | Violeta
River Plate Montevideo | River Plate UY | River Montevideo
Cerro | Cerro Montevideo | CA Cerro
Rampla Juniors | Rampla
Fenix | CA Fenix | Centro Atletico Fenix
Racing Montevideo | Racing Club de Montevideo | Racing UY
Bella Vista | CA Bella Vista | Bella Vista Montevideo
El Tanque Sisley | Tanque Sisley
Boston River | CA Boston River
Montevideo City Torque | Torque | Montevideo City | CA Torque
Plaza Colonia | Plaza Colonia de Sacramento
Tacuarembo | Tacuarembo FC
Cerro Largo | Cerro Largo Melo
Deportivo Maldonado | Maldonado
Sud America | IASA | Institucion Atletica Sud America
Progreso | CA Progreso
Juventud | Juventud Las Piedras | Juventud de Las Piedras
Central Espanol | Central Espanol FC
Miramar Misiones | Misiones
Villa Espanola | CSD Villa Espanola
La Luz | La Luz FC
Olimpia | Rey de Copas | Olimpia Paraguay
Cerro Porteno | Ciclon | Azulgrana
Libertad | Club Libertad | Libertad Asuncion | Gumarelo
Guarani Asuncion | Guarani Paraguay | Club Guarani
Nacional Asuncion | Nacional Paraguay | Club Nacional Paraguay
Sol de America | Sol America | Sol de America Villa Elisa
Rubio Nu | Rubio Nu Asuncion
General Diaz | General Diaz Luque
Deportivo Capiata | Capiata
Sportivo San Lorenzo | San Lorenzo Paraguay
Tacuary | Tacuary Asuncion
12 de Octubre | Doce de Octubre | 12 de Octubre Itaugua
3 de Febrero | Tres de Febrero
General Caballero JLM | General Caballero Mallorquin | General Caballero
River Plate Asuncion | River Plate Paraguay
Resistencia | Resistencia SC
Sportivo Ameliano | Ameliano
Sportivo Trinidense | Trinidense
Bolivar | Club Bolivar | Academia La Paz
The Strongest | The Strongest La Paz
Oriente Petrolero | Oriente | Oriente Petrolero Santa Cruz
Blooming | Blooming Santa Cruz | Club Blooming
Real Potosi | Potosi
Nacional Potosi | Nacional de Potosi | CA Nacional Potosi
Universitario Sucre | Universitario de Sucre | U Sucre
Jorge Wilstermann | Wilstermann Cochabamba | Wilster
Aurora | Club Aurora | Aurora Cochabamba
La Paz FC | La Paz
San Jose Oruro | San Jose | Club Deportivo San Jose
Real Tomayapo | Tomayapo
Always Ready | Always Ready La Paz | Always Ready El Alto | CAR
Guabira | Guabira Montero
Sport Boys Warnes | Sport Boys Bolivia
Real Mamore | Mamore
Petrolero Yacuiba | Petrolero | Petrolero del Chaco
Royal Pari | Royal Pari Santa Cruz
Destroyers | Destroyers Santa Cruz
Real Santa Cruz | Santa Cruz Real
GV San Jose | Gualberto Villarroel San Jose
Independiente Petrolero | Independiente Sucre
Palmaflor | Municipal Vinto | Atletico Palmaflor | Palmaflor Quillacollo
Atletico Nacional | Verdolaga | Atl Nacional Medellin
Millonarios | Embajador
America de Cali | Diablos Rojos
Deportivo Cali | Cali | Azucareros
Junior | Tiburones | CD Popular Junior
Independiente Santa Fe | Cardenales | Santa Fe Bogota
Deportes Quindio | Quindio | Quindio Armenia
Deportivo Pasto | Pasto
Deportivo Pereira | Pereira
Cucuta Deportivo | Cucuta
Envigado | Envigado FC
Boyaca Chico | Chico | Chico FC | Bogota Chico | Boyaca Chico Tunja
Patriotas | Patriotas Boyaca | Patriotas Tunja
Real Cartagena | Cartagena
Huila | Atletico Huila | Huila Neiva
La Equidad | La Equidad Seguros | Internacional de Bogota
Rionegro Aguilas | Itagui | Aguilas Pereira | Itagui Ditaires
Jaguares de Cordoba | Jaguares | Jaguares Monteria
Fortaleza CEIF | Fortaleza Bogota
Union Magdalena | Magdalena | Union Magdalena Santa Marta
Alianza Petrolera | Alianza FC | Alianza Barrancabermeja | Alianza Valledupar
Uniautonoma | Universidad Autonoma del Caribe | Uniautonoma FC
Centauros Villavicencio | Centauros | Llaneros
Tigres FC | Expreso Rojo | Tigres Bogota
Saprissa | Morados | Monstruo Morado
Herediano | CS Herediano | Heredia
Cartagines | CS Cartagines | Cartago
San Carlos | AD San Carlos
Perez Zeledon | Municipal Perez Zeledon | PZ
Puntarenas | Puntarenas FC
Limon | Limon FC | Limonense
Guanacasteca | AD Guanacasteca
Santos de Guapiles | Guapiles | Santos DG
Belen | Belen FC | Belen Siglo XXI
Carmelita | AD Carmelita
UCR | Universidad de Costa Rica | UCR FC
Brujas | Brujas FC | Brujas Escazu
Liberia | Municipal Liberia | Aguilas Guanacastecas | Liberia Mia
Olimpia Tegucigalpa | CD Olimpia | Olimpia Honduras
Motagua | FC Motagua | Motagua Tegucigalpa
Real Espana | Real CD Espana | Real Espana San Pedro Sula
Marathon | CD Marathon | Marathon San Pedro Sula
Vida | CD Vida La Ceiba | Vida La Ceiba
Tauro | Tauro FC
Arabe Unido | Arabe Unido Colon | Deportivo Arabe Unido
San Francisco | San Francisco FC | San Francisco La Chorrera
Plaza Amador | CD Plaza Amador
Chorrillo | Unidos de Chorrillo | Chorrillo FC | Universitario Panama | CD Universitario
Sporting San Miguelito | San Miguelito | Sporting SM
FAS | CD FAS | FAS Santa Ana
Aguila | CD Aguila | Aguila San Miguel
Alianza San Salvador | Alianza FC San Salvador
Firpo | Luis Angel Firpo | CD Luis Angel Firpo
Isidro Metapan | Metapan | AD Isidro Metapan
Los Angeles Galaxy | L.A. Galaxy
New York Red Bulls | New York New Jersey MetroStars | NY NJ MetroStars | Red Bull New York | RBNY
Sporting Kansas City | Kansas City Wiz | Wizards
San Jose Earthquakes | San Jose Clash
Columbus Crew | Columbus Crew SC
Chicago Fire | Chicago Fire SC
Portland Timbers | Timbers
Orlando City | OCSC
Minnesota United | Minnesota Stars | NSC Minnesota Stars
St Louis City | Saint Louis City SC
Chivas USA | CD Chivas USA
Miami Fusion | Fusion
Tampa Bay Mutiny | Mutiny
Tampa Bay Rowdies | Rowdies | FC Tampa Bay
Carolina RailHawks | North Carolina FC | RailHawks
Jacksonville Armada | Armada
New York Cosmos | Cosmos | NY Cosmos
Phoenix Rising | Arizona United
Pittsburgh Riverhounds | Riverhounds
Rochester Rhinos | Raging Rhinos | Rochester New York
Toronto FC | TFC
FC Edmonton | Eddies
Forge FC | Forge Hamilton | Forge
Cavalry FC | Cavalry Calgary | Cavalry
Pacific FC | Pacific Langford
Valour FC | Valour Winnipeg | Valour
York United | York 9 | York9 | York 9 FC
HFX Wanderers | Halifax Wanderers
Atletico Ottawa | Atletico Ottawa FC
Kashima Antlers | Kashima | Antlers
Urawa Red Diamonds | Mitsubishi Motors
Yokohama F Marinos | Nissan Motors | Yokohama FM
Yokohama FC | Yokohama Fulie
Yokohama Flugels | Flugels | All Nippon Airways
Kawasaki Frontale | Kawasaki | Frontale | Fujitsu Kawasaki
Nagoya Grampus | Nagoya Grampus Eight | Nagoya | Grampus
Gamba Osaka | Gamba | G Osaka | G-Osaka
Cerezo Osaka | Cerezo | C Osaka | C-Osaka
Sanfrecce Hiroshima | Sanfrecce | Hiroshima
Vissel Kobe | Vissel | Kobe
Jubilo Iwata | Jubilo | Iwata | Yamaha Motor
Shimizu S Pulse | Shimizu | S Pulse | Shimizu SPulse
Kashiwa Reysol | Kashiwa | Reysol
Omiya Ardija | Omiya | RB Omiya Ardija
Albirex Niigata | Albirex | Niigata
Oita Trinita | Oita | Trinita
Vegalta Sendai | Vegalta | Sendai | Brummell Sendai
Ventforet Kofu | Ventforet | Kofu
Montedio Yamagata | Montedio | Yamagata
Kyoto Sanga | Kyoto Purple Sanga | Kyoto
Avispa Fukuoka | Avispa | Fukuoka
Sagan Tosu | Sagan | Tosu | Tosu Futures
Consadole Sapporo | Consadole | Sapporo
JEF United Chiba | Chiba | JEF Chiba
Shonan Bellmare | Bellmare Hiratsuka | Shonan | Bellmare
Tokyo Verdy | Tokyo Verdy 1969 | Yomiuri
FC Tokyo | Tokyo Gas
Tokushima Vortis | Tokushima | Vortis
V Varen Nagasaki | Nagasaki | V-Varen
Matsumoto Yamaga | Matsumoto | Yamaga
Fagiano Okayama | Okayama | Fagiano
Machida Zelvia | FC Machida Zelvia | Machida
Jeonbuk Hyundai Motors | Jeonbuk Hyundai
Suwon Bluewings | Suwon
FC Seoul | Anyang LG Cheetahs | Seoul | LG Cheetahs
Ulsan Hyundai | Ulsan Hyundai Horang i
Pohang Steelers | POSCO | POSCO Atoms
Seongnam | Seongnam Ilhwa Chunma | Seongnam Ilhwa | Ilhwa Chunma | Seongnam FC
Jeju United | Bucheon SK | Jeju SK | Jeju
Busan IPark | Busan Icons | Daewoo Royals | Busan Daewoo Royals | Pusan Icons | Busan
Incheon United | Incheon
Daegu FC | Daegu
Gwangju FC | Gwangju
Gangwon FC | Gangwon
Gyeongnam FC | Gyeongnam
Jeonnam Dragons | Chunnam Dragons | Jeonnam
Daejeon Citizen | Daejeon Hana Citizen | Daejeon
Gimcheon Sangmu | Gwangju Sangmu | Sangmu
Sydney FC | Sydney
Melbourne City | Melbourne Heart
Perth Glory | Perth
Adelaide United | Adelaide
Brisbane Roar | Queensland Roar | Brisbane
Central Coast Mariners | Central Coast | Mariners
Newcastle Jets | Newcastle United Jets | Jets
Wellington Phoenix | Wellington
Macarthur FC | Macarthur | Macarthur Bulls
Western United | Western United FC
Auckland City | Auckland
Waitakere United | Waitakere
Team Wellington | Team Wellington FC
Raja Casablanca | Raja CA | Raja Club Athletic
Wydad Casablanca | Wydad AC | WAC | Wydad Athletic Club
FAR Rabat | AS FAR | ASFAR | Forces Armees Royales | FAR
FUS Rabat | FUS | Fath Union Sport | Fath Union Sport Rabat
Moghreb Tetouan | MAT | MA Tetouan | Moghreb Atletico Tetouan | Tetouan
Maghreb Fes | MAS Fes | MAS | Maghreb de Fes
RS Berkane | Berkane | Renaissance Berkane | RSB
OC Khouribga | Khouribga | OCK | Olympique Khouribga
Hassania Agadir | HUSA | Agadir | HUS Agadir
Difaa El Jadida | DHJ | Difaa Hassani El Jadidi | El Jadida
Kaizer Chiefs | Amakhosi
Orlando Pirates | Bucs | Buccaneers
Mamelodi Sundowns | Masandawana
SuperSport United | Pretoria City | SuperSport
Bidvest Wits | Wits University | Wits | Bidvest Wits University
Moroka Swallows | Swallows | Swallows FC
Platinum Stars | Silver Stars
Bloemfontein Celtic | Celtic Bloemfontein
Maritzburg United | Maritzburg
Ajax Cape Town | Cape Town Spurs
Santos Cape Town | Engen Santos
Lamontville Golden Arrows | Golden Arrows
AmaZulu | AmaZulu Durban
Cape Town City | Cape Town
Free State Stars | Stars Bethlehem
Black Leopards | Leopards Thohoyandou
Chippa United | Chippa
Polokwane City | Polokwane
Persepolis | Perspolis | Piroozi | Pirouzi
Esteghlal | Esteghlal Tehran | Taj
Warriors FC | Singapore Armed Forces | SAFFC
Tampines Rovers | Tampines
Lion City Sailors | Home United | Police Singapore
Albirex Niigata Singapore | Albirex Niigata S
Robinhood | SV Robinhood
Transvaal | SV Transvaal
`;
