// Words that belong to a question about a match and not to the names in it.

/**
 * Words of a question. A query is read without them first, then with them, because a club may have one in its
 * name.
 */
const QUESTION_WORDS: ReadonlySet<string> = wordsOf(`
  who whos who's what whats what's when where which how is are was were will would can could should did do does has have had
  won win wins winning winner winners lose lost score scores scored scoring result results final finish finished ended end
  odds odd price prices line lines handicap spread total totals over under moneyline market markets quote quotes quoted best sharp fair value
  arbitrage arb arbs surebet surebets edge opening closing bet bets betting bookmaker bookmakers bookie bookies book books tip tips prediction predictions predict forecast preview
  worth think reckon offered priced it
  probability chance chances implied favourite favorite favored favoured
  game games match matches matchup fixture fixtures event events kickoff kick-off kick off tipoff tip-off tip away home start starts starting time clock lineup h2h
  now live currently current upcoming next last latest recent this week weekend
  evening morning afternoon night
  show give get tell find list check all every schedule me us my i please pls for of on in the a an about between from by there any some info information details
  going happening football soccer fussball futbol futebol basketball baloncesto basquete kosarka league cup team teams side
  you your yours he she they them their we our its that these those here be been being may might must
  want wants wanted need needs like know see look looks looking help put placed placing say says said
  back backs backed backing lay laying take takes taking pick picks picking choose come comes coming came
  goes went got getting gets make makes making made keep keeps happen happens happened
  move moves moved moving movement movements drift drifts drifted drifting shorten shortens shortened shortening shorter
  change changes changed changing steam steamed steaming rises fell fallen drop drops dropped dropping jump jumped
  open opens opened close closes closed up down history
  right just really actually still yet already again also too very much only so then but than because
  why whose whom okay hi hello hey thanks thank into out early money idea thoughts opinion number numbers level
  offers likely likelihood today tonight tomorrow yesterday days weeks hour hours minute minutes
  cheapest highest lowest biggest update updates news explain
  long until till model models gives estimate estimates short true tv channel gimme
  later soon tonite good cents polymarket kalshi pinnacle bet365 betfair draftkings fanduel unibet sbobet
  ive id lets theres thats ill anything something anyone many much middle middles middling safe profit local rivalry
  gonna wanna gotta`);

/**
 * Words of a question in Spanish, Portuguese, German, French, Italian, Dutch, Turkish and Polish, without
 * words of clubs' names. Articles count for nothing in a name (data/club-words.txt). Words in other scripts
 * are in data/native-names.txt.
 */
const OTHER_LANGUAGES: ReadonlySet<string> = wordsOf(`
  que cual quien cuando donde hora horas juega juegan jugar partido partidos juego juegos cuota cuotas mejor mejores
  apuesta apuestas apostar gana ganar ganara ganador favorito favoritos resultado resultados marcador proximo para
  empieza empiezan hay quiero sobre cuanto cuantos tiene tienen es son esta estan cuales pronostico pronosticos
  paga pagan entre va puedo probabilidad probabilidades frente empate
  quem quando onde joga jogam jogar jogo jogos melhor melhores aposta apostas ganha ganhar vencedor comeca qual
  quais palpite palpites vai vence vencer vencera prognostico prognosticos
  wann wer wie wo ist sind hat haben spielt spielen spiel spiele partie quote quoten beste besten bester bestes
  favorit gewinnt gewinnen gewinner gewonnen ergebnis stand steht wette wetten tipp tipps anpfiff anstoss beginnt fur
  fuer bei beim im um uhr uhrzeit nachste nachstes nachsten bitte zeig welche welcher welches wieviel viele
  hoch auf dem lauft laeuft laufen wettquote wettquoten sieg siegt prognose prognosen zwischen kommt gibt zum zur
  quand qui quel quelle quelles joue jouent jouer cotes meilleure meilleures favori gagne gagner heure
  commence donne pour sur prochain est sont va vont cote cotes pronostic pronostics gagnant resultat resultats
  combien regarder parier
  ora gioca giocano giocare partita partite quota migliore migliori scommessa scommesse vince vincere favorita
  risultato inizia quanto prossima prossimo tra pronostico pronostici nel nella dove vedere orario vincera vincitore
  scommettere risultati pareggio adesso miglior quali
  wanneer wint winnen winnaar speelt spelen hoe laat wedstrijd wedstrijden quotering quoteringen voor het tussen
  uitslag favoriet kans kansen welk welke waar zijn wedden voorspelling
  mac maci macin macini maclar maclari ne zaman kim kazanir kazanan kazanacak kazaniyor kacta kac saat orani
  oranlari iddaa tahmin tahmini tahminleri en iyi hangi nerede oynuyor oynar skor sonuc sonucu favori bahis icin
  kiedy gra graja kto wygra wygrywa kurs kursy na ktorej godzinie mecz meczu mecze najlepszy najlepsze typ typy
  faworyt faworytem wynik wyniki jaki jakie gdzie obstawic zaklad zaklady miedzy dla jest`);

/**
 * Words of a question that are also a club or its code. They belong to a question only beside another word of
 * this list or of OTHER_LANGUAGES.
 */
const BESIDE_OTHERS: ReadonlySet<string> = wordsOf('chi che e ver wat oran');

/** Whether a folded word belongs to a question, so that the word alone is not a name. */
export function isQuestionWord(word: string): boolean {
  return QUESTION_WORDS.has(word) || OTHER_LANGUAGES.has(word);
}

/** Whether the word at this place of a text belongs to a question: "che" does in "a che ora". */
export function isQuestionWordAt(words: readonly string[], at: number): boolean {
  const word = words[at]!;
  if (isQuestionWord(word)) return true;
  return (
    BESIDE_OTHERS.has(word) &&
    [words[at - 1] ?? '', words[at + 1] ?? ''].some(
      (near) => OTHER_LANGUAGES.has(near) || BESIDE_OTHERS.has(near),
    )
  );
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
