import { currencyIn, withoutCurrency } from '#contract/column-questions/currencies.ts'
import { readPricedUnit } from '#contract/trade-language/set-prices.ts'

/* Words by which the values of a column are known where no dictionary is at hand; all in small letters. */

const listOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(/[,\n]/)
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  )

/** Makes sold in the US, and what yards call them. */
const knownMakes = listOf(`
  acura, alfa romeo, aston martin, audi, bmw, bentley, buick, cadillac, chevrolet, chevy, chev, chrysler, daewoo, daihatsu,
  dodge, eagle, fiat, ferrari, fisker, ford, freightliner, gmc, genesis, geo, hummer, honda, hyundai, infiniti, isuzu,
  jaguar, jeep, kia, lamborghini, land rover, landrover, range rover, lexus, lincoln, lotus, lucid, mazda, mini,
  mini cooper, maserati, maybach, mclaren, mercedes-benz, mercedes benz, mercedes, mb, mercury, mitsubishi, nissan,
  oldsmobile, olds, panoz, plymouth, polestar, pontiac, porsche, ram, rivian, rolls-royce, srt, saab, saturn, scion,
  smart, subaru, suzuki, tesla, toyota, vinfast, volkswagen, vw, volvo, amc, datsun, international, kenworth, mack,
  peterbilt, sterling, western star, hino`)

/** The models that most cars in US yards are. */
const commonModels = listOf(`
  accord, altima, avalon, aveo, bronco, camaro, camry, caravan, cavalier, century, charger, cherokee, grand cherokee,
  civic, challenger, cobalt, colorado, compass, corolla, cr-v, cruze, cts, cx-5, dakota, durango, edge, elantra, element,
  enclave, envoy, equinox, escalade, escape, expedition, explorer, express, f-150, f-250, f-350, f150, f250, f350, fiesta,
  fit, five hundred, flex, focus, forester, freestar, fusion, g6, golf, grand am, grand caravan, grand prix, highlander,
  hr-v, impala, impreza, jetta, journey, juke, kona, lacrosse, land cruiser, legacy, lesabre, liberty, malibu, maxima,
  mdx, mkx, mkz, murano, mustang, odyssey, optima, outback, outlander, pacifica, passat, pathfinder, patriot, pilot,
  prius, pt cruiser, quest, ranger, rav4, regal, ridgeline, rio, rogue, rx350, s10, santa fe, sebring, sedona, sentra,
  sequoia, sienna, sierra, silverado, solara, sonata, sonic, sorento, soul, spark, sportage, suburban, tacoma, tahoe,
  taurus, terrain, tiguan, titan, tl, town & country, trailblazer, transit, traverse, tsx, tucson, tundra, venza, versa,
  vue, windstar, wrangler, xterra, yaris, yukon, 3 series, 5 series, c-class, e-class, a4, a6, q5, x3, x5`)

/** Last words of what parts are called, and the short forms of yard systems. */
const partNouns = listOf(`
  absorber, accumulator, actuator, airbag, alternator, amp, amplifier, antenna, apron, arm, armrest, ashtray, assembly,
  assy, axle, bag, balancer, bar, battery, beam, bearing, bed, bell, belt, bezel, blade, block, blower, board, body,
  booster, box, bracket, brake, brakes, buckle, bulb, bumper, cab, cable, caliper, calipers, camera, camshaft, canister,
  cap, carburetor, carpet, carrier, case, catalytic, charger, clock, cluster, clutch, coil, column, compressor, condenser,
  console, control, controller, converter, cooler, core, cover, cowl, crankshaft, crossmember, cylinder, dam, dash,
  dashboard, decklid, differential, distributor, door, driveshaft, drum, ecm, ecu, emblem, engine, evaporator, exhaust,
  fan, fender, filter, flap, flywheel, fob, frame, fuse, gate, gauge, gear, gearbox, generator, glass, grill, grille, guard,
  handle, harness, hatch, head, headlamp, headlight, headliner, headrest, heater, hinge, hitch, holder, hood, horn, hose,
  housing, hub, injector, intake, intercooler, inverter, jack, joint, key, kit, knob, knuckle, lamp, latch, leaf, lid,
  liftgate, light, lights, liner, linkage, lock, manifold, mat, mirror, mirrors, module, motor, mount, moulding, molding,
  muffler, neck, nut, pad, pan, panel, pedal, pillar, pipe, piston, plate, port, post, pulley, pump, rack, radar, radiator,
  radio, rail, regulator, reinforcement, reservoir, resonator, rim, rod, roof, rotor, screen, seat, seats, sensor, shaft,
  shield, shifter, shock, shroud, skirt, spare, speaker, speedometer, spindle, spoiler, spring, stabilizer, starter, stereo,
  strut, subframe, sunroof, supercharger, support, suspension, switch, system, tailgate, taillight, tank, tensioner,
  thermostat, throttle, tire, tires, top, track, trans, transmission, tray, trim, trunk, tube, turbo, turbocharger, vacuum,
  valve, vent, visor, washer, weatherstrip, wheel, wheels, winch, window, windshield, wing, wiper, wiring, yoke,
  panels, bumpers, grilles, doors, electrical, electronics, modules, interior, lighting, lamps, restraints, steering,
  drivetrain, towing, washers, cooling, heating, emissions, filters, sensors, pumps, hoses,
  alternador, marcha, faro, calavera, defensa, cofre, capo, salpicadera, guardafango, espejo, retrovisor, radiador, puerta,
  cajuela, parrilla, motor, transmision, llanta, rin, asiento, tablero, bomba, compresor, arranque, parachoques,
  lichtmaschine, anlasser, scheinwerfer, rücklicht, rückleuchte, stoßstange, motorhaube, kotflügel, außenspiegel, spiegel,
  kühler, tür, heckklappe, getriebe, felge, sitz, kompressor, steuergerät, pumpe, türgriff, stossstange,
  alternateur, démarreur, phare, feu, capot, aile, rétroviseur, radiateur, porte, portière, hayon, moteur, boîte, jante, siège,
  compresseur, calandre, pompe, chocs`)

/** Yards' names for groups of parts. */
const partGroups = listOf(`
  accessories, air & fuel, air conditioning, axle, body, body panels, brake, brakes, bumpers & grilles, climate control, cooling,
  cooling & heating, doors & glass, drivetrain, electrical, electronics, electronics & modules, emissions, engine,
  engine parts, exhaust, exhaust & emissions, exterior, front end, fuel, fuel & air intake, glass, heating,
  hybrid & electric drive, interior, lighting, lights, mirrors, rear end, seats & restraints, steering, suspension,
  suspension & steering, transmission, transmission & drivetrain, truck & towing, wheels, wheels & tires,
  wipers & washers`)

const knownTrims = listOf(`
  base, le, se, xle, xse, ce, lx, ex, ex-l, exl, dx, ls, lt, ltz, l, s, sv, sl, sr, sr5, xl, xlt, lariat, limited, ltd,
  sport, touring, gt, gls, gl, gs, sxt, slt, laramie, big horn, st, sel, titanium, platinum, premium, luxury, signature,
  denali, sle, premier, z71, work truck, wt, king ranch, rubicon, sahara, laredo, overland, latitude, trailhawk, altitude,
  r/t, rt, srt, srt8, type s, type r, si, tech, technology, advance, a-spec, xrs, trd,
  trd off road, trd sport, nismo, 2.5i, 2.5 s, 3.5 sl, 3.5 sv, wolfsburg, tdi, sportback, quattro, base trim, special,
  custom, classic, eddie bauer, xls, xlt sport, fx4, fx2, raptor, stx, svt, cobra, mach 1, cxl, cx, cxs, t5, t6`)

const cities = listOf(`
  akron, albany, albuquerque, alexandria, allentown, amarillo, anaheim, anchorage, ann arbor, arlington, atlanta, augusta,
  aurora, austin, bakersfield, baltimore, baton rouge, beaumont, billings, birmingham, boise, boston, bridgeport,
  brooklyn, brownsville, buffalo, canton, cedar rapids, chandler, charleston, charlotte, chattanooga, chesapeake, chicago,
  cincinnati, clarksville, cleveland, colorado springs, columbia, columbus, corpus christi, dallas, davenport, dayton,
  denver, des moines, detroit, duluth, durham, el paso, elizabeth, erie, eugene, evansville, fargo, fayetteville, flint,
  fort collins, fort lauderdale, fort smith, fort wayne, fort worth, fremont, fresno, gary, glendale, grand rapids,
  green bay, greensboro, greenville, hartford, henderson, hialeah, honolulu, houston, huntsville, indianapolis, irving,
  jackson, jacksonville, jersey city, joplin, kansas city, knoxville, lakeland, lansing, laredo, las vegas, lexington,
  lincoln, little rock, long beach, los angeles, louisville, lubbock, macon, madison, manchester, mcallen, memphis, mesa,
  miami, milwaukee, minneapolis, mobile, modesto, montgomery, nashville, new haven, new orleans, new york, newark,
  newport news, norfolk, norman, oakland, ocala, odessa, oklahoma city, omaha, ontario, orlando, oxnard, pasadena, peoria,
  philadelphia, phoenix, pittsburgh, plano, portland, providence, provo, pueblo, quincy, raleigh, reno, richmond,
  riverside, rochester, rockford, sacramento, saint paul, salem, salt lake city, san antonio, san bernardino, san diego,
  san francisco, san jose, santa ana, savannah, scottsdale, scranton, seattle, shreveport, sioux falls, south bend,
  spokane, springfield, st. louis, st louis, st. paul, st. petersburg, stockton, syracuse, tacoma, tallahassee, tampa,
  tempe, toledo, topeka, trenton, tucson, tulsa, tyler, virginia beach, waco, washington, wichita, wilmington,
  winston-salem, worcester, yakima, yonkers, youngstown`)

/** US states and territories with the digits that their zip codes begin with; Canada's provinces have none. */
const statesText = `al alabama 3, ak alaska 9, az arizona 8, ar arkansas 7, ca california 9, co colorado 8, ct connecticut 0,
  de delaware 1, dc district_of_columbia 2, fl florida 3, ga georgia 3, hi hawaii 9, id idaho 8, il illinois 6, in indiana 4,
  ia iowa 5, ks kansas 6, ky kentucky 4, la louisiana 7, me maine 0, md maryland 2, ma massachusetts 0, mi michigan 4,
  mn minnesota 5, ms mississippi 3, mo missouri 6, mt montana 5, ne nebraska 6, nv nevada 8, nh new_hampshire 0,
  nj new_jersey 0, nm new_mexico 8, ny new_york 1, nc north_carolina 2, nd north_dakota 5, oh ohio 4, ok oklahoma 7,
  or oregon 9, pa pennsylvania 1, pr puerto_rico 0, ri rhode_island 0, sc south_carolina 2, sd south_dakota 5, tn tennessee 3,
  tx texas 7, ut utah 8, vt vermont 0, va virginia 2, wa washington 9, wv west_virginia 2, wi wisconsin 5, wy wyoming 8,
  on ontario -, qc quebec -, bc british_columbia -, ab alberta -, mb manitoba -, sk saskatchewan -, ns nova_scotia -`

const stateEntries = [...listOf(statesText)].map((entry) => {
  const [code = '', name = '', zipDigit = ''] = entry.split(' ')
  return { code, name: name.replaceAll('_', ' '), zipDigit }
})

const stateCodes: ReadonlySet<string> = new Set(stateEntries.map(({ code }) => code))
const stateNames: ReadonlySet<string> = new Set(stateEntries.map(({ name }) => name))
/** State, by code or name → the first digit of its zip codes. */
export const zipDigits: ReadonlyMap<string, string> = new Map(
  stateEntries.flatMap(({ code, name, zipDigit }) => [
    [code, zipDigit],
    [name, zipDigit],
  ]),
)

/** Names in small letters that are known to be makes, models and part names; what a yard writes is looked up in them. */
export type Dictionary = {
  manufacturers: ReadonlySet<string>
  models: ReadonlySet<string>
  categories: ReadonlySet<string>
  /** The side in a cell of a sides column, or undefined (`Places`). */
  positionsOf?: (cell: string, header?: string) => unknown
}

export const nameShapes = ['make', 'model', 'partType', 'partGroup', 'partWords', 'title'] as const
export type NameShape = (typeof nameShapes)[number]

/** Without spaces and marks: yards write "F150" and "MERCEDES BENZ". */
const loose = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * A model by its first words too: the catalog has "Silverado 1500 Regular Cab", the yard says "Silverado 1500". Digits
 * alone are a model only where they are all of its name, and then a quantity as likely.
 */
function modelHeads(models: ReadonlySet<string>): Set<string> {
  const heads = new Set<string>()
  for (const model of models) {
    const words = model.split(/\s+/)
    words.forEach((_, at) => {
      const head = loose(words.slice(0, at + 1).join(''))
      if (/\p{L}/u.test(head) && head.length > 1) heads.add(head)
    })
    if (/^\d{3,4}$/.test(model)) heads.add(model)
  }
  return heads
}

const looseSet = (names: Iterable<string>) => new Set([...names].map(loose))
const ownMakes = looseSet(knownMakes)
// “and” for “&” is as common.
const groups = looseSet([...partGroups].flatMap((name) => [name, name.replace('&', 'and')]))

type Names = Record<'makes' | 'models' | 'types', ReadonlySet<string>>

const known = new WeakMap<Dictionary, Names>()
const own: Names = { makes: ownMakes, models: modelHeads(commonModels), types: new Set() }

/** A dictionary has thousands of names and is the same for every file. */
function namesOf(dictionary: Dictionary | undefined): Names {
  if (!dictionary) return own
  const found = known.get(dictionary) ?? {
    makes: new Set([...ownMakes, ...looseSet(dictionary.manufacturers)]),
    models: modelHeads(dictionary.models),
    types: looseSet(dictionary.categories),
  }
  known.set(dictionary, found)
  return found
}

/** Returns which kinds of name a value is. */
export function nameReader(dictionary: Dictionary | undefined): (text: string) => NameShape[] {
  const { makes, models, types } = namesOf(dictionary)
  return (text) => {
    const all = loose(text)
    const words = text.toLowerCase().match(/[\p{L}\d-]+/gu) ?? []
    // “Core $50” is a deposit.
    const hasNoun = words.some((word) => partNouns.has(word)) && !/^core\b[\s:$]*\d/i.test(text)
    const hasYear = words.some((word) => /^(19|20)\d\d$/.test(word))
    const found: Record<NameShape, boolean> = {
      make: makes.has(all),
      model: models.has(all),
      partType: types.has(all) || types.has(all.replace(/(assembly|assy|s)$/, '')),
      partGroup: groups.has(all),
      partWords: hasNoun || types.has(all) || groups.has(all),
      title: (hasNoun || hasYear) && words.length > 2 && words.some((word) => makes.has(loose(word))),
    }
    return nameShapes.filter((shape) => found[shape])
  }
}

/*
 * What a single value looks like. `text` has no spaces at its ends and is not empty; `plain` is the same in lower
 * case.
 */

export const valueShapes = [
  'year',
  'years',
  'amount',
  'money',
  'whole',
  'phone',
  'zip',
  'vin',
  'vinShaped',
  'interchange',
  'partNumber',
  'code',
  'grade',
  'gradeMarked',
  'quantity',
  'miles',
  'milesMarked',
  'url',
  'json',
  'picture',
  'state',
  'city',
  'place',
  'sentence',
  'date',
  'business',
  'shipping',
  'trim',
] as const
export type ValueShape = (typeof valueShapes)[number]

const YEAR = /^((0?[1-9]|1[0-2])[/.])?(19[2-9]\d|20[0-4]\d)(\.0+|\.5)?$|^['’]\d\d$|^my ?(?:20)?\d\d$/i
const YEARS =
  /^((19[2-9]\d|20[0-4]\d)(\s*(-|–|—|\/|to|thru|through)\s*(19[2-9]\d|20[0-4]\d|\d\d|up|present)|\s*(\+|-|[-&]?\s*(and )?(up|newer|on|present|current))|(\s*[,;|&/]\s*(19[2-9]\d|20[0-4]\d|\d\d))+)|\d\d\s?[-–]\s?\d\d)$/i
/** Of any country: a price in pesos is a price, and then asked about. */
const CURRENCY =
  '(?:us|ca|cdn|c|mx|a)?\\s?[$€£]|usd?|cad|cdn|mxn|m\\.n\\.|eur|gbp|aud|chf|dollars|pesos?|euros?'
const AMOUNT = new RegExp(
  `^[-(]?(?:${CURRENCY})?\\s*(\\d{1,3}([,.' ]\\d{3})+|\\d+)([.,](\\d{1,2}|\\d{2}0{1,6}))?\\s*(?:${CURRENCY})?\\s*((\\/|per )?\\s*(ea|each|pc|obo|firm)\\.?|-|\\))?(?:\\s*(?:mxn|cad|usd))?$`,
  'i',
)
const LONGEST_AMOUNT = 30
const isAmount = (text: string): boolean =>
  text.length <= LONGEST_AMOUNT &&
  /\d/.test(text) &&
  (AMOUNT.test(text) || isForeignAmount(text) || isPricedUnit(text))

/** “$150 pair”; without a sign it may be a count: “2 sets”. */
const isPricedUnit = (text: string): boolean =>
  /[$€£]/.test(text) && AMOUNT.test(readPricedUnit(text)?.amount ?? '-')

/** "850 quetzales", "Q450" and "RD$ 85", but no code of letters and digits. */
const isForeignAmount = (text: string): boolean =>
  !/^\p{L}{2,}\d/u.test(text) && currencyIn(text) !== undefined && AMOUNT.test(withoutCurrency(text))
const isLetterAmount = (text: string) => /^\p{L}\s?\d/u.test(text)
const MONEY = /[$€£]|usd|mxn|eur|cad|dollars|pesos|[.,]\d{2}(?:0{2,6})?\s*[-)]?$/i
const PHONE_LETTERS = /^\+?[\d\s().\-/]{7,20}(\s*(x|ext\.?|#)\s*\d{1,6})?$/i
const DATE = /^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2}))([ T]\d|$)/
const VIN = /^[A-HJ-NPR-Z0-9]{17}$/i
const INTERCHANGE = /^\d{3}-\d{4,5}[A-Z]{0,2}$/i
const GRADE =
  /^([a-d]([+-]| \([a-z ]+\))?|exc(el(lent)?)?\.?|(near )?mint|perfect|(brand |like )?new|(v(ery)? ?)?good|vg|gd|(above )?av(era)?g(e)?|fair|ok(ay)?|acceptable|poor|bad|rough|damaged|for parts|excelente|(muy )?buen[oa]|regular|mal[oa]|nuev[oa]|(sehr )?gut|neu|(très )?bon(ne)?|moyen(ne)?|mauvais(e)?)$/i
const GRADE_MARKED = /^(grade[:\s-]*[a-d][+-]?|[a-d][+-]?[\s-]*grade|[a-d][+-])$/i
const MILES_MARKED = /^[\d,.]+\s*(k|mi|mi\.|miles|k mi|k miles)$/i
const URL = /^https?:\/\/\S+/i
const PICTURE = /\.(jpe?g|png|webp|gif|bmp)(\?\S*)?($|[\s|,;])/i
const PLACE = /^\p{L}[\p{L}.'’-]+( \p{L}[\p{L}.'’-]+){0,2}$/u
const BUSINESS =
  /\b(auto|autos|parts|salvage|recycl\w*|yard|dismantl\w*|wreck\w*|llc|inc|co\.|company|motors?port|imports?|junk\w*|u-?pull\w*|pick-?n-?pull|garage|european|sons)\b/i
const NO_BUSINESS =
  /^\/|\b(inc(l|\.)? (vat|tax|gst)|income|revenue|expenses?|cogs|warranty|days?|returns?|ship\w*|tested|guarantee\w*|used|good|clean|transmission|trans)\b/i
const SHIPPING =
  /^(free( shipping)?|flat(\s.*)?|pick-?\s?up( only)?|local pick-?up|calculated|freight( only)?|call for shipping)\b/i

/** How manufacturers write the numbers of their parts. */
const PART_NUMBERS: readonly RegExp[] = [
  // Toyota, Lexus, Honda, Nissan, Hyundai, Subaru: five characters, dash, five or more.
  /^\d{4,5}[A-Z]?-?[A-Z0-9]{3,5}(-[A-Z0-9]{2,5})?$/i,
  // Ford: prefix, number, suffix.
  /^[A-Z][A-Z0-9]{2,3}[- ]?[A-Z0-9]{4,7}[- ]?[A-Z]{1,3}$/i,
  // General Motors and Chrysler.
  /^\d{7,8}([A-Z]{2})?$/i,
  // Volkswagen and Audi.
  /^[0-9][A-Z0-9]{2}[- .]?\d{3}[- .]?\d{3}([- .]?[A-Z]{1,2})?$/i,
  // BMW and Mercedes-Benz.
  /^(\d{11}|\d{2} \d{2} \d \d{3} \d{3}|A ?\d{3} ?\d{3} ?\d{2} ?\d{2})$/i,
  // Mazda, Mitsubishi and suppliers: letters and digits in groups.
  /^[A-Z0-9]{2,5}-[A-Z0-9]{2,4}-[A-Z0-9]{2,5}$/i,
]
const CODE = /^[A-Z0-9#][A-Z0-9\-_/.#]{0,29}$/i

/** How a part's number is written. It has four digits or more, and is neither a date nor an interchange. */
export function partNumberForm(text: string): string | undefined {
  if (text.length < 6 || text.length > 20 || text.replace(/\D/g, '').length < 4) return undefined
  if (INTERCHANGE.test(text) || DATE.test(text) || YEARS.test(text)) return undefined
  return PART_NUMBERS.find((pattern) => pattern.test(text))?.source
}

const VIN_VALUES = '0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ'
const VIN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/** By its check digit (ISO 3779; 49 CFR 565.15 (c)), the ninth of its 17 characters. */
export function isVin(text: string): boolean {
  if (!VIN.test(text) || /^\d{17}$/.test(text)) return false
  const vin = text.toUpperCase()
  const sum = VIN_WEIGHTS.reduce(
    (total, weight, at) => total + weight * (VIN_VALUES.indexOf(vin.charAt(at)) % 10),
    0,
  )
  return vin.charAt(8) === '0123456789X'.charAt(sum % 11)
}

/** As North America numbers phones: neither area code nor exchange begins with 0 or 1. */
function isPhone(text: string): boolean {
  if (!PHONE_LETTERS.test(text)) return false
  const digits = text
    .replace(/\.0$/, '')
    .replace(/\s*(x|ext\.?|#)\s*\d{1,6}$/i, '')
    .replace(/\D/g, '')
  return /^1?[2-9]\d{2}[2-9]\d{6}$/.test(digits)
}

/** "1,299.00", "1.299,00" and "$85" as a number, or NaN. */
export function numberOf(text: string): number {
  // "150.0000" is what databases write for 150.00.
  const digits = text.replace(/[^\d.,]/g, '').replace(/([.,]\d\d)0{2,6}$/, '$1')
  if (digits === '') return Number.NaN
  const cents = /[.,](\d{1,2})$/.exec(digits)?.[1] ?? ''
  const whole = digits.slice(0, digits.length - (cents === '' ? 0 : cents.length + 1)).replace(/[.,]/g, '')
  return Number(`${whole || '0'}.${cents || '0'}`)
}

const MOST_MILES = 400_000

function isMiles(text: string): boolean {
  if (MILES_MARKED.test(text)) return true
  return /^(\d{1,3}(,\d{3})+|\d{3,6})$/.test(text) && numberOf(text) <= MOST_MILES
}

const wordsIn = (text: string) => text.split(/\s+/).length
const LONG = 60
const MANY_WORDS = 7
const SENTENCE_MARK = /[.,;:!]|\b(?:the|and|with|a|an|is|are|has|no|not|on|of|for|to|from|in|was|it|as)\b/i

/** "High Pressure Fuel Pump LH" is a name. */
const isSentence = (text: string) =>
  text.length >= LONG || wordsIn(text) >= MANY_WORDS || (wordsIn(text) >= 5 && SENTENCE_MARK.test(text))
/** "Parts > Engine > Starter" */
const PATH = /^[^>]{2,40}(?: ?> ?[^>]{2,40}){1,5}$/

const tests: Record<ValueShape, (text: string, plain: string) => boolean> = {
  year: (text) => YEAR.test(text),
  years: (text) => YEARS.test(text),
  amount: isAmount,
  // “Q450” may be a code, too.
  money: (text) => isAmount(text) && (MONEY.test(text) || (isForeignAmount(text) && !isLetterAmount(text))),
  whole: (text) => /^\d{1,9}(\.0)?$/.test(text),
  phone: isPhone,
  zip: (text) => /^\d{5}(-\d{4}|\.0)?$/.test(text),
  vin: isVin,
  vinShaped: (text) => VIN.test(text) && /\d/.test(text) && /[a-z]/i.test(text),
  interchange: (text) => INTERCHANGE.test(text),
  partNumber: (text) => partNumberForm(text) !== undefined,
  code: (text) => CODE.test(text) && /\d/.test(text),
  grade: (text) => GRADE.test(text) || GRADE_MARKED.test(text),
  gradeMarked: (text) => GRADE_MARKED.test(text),
  quantity: (text) => /^\d{1,3}(\.0+)?$/.test(text),
  miles: isMiles,
  milesMarked: (text) => MILES_MARKED.test(text),
  url: (text) => URL.test(text),
  json: (text) => /^[{[][\s\S]*"\s*:[\s\S]*[}\]]$/.test(text),
  picture: (text) => URL.test(text) && PICTURE.test(text),
  state: (_, plain) => stateCodes.has(plain) || (plain.length > 3 && stateNames.has(plain)),
  city: (_, plain) => cities.has(plain),
  place: (text) => text.length > 3 && PLACE.test(text) && !/\p{Ll}\p{Lu}/u.test(text),
  sentence: (text) => isSentence(text) && !PATH.test(text),
  date: (text) => DATE.test(text),
  business: (text) =>
    /\s/.test(text) && BUSINESS.test(text) && !NO_BUSINESS.test(text.replace(/used (auto )?parts/i, 'parts')),
  shipping: (text) => SHIPPING.test(text),
  trim: (_, plain) => knownTrims.has(plain),
}

/** The shapes that a value has; most have several. */
export function shapesOf(text: string): ValueShape[] {
  const plain = text.toLowerCase()
  return valueShapes.filter((shape) => tests[shape](text, plain))
}
