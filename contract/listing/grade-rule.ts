/*
 * Suggests grades by the public standard of the Automotive Recyclers Association (ARA). Body parts: a damage code has
 * the location, kind and units of the damage; a unit is the size of a credit card. One unit or less is A, two are B,
 * more are C. Mechanical parts: A up to 60,000 miles, or up to 15,000 a year; B above both; C above 200,000. X means
 * too little is known and suggests no grade. D ("poor") is our own and only set by people. Sources:
 * docs/decisions/0058.
 */

/** The kinds of damage by their letter. */
const damageKinds: Readonly<Record<string, string>> = {
  B: 'burn',
  C: 'crease',
  D: 'dent',
  E: 'bend',
  F: 'fading',
  H: 'hail',
  J: 'crack or rip',
  K: 'buckle',
  L: 'lip damage',
  P: 'parking lot ding',
  R: 'surface rust',
  S: 'scratch',
  T: 'paint damage',
}

export type Damage = {
  /** 1 to 9 on the part's chart; 0 means all over. */
  location: number
  kind: string
  /** Area in credit-card sizes. */
  units: number
}

const ONE_CODE = /^(\d)([A-Z])(\d{1,2})$/
const MAX_CODES = 6

/** Parses a code such as "5P1" or "2D1 4S2"; empty for "000", undefined if invalid. */
export function readDamageCode(typed: string): Damage[] | undefined {
  const codes = typed
    .toUpperCase()
    .split(/[\s,;/+]+/)
    .filter(Boolean)
  if (codes.length === 0 || codes.length > MAX_CODES) return undefined
  if (codes.every((code) => code === '000')) return []
  const damages = codes.map((code) => {
    const [, location = '', letter = '', units = ''] = ONE_CODE.exec(code) ?? []
    const kind = damageKinds[letter]
    return kind && Number(units) > 0 ? { location: Number(location), kind, units: Number(units) } : undefined
  })
  return damages.every((damage) => damage !== undefined) ? damages : undefined
}

/** The stored form of a code: "5p1,2s1" becomes "5P1 2S1". */
export const plainDamageCode = (typed: string): string =>
  [
    ...new Set(
      typed
        .toUpperCase()
        .split(/[\s,;/+]+/)
        .filter(Boolean),
    ),
  ].join(' ')

export const damageCodeRule =
  'Damage code like 5P1 (where, what, how big). 000 means no damage. Leave it empty if you don’t use codes.'

const unitsInWords = (units: number) => (units === 1 ? '1 unit' : `${units} units`)

/** "Parking lot ding at 5 (1 unit), scratch all over (2 units)"; undefined for an invalid code. */
export function damageInWords(code: string): string | undefined {
  const damages = readDamageCode(code)
  if (!damages) return undefined
  if (damages.length === 0) return 'No damage'
  const words = damages
    .map(
      ({ location, kind, units }) =>
        `${kind} ${location === 0 ? 'all over' : `at ${location}`} (${unitsInWords(units)})`,
    )
    .join(', ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const MILES_OF_A = 60_000
const MILES_A_YEAR = 15_000
const MILES_OF_C = 200_000

type Suggested = { grade: 'A' | 'B' | 'C' | 'X'; reason: string }

/** X without a code. */
function gradeOfDamage(code: string): Suggested {
  const damages = readDamageCode(code)
  if (!damages) return { grade: 'X', reason: 'A damage code is missing' }
  const units = damages.reduce((sum, damage) => sum + damage.units, 0)
  if (units === 0) return { grade: 'A', reason: 'No damage (000)' }
  const found = `${unitsInWords(units)} of damage`
  if (units <= 1) return { grade: 'A', reason: `${found}; A has up to 1` }
  return units <= 2
    ? { grade: 'B', reason: `${found}; B has up to 2` }
    : { grade: 'C', reason: `${found}; C has more than 2` }
}

/** X without miles or a year. A car of this model year or the next counts as a year old. */
export function gradeOfMiles({ miles, year, now }: { miles: number; year: number; now: number }): Suggested {
  if (!Number.isFinite(miles)) return { grade: 'X', reason: 'Miles are missing' }
  const count = (value: number) => Math.round(value).toLocaleString('en-US')
  if (miles > MILES_OF_C)
    return { grade: 'C', reason: `${count(miles)} miles; C has more than ${count(MILES_OF_C)}` }
  if (miles <= MILES_OF_A)
    return { grade: 'A', reason: `${count(miles)} miles; A has up to ${count(MILES_OF_A)}` }
  if (!Number.isFinite(year)) return { grade: 'X', reason: 'The year is missing' }
  const yearly = miles / Math.max(1, now - year)
  const found = `${count(yearly)} miles a year`
  return yearly <= MILES_A_YEAR
    ? { grade: 'A', reason: `${found}; A has up to ${count(MILES_A_YEAR)}` }
    : { grade: 'B', reason: `${found}; A has up to ${count(MILES_A_YEAR)}` }
}

/** Parts that wear by mileage, by words of their name or category; covers, brackets and wiring around them do not. */
const MECHANICAL =
  /\b(?:engines?|motors?|long block|short block|cylinder heads?|crankshaft|camshaft|transmissions?|transaxle|transfer case|differentials?|carriers?|axles?|drive ?shaft|driveline|torque converter|clutch|alternators?|starters?|generators?|compressors?|pumps?|turbo(?:charger)?s?|supercharger|steering (?:gear|rack)|rack and pinion|gear ?box|hubs?|calipers?|injectors?|throttle body|cv joints?)\b/i
const AROUND =
  /\b(?:covers?|mounts?|brackets?|harness|wiring|hoses?|modules?|computers?|pans?|sensors?|shields?|cradles?|belts?|cables?|caps?|fans?|window|wiper|seat|mirror|washer|blower|sunroof|door|lock)\b/i

export const isGradedByMiles = (words: string): boolean => MECHANICAL.test(words) && !AROUND.test(words)

export type GradeFacts = {
  damagecode?: string | undefined
  partmiles?: string | undefined
  /** "2012" or "2012-2015"; the newest year counts, which is the strictest for the miles. */
  partyear?: string | undefined
  /** The part's name and its category. */
  words: string
  /** The current year. */
  now: number
}

const rank = { A: 0, B: 1, C: 2, X: -1 } as const

/** Returns the suggested grade with its reason; the worse of mileage and damage counts. */
export function suggestGrade({
  damagecode = '',
  partmiles = '',
  partyear = '',
  words,
  now,
}: GradeFacts): Suggested {
  const byDamage = gradeOfDamage(damagecode)
  if (!isGradedByMiles(words)) return byDamage
  const miles = partmiles.trim() === '' ? Number.NaN : Number(partmiles.replaceAll(',', ''))
  const [year = ''] = /\d{4}$/.exec(partyear.trim()) ?? []
  const byMiles = gradeOfMiles({ miles, year: year === '' ? Number.NaN : Number(year), now })
  return rank[byDamage.grade] > rank[byMiles.grade] ? byDamage : byMiles
}

const DAMAGE_WORD =
  /\b(?:scratch(?:e[ds]|es)?|dent(?:s|ed)?|dings?|dinged|scuff(?:s|ed)?|crack(?:s|ed)?|rust(?:y|ed)?|chipp?(?:s|ed)?|creased?|bent|broken|torn|gouged?|peeling|faded|hail)\b/gi
const DENIED = /\b(?:no|not|non|without|never|free of|zero|any|isn['’]t|aren['’]t|0|or|nor)[\s\w,/-]{0,24}$/i

/** Returns a word that mentions damage although the code states none, or undefined. */
export const contradictedDamage = (code: string, ...texts: (string | undefined)[]): string | undefined =>
  readDamageCode(code)?.length === 0 ? damageSaid(texts) : undefined

/** The first word that mentions damage, unless it is denied: "no rust", "dent-free". */
function damageSaid(texts: readonly (string | undefined)[]): string | undefined {
  for (const text of texts) {
    for (const found of text?.matchAll(DAMAGE_WORD) ?? []) {
      const before =
        text
          ?.slice(Math.max(0, found.index - 40), found.index)
          .split(/[.;!?\n]/)
          .at(-1) ?? ''
      const after = text?.slice(found.index + found[0].length, found.index + found[0].length + 5) ?? ''
      if (!DENIED.test(before) && !/^[- ]free\b/i.test(after)) return found[0].toLowerCase()
    }
  }
  return undefined
}

/** "Grade A", "GRADE: B+", "B-grade" and "A GRADE"; the "a" of "has a grade" is an article. */
const GRADE_SAID = /\bgrade\b\s*[:=-]?\s*([a-d])(?![\w'’])|(?<![\w'’-])([ABCDbcd]|a(?=-))[+-]?[ -]grade\b/gi
const ARTICLE = /^a grade/
const BROKEN =
  /\b(?:for parts|parts only|not working|does(?: not|n['’]t) work|inoperable|needs? (?:repair|work)|poor (?:condition|shape))\b/i

/**
 * The grade in a row's own text: a letter; 'worse' if it mentions damage, so that a yard's usual A or B is not its
 * grade; undefined if it says nothing.
 */
export function gradeInText(
  texts: readonly (string | undefined)[],
): 'A' | 'B' | 'C' | 'D' | 'worse' | undefined {
  const said = new Set(
    texts.flatMap((text) =>
      [...(text?.matchAll(GRADE_SAID) ?? [])].flatMap(([whole, behind, before = '']) =>
        ARTICLE.test(whole) ? [] : (behind ?? before).toUpperCase(),
      ),
    ),
  )
  const [only, ...others] = said
  if (only !== undefined && others.length === 0) return only as 'A'
  return damageSaid(texts) !== undefined || texts.some((text) => text !== undefined && BROKEN.test(text))
    ? 'worse'
    : undefined
}
