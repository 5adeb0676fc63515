// What words in club and league names are worth, from general knowledge of the game's vocabulary: club-form
// abbreviations, generic club words, little words, spelled-out compounds, and names of cities in several languages.
// One table; nothing here names a single club.

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Club-form abbreviations and words so common that their absence says nothing. */
export const PLAIN_AFFIXES: ReadonlySet<string> = new Set(
  words(`
  fc cf sc ac afc cfc sfc wfc lfc pfc fk sk bk nk if ff cd ca ec
  club clube clubul klub klubi klubas klubs klubben klubu kulubu kulup cercle clwb
  football futbol futebol fotbal fotball fotbalul fotbola futbola futbolo fodbold fotboll fussball fudbalski fudbalskiot foot soccer calcio voetbal
  futbolniy futbolnyy futbolnyi futbolny futbalovy fotbalovy futbollit futbolli nogometni nogomet nogometa pilkarski jalgpalli jalgpalliklubi labdarugo futbolas
  basketball basket basquete baloncesto bc kk
  akcyjna spolka plc ltd inc sad sa spa srl gmbh pae kae team professional profesional
  men mens herren
`),
);

/** Says what kind of club it is ("SV", "Sportverein"): tells two clubs of a town apart, seldom more. */
export const AFFIXES: ReadonlySet<string> = new Set(
  words(`
  rfc ofc ffc tfc bfc kfc ifc nfc bbc cb gc hc lc mc nc pc rc tc vc wc
  as us ss ssc ssd asd usd acd acf uc ucd ud sd cs csd cdp cda cp se ce ad aa ae ea ap sp aps oc js es mo om cr ps
  ik ak ok pk rk zk jk mk gk hk lk tk vk afk mfk hfk pfk zfk nfk efk sfk ofk kf ks gks mks lks rks zks nks uks tsk ask usk
  hnk gnk rnk hsk onk dnk snk fks cwks mnk nd ns
  il gif fif bif aif sif tif kif oif bv vv sv tsv vfl vfb vfr vfv fsv spvgg tus bsc msv ssv sg spg svg fv tv esv asv usv wsv dsv atsv scr
  ao aoc aok aps apo pas gas gs gfs mgs oa ue fa fe aj sad
  sks sgs djk btsv tsg ksv hsv mtv askoe asko atus kv kvc kvk rsc krc kaa kac kfco rfco vvv svv avv rkc rkv bvv
  cfm acs acsm csm scm cfr fcm csc csu aso asu asc fcs gfc fcu
  sport sports sportif sportive sportiva sportivo sportiv sportovni sportowy sportowe sportivniy sportivnyy sportivny spor esports esportiu esportiva
  sportklub sportclub sportverein sportkring spordiklubi spordi sportvereniging deportiva deportivo desportivo desportiva esporte esportes esportivo
  palloseura pallo jalkapallo urheiluseura seura seuran boldklub ball ballspiel ballspielverein idrettslag idrott idrotts idraets idraet itrottarfelag
  knattspyrnufelag knattspyrnufelagid ithrottafelag ungmennafelag
  association asociacion associacao associazione associatia asociatia asociatie associacio associacion verein vereinigung verband gemeinschaft turn rasen bewegungsspiele spielvereinigung
  sociedad societa sociedade societe unione omilos athlitikos athlitiki podosferikos podosfairikos syllogos enosi gymnastikos gymnastic educational
  athletiki athlitiko somatio telovychovna jednota slovan-klub armii tsentralniy professionalniy professionalnyy
  dilettantistica social civil recreativa recreativo cultural cultura gimnastica atletica calcistica polisportiva ginnastica educativa
  koninklijke royal royale forening fotbollforening fotbollsforening allmanna egyesulet torna sportegyesulet
  klub-sportowy miejski gorniczy robotniczy ludowy towarzystwo kaduregel moadon nadi
`),
);

/** Words that many clubs of one place share; they tell apart, but less than a place or a proper name does. */
export const GENERIC_WORDS: ReadonlySet<string> = new Set(
  words(`
  united city town athletic atletico athletico sporting real rovers wanderers rangers albion county hotspur
  union olympique olimpique stade racing deportes municipal central nacional national internacional international
  sportivo esportivo independent juventud
  dinamo dynamo lokomotiv spartak torpedo cska
  borough park villa academy akademia
`),
);

/** Articles, prepositions and conjunctions. */
export const LITTLE_WORDS: ReadonlySet<string> = new Set(
  words(`
  a al an and at da das de degli dei del della den der des di die do dos du e el et fur i in im la las le les lo los
  of og on och oe the und van vom von y z ze za
`),
);

/** Compounds spelled as one word, taken apart so that initials ("SV") and spelled-out words meet. */
export const COMPOUNDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    sportverein: ['sport', 'verein'],
    sportvereinigung: ['sport', 'vereinigung'],
    sportclub: ['sport', 'club'],
    sportklub: ['sport', 'klub'],
    sportgemeinschaft: ['sport', 'gemeinschaft'],
    spielgemeinschaft: ['spiel', 'gemeinschaft'],
    spielvereinigung: ['spiel', 'vereinigung'],
    fussballclub: ['fussball', 'club'],
    fussballklub: ['fussball', 'klub'],
    fussballverein: ['fussball', 'verein'],
    ballspielverein: ['ballspiel', 'verein'],
    ballspielclub: ['ballspiel', 'club'],
    turnverein: ['turn', 'verein'],
    fotballklubb: ['fotball', 'klubb'],
    fotballklubben: ['fotball', 'klubb'],
    ballklubb: ['ball', 'klubb'],
    boldklub: ['bold', 'klub'],
    idrottsforening: ['idrotts', 'forening'],
    idrottsforeningen: ['idrotts', 'forening'],
    idrottsklubb: ['idrotts', 'klubb'],
    idraetsforening: ['idraets', 'forening'],
    idrettslag: ['idretts', 'lag'],
    idrettsforening: ['idretts', 'forening'],
    fotbollsforening: ['fotbolls', 'forening'],
    fotbollforening: ['fotboll', 'forening'],
    palloseura: ['pallo', 'seura'],
    pallokerho: ['pallo', 'kerho'],
    palloilijat: ['pallo', 'ilijat'],
    jalgpalliklubi: ['jalgpalli', 'klubi'],
    voetbalclub: ['voetbal', 'club'],
    voetbalvereniging: ['voetbal', 'vereniging'],
  }),
);

/** Shortened words whose letters alone do not say what they stand for, and one word's several forms. */
export const WORD_FORMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    st: 'saint',
    ste: 'saint',
    sankt: 'saint',
    sint: 'saint',
    sveti: 'saint',
    atl: 'atletico',
    athletico: 'atletico',
    utd: 'united',
    dynamo: 'dinamo',
    zska: 'cska',
    moscow: 'moskva',
    moskau: 'moskva',
    moscou: 'moskva',
    wien: 'vienna',
    prag: 'praha',
    prague: 'praha',
    munchen: 'munich',
    muenchen: 'munich',
    koln: 'cologne',
    koeln: 'cologne',
    nurnberg: 'nuremberg',
    bern: 'berne',
    geneve: 'geneva',
    genf: 'geneva',
    zuerich: 'zurich',
    luzern: 'lucerne',
    basel: 'basle',
    warszawa: 'warsaw',
    warschau: 'warsaw',
    krakow: 'cracow',
    krakau: 'cracow',
    wroclaw: 'breslau',
    gdansk: 'danzig',
    bucuresti: 'bucharest',
    bukarest: 'bucharest',
    beograd: 'belgrade',
    belgrad: 'belgrade',
    sofiya: 'sofia',
    budapesti: 'budapest',
    athen: 'athens',
    athina: 'athens',
    athinon: 'athens',
    piraus: 'piraeus',
    pireas: 'piraeus',
    thessaloniki: 'saloniki',
    salonika: 'saloniki',
    kobenhavn: 'copenhagen',
    kopenhagen: 'copenhagen',
    kopenhavn: 'copenhagen',
    goteborg: 'gothenburg',
    lisboa: 'lisbon',
    lissabon: 'lisbon',
    oporto: 'porto',
    sevilla: 'seville',
    milano: 'milan',
    mailand: 'milan',
    roma: 'rome',
    torino: 'turin',
    napoli: 'naples',
    neapel: 'naples',
    firenze: 'florence',
    genova: 'genoa',
    genua: 'genoa',
    venezia: 'venice',
    venedig: 'venice',
    bruxelles: 'brussels',
    brussel: 'brussels',
    bruessel: 'brussels',
    antwerpen: 'antwerp',
    anvers: 'antwerp',
    brugge: 'bruges',
    bruegge: 'bruges',
    gent: 'ghent',
    gand: 'ghent',
    luttich: 'liege',
    luik: 'liege',
    luettich: 'liege',
    kyjiv: 'kyiv',
    kiev: 'kyiv',
    kiew: 'kyiv',
    kharkov: 'kharkiv',
    charkiw: 'kharkiv',
    lvov: 'lviv',
    lemberg: 'lviv',
    odesa: 'odessa',
    dnepr: 'dnipro',
    dnepropetrovsk: 'dnipropetrovsk',
    donezk: 'donetsk',
    luhansk: 'lugansk',
    zaporozhye: 'zaporizhzhya',
    petersburg: 'peterburg',
    tiflis: 'tbilisi',
    eriwan: 'yerevan',
    erevan: 'yerevan',
    kairo: 'cairo',
    tashkent: 'toshkent',
    wilna: 'vilnius',
    bratislava: 'pressburg',
    koper: 'capodistria',
    skopje: 'skopie',
    nikosia: 'nicosia',
    lefkosia: 'nicosia',
    lemesos: 'limassol',
    larnaka: 'larnaca',
    ammochostos: 'famagusta',
    mogadishu: 'mogadiscio',
    peking: 'beijing',
    canton: 'guangzhou',
    seoul: 'soul',
    tirane: 'tirana',
    lissabonner: 'lisbon',
    rom: 'rome',
    florenz: 'florence',
    saragossa: 'zaragoza',
    nizza: 'nice',
    strassburg: 'strasbourg',
    luxemburg: 'luxembourg',
    neuenburg: 'neuchatel',
    sitten: 'sion',
    lowen: 'leuven',
    louvain: 'leuven',
    mecheln: 'mechelen',
    malines: 'mechelen',
    ostend: 'oostende',
    ostende: 'oostende',
    courtrai: 'kortrijk',
    klausenburg: 'cluj',
    kronstadt: 'brasov',
    temeswar: 'timisoara',
    temesvar: 'timisoara',
    jassy: 'iasi',
    konstanza: 'constanta',
    laibach: 'ljubljana',
    kaschau: 'kosice',
    tyrnau: 'trnava',
    sillein: 'zilina',
    pilsen: 'plzen',
    brunn: 'brno',
    ostrau: 'ostrava',
    olmutz: 'olomouc',
    reichenberg: 'liberec',
    budweis: 'budejovice',
    posen: 'poznan',
    stettin: 'szczecin',
    kattowitz: 'katowice',
    gleiwitz: 'gliwice',
    lodsch: 'lodz',
    agram: 'zagreb',
    spalato: 'split',
    fiume: 'rijeka',
    kasan: 'kazan',
    rostow: 'rostov',
    nischni: 'nizhny',
    nishni: 'nizhny',
    charkow: 'kharkiv',
    kryvyi: 'krivoy',
    nikolaev: 'mykolaiv',
    saporoschje: 'zaporizhzhya',
    poltawa: 'poltava',
    heraklion: 'iraklio',
    iraklion: 'iraklio',
    volo: 'volos',
    patras: 'patra',
    konstantinopel: 'istanbul',
    smyrna: 'izmir',
    jerewan: 'yerevan',
    baku: 'baki',
    aschgabat: 'ashgabat',
    taschkent: 'toshkent',
    almati: 'almaty',
    algier: 'algiers',
    tanger: 'tangier',
    marrakesch: 'marrakech',
    tunis: 'tunes',
    mexiko: 'mexico',
    havanna: 'havana',
    singapur: 'singapore',
    hongkong: 'hong',
    pjongjang: 'pyongyang',
    arhus: 'aarhus',
    reykjavik: 'reikjavik',
    tampere: 'tammerfors',
    turku: 'abo',
    helsinki: 'helsingfors',
    shkoder: 'shkodra',
    pristina: 'prishtina',
    prishtine: 'prishtina',
  }),
);

/** Women's sides. One letter counts only as the last word, or in brackets. */
export const WOMEN_WORDS: ReadonlySet<string> = new Set(
  words(`
  w women womens woman ladies lady wfc lfc femenino femenina femenil feminino feminina feminine feminines feminin feminines femminile
  femeni frauen damen dames damer dam kvinner kvinder vrouwen kobiet zene zensky nok fem wnt naiset girls
`),
);

/** Reserve sides, when last (or before the year group). */
export const RESERVE_WORDS: ReadonlySet<string> = new Set(
  words('ii iii b c 2 3 reserve reserves res reserva reservas amateure amateur amat am filial promesas'),
);

/** Words that may say second team wherever they stand, or be part of a first team's name. */
export const JUNIOR_WORDS: ReadonlySet<string> = new Set(
  words('juniors juniores junioren juvenil juveniles amateure amateur amat young youngsters junge jong'),
);
