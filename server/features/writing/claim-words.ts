import type { Reading } from './claim-numbers.ts'
import type { Support } from './support.ts'
import type { Problem } from './writer.ts'

/* Words that promise something, or say of a part what only its record can. */

type WordRule = (reading: Reading, at: number) => string | undefined

const keyAt = ({ tokens }: Reading, at: number) => tokens[at]?.key ?? ''
const list = (words: string) => words.split(/\s+/).filter((word) => word !== '')

const NEVER = 'promises what no record can'
const promises = list(
  `best cheapest lowest finest unbeatable guaranteed guarantee guarantees warranty warranties warranted lifetime refund
   refunds refundable moneyback pristine flawless perfect perfectly immaculate certified authentic authenticity
   universal brandnew likenew undamaged rustfree crackfree overnight worldwide international nationwide sameday
   bolton discount discounted clearance bargain satisfaction premium superior superb outstanding exceptional amazing
   unmatched legendary flawlessly hasslefree riskfree worryfree returnable toprated highestquality topquality
   unused unopened showroom factoryfresh durable reliable dependable trusted`,
)

const unless =
  (holds: (support: Support) => boolean, why: string): WordRule =>
  ({ support }) =>
    holds(support) ? undefined : why

const isNew = unless(({ condition }) => condition === 'new', 'is not what the record says of its condition')
const isOriginal = unless(({ origin }) => origin === 'original', 'is not what the record says of its origin')
const isTested = unless(({ tested }) => tested, 'is not in the record: nothing there says that it was tested')
const isRebuilt = unless(
  ({ condition }) => condition === 'rebuilt',
  'is not what the record says of its condition',
)
const isAftermarket = unless(
  ({ origin }) => origin === 'aftermarket',
  'is not what the record says of its origin',
)
const isUsed = unless(({ condition }) => condition !== 'new', 'is not what the record says of its condition')

/** Details of a piece that its name, its damage or its seller's words must have. */
const details = list(
  `white black silver gray grey red blue green gold beige tan brown orange yellow maroon charcoal leather cloth vinyl
   suede aluminum aluminium chrome chromed carbon fiberglass diesel hybrid turbo turbocharged supercharged electric
   heated cooled memory navigation automatic manual halogen xenon led hid projector convertible coupe sedan wagon
   hatchback minivan tinted primed painted`,
)
const NOT_IN_RECORD = 'is a detail that is not in the record'

const isDetail: WordRule = (reading, at) => {
  const { support } = reading
  const word = keyAt(reading, at)
  if (support.words.has(word) || support.notes().words.has(word)) return undefined
  return isManualToRead(reading, at, word) ? undefined : NOT_IN_RECORD
}

/** "the service manual" is a book. */
const isManualToRead = (reading: Reading, at: number, word: string) =>
  word === 'manual' && /^(service|owners|repair|workshop|the|your)$/.test(keyAt(reading, at - 1))

const SHIPPING = /^(ship|ships|shipped|shipping|delivery|delivered|freight|postage|sent|send)$/
const isNear = (reading: Reading, at: number, wanted: RegExp) => {
  for (let near = Math.max(0, at - 4); near <= at + 3; near += 1)
    if (wanted.test(keyAt(reading, near))) return true
  return false
}

const isFree: WordRule = (reading, at) => {
  if (keyAt(reading, at - 1) === 'feel') return undefined
  const isAboutShipping = isNear(reading, at, SHIPPING)
  return isAboutShipping && reading.support.shipping === 'free' ? undefined : 'is not in the record'
}

/** What is picked up is not sent. */
const isShipped: WordRule = (reading, at) => {
  if (reading.support.shipping !== 'pickup') return undefined
  return isNear(reading, at, /^(not|no|never|cannot|cant|isnt|only|instead|without)$/)
    ? undefined
    : 'contradicts the record: it is for pickup only'
}

const isPickup: WordRule = (reading, at) => {
  if (keyAt(reading, at + 1) !== 'only' || reading.support.shipping === 'pickup') return undefined
  return 'is not what the record says of its shipping'
}

const STATE = /^(condition|shape|order|grade)$/
const gradeWordsFor = new Set(['excellent', 'good', 'fair', 'poor', 'mint'])

/** "good condition", "fair used condition"; "excellent" and "mint" claim a grade wherever they stand. */
const isGrade: WordRule = (reading, at) => {
  const word = keyAt(reading, at)
  const isClaim = word === 'excellent' || word === 'mint' || isStateSoon(reading, at)
  if (!isClaim || reading.support.grade?.word === word) return undefined
  return reading.support.words.has(word) && word !== 'excellent'
    ? undefined
    : 'is not the grade of the record'
}
const isStateSoon = (reading: Reading, at: number) =>
  STATE.test(keyAt(reading, at + 1)) ||
  (STATE.test(keyAt(reading, at + 2)) && !/^(to|in|for|of|the|a)$/.test(keyAt(reading, at + 1)))

/** "grade B", "a B-grade part" */
const isGradeLetter: WordRule = (reading, at) => {
  const next = reading.tokens[at + 1]
  if (next === undefined || !/^[A-F]$/.test(next.text)) return undefined
  return next.key === reading.support.grade?.letter ? undefined : 'is not the grade of the record'
}

const DAMAGES =
  /^(damage|damages|rust|crack|cracks|dent|dents|scratch|scratches|wear|leak|leaks|chips|corrosion|accident|accidents|issues|problems|defects|flaws|noise|play)$/

/** "no damage" needs a record that says so; "no rust" none can. */
const isSpotless: WordRule = (reading, at) => {
  const near = [1, 2, 3].map((step) => keyAt(reading, at + step)).find((key) => DAMAGES.test(key))
  if (near === undefined) return undefined
  return near === 'damage' && reading.support.noDamage ? undefined : 'is not in the record'
}

const isLow: WordRule = (reading, at) =>
  /^(mile|miles|mileage)$/.test(keyAt(reading, at + 1)) ? 'is not in the record' : undefined

const isForAll: WordRule = (reading, at) =>
  /^(all|any|every|most|many)$/.test(keyAt(reading, at + 1))
    ? 'is a fitment that is not in the record'
    : undefined

const isDirect: WordRule = (reading, at) =>
  /^(fit|fits|replacement)$/.test(keyAt(reading, at + 1)) ? NEVER : undefined

const sides: readonly (readonly [one: string, other: string])[] = [
  ['left', 'right'],
  ['driver', 'passenger'],
  ['front', 'rear'],
  ['upper', 'lower'],
]
const sidePairs = new Map(sides.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]))

/** A side is part of what fits. A sentence that names both of a pair explains something. */
const isSide: WordRule = (reading, at) => {
  const { support, tokens } = reading
  const word = keyAt(reading, at)
  if (support.words.has(word)) return undefined
  const isVerb = word === 'left' && /^(is|are|be|been|has|have|was|were)$/.test(keyAt(reading, at - 1))
  if (isVerb || /^(away|now|before)$/.test(keyAt(reading, at + 1))) return undefined
  const other = sidePairs.get(word)
  for (let near = at - 12; near <= at + 12; near += 1) {
    if (tokens[near]?.key === other && other !== undefined && !support.words.has(other)) return undefined
  }
  return 'is a position that is not in the record'
}

const TIMED = new Set(['tested', 'inspected', 'verified', 'working', 'functional', 'operational', 'works'])

const always =
  (why: string): WordRule =>
  () =>
    why
const each = (words: readonly string[], rule: WordRule) => words.map((word) => [word, rule] as const)

const rules = new Map<string, WordRule>([
  ...each(promises, always(NEVER)),
  ...each(details, isDetail),
  ...each(list('new newer newest'), isNew),
  ...each(list('genuine oem oe original originally factory'), isOriginal),
  ...each(list('aftermarket'), isAftermarket),
  ...each(list('rebuilt remanufactured refurbished reconditioned restored overhauled'), isRebuilt),
  ...each([...TIMED], isTested),
  ...each(list('used'), isUsed),
  ...each(list('free'), isFree),
  ...each(list('ship ships shipped shipping delivery delivered'), isShipped),
  ...each(list('pickup'), isPickup),
  ...each([...gradeWordsFor], isGrade),
  ...each(list('grade graded'), isGradeLetter),
  ...each(list('no without zero'), isSpotless),
  ...each(list('low'), isLow),
  ...each(list('fits fit suits compatible'), isForAll),
  ...each(list('direct exact'), isDirect),
  ...each([...sidePairs.keys()], isSide),
])

export const hasWordRule = (word: string): boolean => rules.has(word)

/** What is wrong with a word, or undefined. */
export function wrongWord(reading: Reading, at: number, word: string): Problem | undefined {
  const why = rules.get(word)?.(reading, at)
  return why === undefined ? undefined : { claim: reading.tokens[at]?.text ?? word, why }
}
