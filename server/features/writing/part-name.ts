import type { PartFacts } from './part-facts.ts'
import { partMakers } from './part-makers.ts'
import { atWord } from './plain-text.ts'

/** A seller's name of a part, taken apart: "Headlamp, left" is a headlamp whose position is left. */
export type PartName = {
  /** "left front CV axle", as in the middle of a sentence. */
  readonly part: string
  /** "CV axle" */
  readonly noun: string
  readonly plural: boolean
  /** What its maker distinguishes it by: "130A", "3.5L V6", "17 in". */
  readonly spec: string | undefined
  /** What else the seller put into the name: "dark blue", "engine bay". */
  readonly detail: string | undefined
}

/**
 * Words that sell rather than say; a name that has them is not repeated. "New" stays where a car is called so, which is
 * the model's own name and not the part's.
 */
const SELLING =
  /\b(?:new|genuine|oem|oe|warranty|guaranteed?|tested|best|free|lifetime|original|certified|perfect|l@@k|look|wow|rare|sale|cheap|hot|fits|fit for|compatible|refurbished|remanufactured|rebuilt|aftermarket|mint|excellent|nice|great)\b|[!$%@#*~]|\b\d{7,}\b/i
const LONGEST_NOUN = 60

/**
 * The name that may be repeated: the seller's without the car, which stands beside it, or where the seller's advertises,
 * the category's.
 */
export function shownName(facts: PartFacts): string {
  const name = withoutCar(facts)
  if (name !== '' && !SELLING.test(name)) return expand(name)
  return facts.category ?? (expand(name.replaceAll(new RegExp(SELLING, 'gi'), ' ')) || 'part')
}

/** "2015 Ford Focus Alternator" is an alternator. */
function withoutCar({ name, manufacturer, model, yearFrom }: PartFacts): string {
  const small = name.toLowerCase()
  const years = yearFrom !== undefined && small.includes(String(yearFrom).slice(0, 2))
  const told = [manufacturer, model].filter((word) => word && small.includes(word.toLowerCase()))
  if (!years && told.length === 0) return name
  let rest = years ? name.replaceAll(/\b(?:19|20)\d\d(?:\s?[-–]\s?(?:\d{4}|\d{2}))?(?=\s|$)/g, ' ') : name
  for (const word of told) if (word !== undefined) rest = cutWord(rest, word)
  const bare = rest.replaceAll(/\s+/g, ' ').replace(/^[\s,;:–-]+|(?:\s+(?:for|from|off))?[\s,;:–-]*$/gi, '')
  return /\p{L}{3}/u.test(bare) ? bare : name
}

function cutWord(text: string, word: string): string {
  const at = text.toLowerCase().indexOf(word.toLowerCase())
  const isWhole = !/\w/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + word.length))
  return at >= 0 && isWhole ? `${text.slice(0, at)} ${text.slice(at + word.length)}` : text
}

const SHORT = new Map(
  `lh left;l/h left;rh right;r/h right;lf left front;rf right front;lr left rear;assy assembly;assm assembly;frt front;
   pass passenger;drvr driver;w/ with;trans transmission;mtr motor;ctrl control;hdlight headlight`
    .split(';')
    .map((entry) => {
      const [short = '', ...long] = entry.trim().split(' ')
      return [short, long.join(' ')] as const
    }),
)

const expanded = new Map<string, string>()
// A yard has some thousands of different names; a file of a million rows asks for the same ones again and again.
const MOST_REMEMBERED = 20_000

function remembered<T>(known: Map<string, T>, key: string, make: () => T): T {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  if (known.size >= MOST_REMEMBERED) known.clear()
  known.set(key, made)
  return made
}

/** Abbreviations of counters written out, and capitals no louder than needed. */
function expand(name: string): string {
  return remembered(expanded, name, () => {
    const quiet = isShouted(name) ? name.split(' ').map(quietWord).join(' ') : name
    return quiet
      .split(' ')
      .map((word) => {
        const bare = word.replace(/[,.;:]+$/, '')
        return (SHORT.get(bare.toLowerCase()) ?? bare) + word.slice(bare.length)
      })
      .join(' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  })
}

const isShouted = (name: string) => /[A-Z]{4}/.test(name) && name === name.toUpperCase()
const ABBREVIATION =
  /^(?:[A-Z]\/[A-Z]|ABS|AC|AWD|BCM|CD|CV|CVT|DEF|DVD|ECM|ECU|EGR|EVAP|FWD|GPS|HID|HVAC|LED|MAF|O2|PCM|RWD|SRS|TCM|TPMS|USB|V\d+|\W*|.*\d.*)$/
const quietWord = (word: string) => (ABBREVIATION.test(word) ? word : word.toLowerCase())

const POSITION =
  /^(?:(?:left|right|front|rear|upper|lower|inner|outer|driver|driver's|passenger|center|side|hand|and|&)\s*)+$/i
const SPEC = /^(?:\d[\w.]*(?:\s?(?:in|inch|amp|amps|A|L))?|V\d+|I\d|4WD|AWD|FWD|RWD|2WD|4x4|diesel|gas)$/i
const TRAILING_SPEC =
  /\s+(?:\d+(?:\.\d+)?\s?(?:A|amps?|L|in|inch|cc|V|W|mm)|\d+(?:\.\d+)?L|[VI]\d{1,2}|diesel|4WD|AWD|FWD|RWD)$/i

const parsed = new Map<string, PartName>()

/** A shown name taken apart. */
export function readPartName(name: string): PartName {
  return remembered(parsed, name, () => parsePartName(name))
}

function parsePartName(name: string): PartName {
  const [head = '', ...others] = name.split(/\s*[,;|()]\s*|\s+[-–—/]\s+/).filter((piece) => piece !== '')
  let noun = head
  const specs: string[] = []
  for (let found = TRAILING_SPEC.exec(noun); found; found = TRAILING_SPEC.exec(noun)) {
    specs.unshift(found[0].trim())
    noun = noun.slice(0, found.index)
  }
  const positions = others.filter((piece) => POSITION.test(piece))
  specs.push(...others.filter((piece) => SPEC.test(piece)))
  const rest = others.filter((piece) => !POSITION.test(piece) && !SPEC.test(piece))
  const small = inSentence(atWord(noun || 'part', LONGEST_NOUN))
  return {
    part: [...positions.map((piece) => piece.toLowerCase()), small].join(' '),
    noun: small,
    plural: isPlural(small),
    spec: specs.join(' ') || undefined,
    detail: rest.join(', ') || undefined,
  }
}

/** As in the middle of a sentence. Abbreviations keep their capitals, and so do makers: "CV axle", "Bose amplifier". */
export function inSentence(name: string): string {
  return name.replaceAll(/(?<![\w/-])[A-Z][a-z'’]+(?![\w/])/g, (word) =>
    partMakers.has(word.toLowerCase()) ? word : word.toLowerCase(),
  )
}

const SINGULAR = /(?:ss|us|is|gas|lens|chassis|abs|canvas|series)$/i

function isPlural(noun: string): boolean {
  const [head = ''] = noun.split(' with ')
  const last = head.split(' ').at(-1) ?? ''
  return /s$/.test(last) && !SINGULAR.test(last) && last.length > 3
}
