/*
 * The world's currencies as yards write them. A row has an ISO 4217 code, the words for the currency and its symbols; the name
 * shown in a sentence comes from the platform's language data. A word or symbol that several countries share is in the row of
 * the country whose files we are likeliest to get. They are code, not a data file, because the wizard and the server read files
 * with them before any words are loaded.
 */
const ROWS = `
AED | dirham;dirhams | Dhs;AED
AFN | afghani;afghanis | ؋
ALL | lek;leke
AMD | | ֏
ANG | guilder;guilders | ƒ
AOA | kwanza;kwanzas
ARS | argentine peso;argentine pesos;argentinian pesos;peso argentino;pesos argentinos | AR$
AUD | australian;australian dollar;australian dollars;aussie dollars | AU$;A$
AWG
AZN | manat | ₼
BAM
BBD | barbados dollars | Bds$
BDT | taka;takas | ৳
BGN | leva | лв
BHD | bahraini dinar;bahraini dinars
BIF
BMD | bermuda dollars
BND | brunei dollars | B$
BOB | boliviano;bolivianos
BRL | brazilian real;brazilian reais;reais | R$
BSD | bahamian dollars
BTN | ngultrum
BWP | pula
BYN
BZD | belize dollars | BZ$
CDF
CHF | swiss franc;swiss francs;schweizer franken;franken;francs suisses;franc;francs | Fr.;SFr.;SFr
CLP | chilean peso;chilean pesos;peso chileno;pesos chilenos | CLP$
CNY | yuan;yuans;renminbi;rmb | CN¥;元
COP | colombian peso;colombian pesos;peso colombiano;pesos colombianos | COL$
CRC | colones;colón;costa rican colon | ₡
CUP | cuban pesos;pesos cubanos
CVE
CZK | koruna;korun;czech crowns | Kč
DJF
DKK | danish krone;danish kroner;dänische kronen
DOP | dominican peso;dominican pesos;peso dominicano;pesos dominicanos | RD$
DZD | algerian dinar;algerian dinars
EGP | egyptian pound;egyptian pounds | E£
ERN
ETB | birr
EUR | euro;euros | €
FJD | fiji dollars | FJ$
FKP
GBP | british;british pound;british pounds;pound;pounds;quid;sterling;pounds sterling;pence | £
GEL | lari | ₾
GHS | cedi;cedis | ₵;GH₵
GIP
GMD | dalasi
GNF
GTQ | quetzal;quetzales;quetzals
GYD | guyana dollars | GY$
HKD | hong kong dollar;hong kong dollars | HK$
HNL | lempira;lempiras
HTG | gourde;gourdes
HUF | forint;forints;forintok
IDR | rupiah;rupiahs | Rp
ILS | shekel;shekels;sheqel;new shekels;nis | ₪
INR | rupee;rupees;indian rupees;rupias | ₹;Rs.
IQD | iraqi dinar;iraqi dinars
IRR | toman;tomans | ﷼
ISK | icelandic krona;icelandic kronur
JMD | jamaican;jamaican dollar;jamaican dollars | J$
JOD | jordanian dinar;jordanian dinars
JPY | yen;japanese yen | ¥;￥;JP¥;円
KES | kenyan shilling;kenyan shillings;shilling;shillings | KSh;KShs
KGS
KHR | riel;riels | ៛
KMF
KPW
KRW | won;korean won | ₩;원
KWD | kuwaiti dinar;kuwaiti dinars
KYD | cayman dollars | CI$
KZT | tenge | ₸
LAK | kip | ₭
LBP | lebanese pounds
LKR | sri lankan rupees
LRD
LSL
LYD
MAD | moroccan dirham;moroccan dirhams
MDL
MGA | ariary
MKD | denar
MMK | kyat;kyats
MNT | tugrik | ₮
MOP | pataca;patacas | MOP$
MRU
MUR | mauritian rupees
MVR
MWK
MXN | mexican;mexicana;mexicano;mexicanas;mexicanos;mexican peso;mexican pesos;peso mexicano;pesos mexicanos;moneda nacional;peso;pesos;centavo;centavos;mxp | MX$;Mex$;M$;M.N.
MYR | ringgit;ringgits | RM
MZN | metical;meticais
NAD | namibian dollars | N$
NGN | naira;nairas | ₦
NIO | córdoba;córdobas;cordobas
NOK | norwegian krone;norwegian kroner
NPR | nepalese rupees
NZD | new zealand dollar;new zealand dollars | NZ$
OMR | omani rial;omani rials
PAB | balboa;balboas | B/.
PEN | soles;nuevo sol;nuevos soles;peruvian soles | S/.;S/
PGK | kina
PHP | philippine peso;philippine pesos;piso | ₱
PKR | pakistani rupee;pakistani rupees
PLN | zloty;zlotys;zlote;złoty;złotych;zlotych | zł
PYG | guaraní;guaraníes;guaranies | ₲
QAR | qatari riyal;qatari riyals
RON | lei;romanian lei
RSD | serbian dinar;serbian dinars
RUB | ruble;rubles;rouble;roubles | ₽;руб;руб.
RWF
SAR | saudi riyal;saudi riyals;riyal;riyals
SBD
SCR
SDG
SEK | krona;kronor;swedish krona;swedish kronor | kr;kr.
SGD | singapore dollar;singapore dollars;sing dollars | S$;SG$
SHP
SLE
SOS
SRD
SSP
STN
SVC
SYP
SZL
THB | baht;bahts;thai baht | ฿
TJS
TMT
TND | tunisian dinar;tunisian dinars
TOP
TRY | lira;liras;turkish lira;türk lirası | ₺;TL
TTD | trinidad dollars | TT$
TWD | taiwan dollar;taiwan dollars;new taiwan dollars | NT$
TZS | tanzanian shillings | TSh
UAH | hryvnia;hryvnias;hryven | ₴;грн
UGX | ugandan shillings | USh
USD | us dollar;us dollars;u.s. dollar;u.s. dollars;american dollars;dólares americanos;dolares americanos | US$;U$S
UYU | uruguayan pesos;pesos uruguayos | UY$;$U
UZS
VED
VES | bolívar;bolívares;bolivar;bolivares
VND | dong;vietnamese dong | ₫
VUV | vatu
WST | tala
XAF | cfa;francs cfa | FCFA
XCD | ec dollars | EC$
XOF
XPF
YER
ZAR | rand;rands;south african rand
ZMW | zambian kwacha
ZWG
CAD | canadian;canadien;canadienne;canadiens;canadiennes;canadiense;canadienses;canadian dollar;canadian dollars;dollars canadiens;cdn;can | CA$;C$;CDN$;CAN$
`

/** Signs that are letters of many other things: they count only with an amount beside them, or alone in brackets. */
export const LETTER_SIGNS: Readonly<Record<string, string>> = {
  Q: 'GTQ',
  L: 'HNL',
  R: 'ZAR',
  Rs: 'INR',
  Bs: 'BOB',
  Gs: 'PYG',
  Ft: 'HUF',
}

/** Codes that are also words or abbreviations of something else. */
export const ORDINARY_CODES: ReadonlySet<string> = new Set(
  `ALL AMD ANG BAM BOB BTN CDF COP CUP DOP ERN GEL KID LAK MAD MDL MGA MOP MUR NAD PAB PEN RON SAR SCR SHP SLE SOS SRD SSP
   STN TOP TRY`.split(/\s+/),
)

/** Words that are also ordinary ones: they count only beside an amount, in brackets or behind “in”. */
export const ORDINARY_WORDS: ReadonlySet<string> = new Set(
  `british can denar dong franc guilder guilders kina kip lek lei leke manat piso pound pounds pula quid rand rands soles
   tala won`.split(/\s+/),
)

export type Currency = {
  readonly code: string
  readonly words: readonly string[]
  readonly signs: readonly string[]
}

const listed = (cell = '') =>
  cell
    .split(';')
    .map((one) => one.trim())
    .filter(Boolean)

export const currencyList: readonly Currency[] = ROWS.trim()
  .split('\n')
  .map((row) => {
    const [code = '', words, signs] = row.split('|')
    return { code: code.trim(), words: listed(words), signs: listed(signs) }
  })
