import { LONGEST_LOOKUP_NAME } from '#contract/listing/listing-rules.ts'
import { type CategoryMatcher, partWords, withoutExtras } from './category-matcher.ts'
import { isPlaceholder } from './name-form.ts'
import { type Candidate, type KnownName, MAX_CANDIDATES, type NameVerdict } from './name-verdict.ts'

/*
 * The category of a part: its own name decides first, since the last noun of a part name is nearly always its category;
 * the yard's word for it ("Body", "Doors", "Glass") is a hint. Both together say how certain that is.
 */

/* Words of parts and of yards' sections, in the singular and spelled out (see `partWords`). */
const wordsIn = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Words that say how a part looks or is made: the same kind of part, whatever they are. */
const LOOKS = wordsIn(`
  assembly complete heated cooled folding adjustable chrome painted primed
  black white silver gray grey red blue green tan beige leather cloth vinyl halogen led xenon hid pickup truck van sedan coupe
  wagon sport base standard premium heavy duty hd 2wd 4wd awd fwd rwd pair type style code color mounted
  aftermarket rebuilt remanufactured reman only less bare oe nos
`)

/** Words about a part that say what it is not. They may follow it: "door glass front". */
const QUALIFIERS: ReadonlySet<string> = new Set([
  ...LOOKS,
  ...wordsIn(`
    front rear upper lower inner outer inside outside exterior interior center middle side top bottom back
    driver passenger power electric manual automatic kit view core
  `),
])

/** Small parts that are named after a larger one and are none themselves: an alternator bracket is not an alternator. */
const PIECES = wordsIn(`
  arm bag bar base bearing belt bezel block bolt boot box bracket brace bulb bumper bushing button cable cap case clamp clip coil
  compressor condenser connector control cooler cover crossmember cushion cylinder door duct element engine fan fastener filter fitting
  flap foam frame fuse garnish gasket gauge gear glass guard guide handle hardware harness hinge hook hose housing hub insert
  insulation jack key knob lamp latch lens lever light line lining link linkage liner lip lock mat module molding motor mount
  nut pad panel pedal pigtail pin pipe pivot plate plug pocket pulley pump rack rail receiver regulator reinforcement relay
  reservoir resistor retainer rim ring rivet rod roller rubber screen screw seal seat sender sensor shade shaft shell shield
  shim shroud skin sleeve socket solenoid spacer spring sprocket stand stay stop strap stud support surround switch tank
  tape tensioner terminal tray trim tube unit valve vent visor washer weatherstrip wheel window wire wiring
`)

/** Names of one word that alone mean a part, but with another noun beside them may be any: a caliper's piston. */
const LOOSE = wordsIn(`
  amp badge blinker buckle cam canopy cat chassis clutch column console converter cowl crank damper dash diff drum frame
  gauges generator grille hatch head hub intake jack kickstand knuckle mat motor pad piston rebar rocker roof rotor shell
  shock spindle spring stereo throttle tire wing
`)

const BODY = ['Body Panels', 'Bumpers & Grilles', 'Doors & Glass', 'Mirrors', 'Lighting', 'Truck & Towing']
const ENGINE = ['Engine', 'Fuel & Air Intake', 'Cooling & Heating', 'Electrical', 'Exhaust & Emissions']
const DRIVELINE = ['Transmission & Drivetrain']
const CLIMATE = ['Cooling & Heating']
const CABIN = ['Interior', 'Seats & Restraints']
const WIRING = ['Electrical', 'Electronics & Modules', 'Lighting', 'Wipers & Washers']

/** What yards call whole sections of their stock, and the groups of categories that belong to each; none for "Misc". */
const SECTIONS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...keyed(
    BODY,
    'body,exterior,body part,exterior part,sheet metal,panel,body panel,front end,front clip,rear clip',
  ),
  ...keyed(['Doors & Glass'], 'door,glass,window,door and glass,door part'),
  ...keyed(['Mirrors'], 'mirror'),
  ...keyed(['Bumpers & Grilles'], 'bumper'),
  ...keyed(['Lighting'], 'light,lamp,lighting,head and tail light'),
  ...keyed(['Wheels & Tires'], 'wheel,tire,wheel and tire,rim and tire'),
  ...keyed(
    DRIVELINE,
    'transmission,drivetrain,driveline,drive train,axle,gearbox,powertrain,clutch and transmission',
  ),
  ...keyed(['Brakes'], 'brake,braking,brake system'),
  ...keyed(WIRING, 'electrical,electronic,electric,wiring,electrical part,computer,module,sensor,switch'),
  ...keyed(CABIN, 'interior,interior part,trim,interior trim,cabin'),
  ...keyed(['Seats & Restraints'], 'seat,restraint,safety,air bag,airbag,seat belt and air bag,srs'),
  ...keyed(
    ['Suspension & Steering'],
    'suspension,steering,suspension and steering,chassis,steering and suspension',
  ),
  ...keyed(ENGINE, 'engine,motor,engine part,mechanical,engine component,under hood,powerplant'),
  ...keyed(
    CLIMATE,
    'cooling,heating,hvac,ac,air conditioning,climate,heater,cooling system,ac and heating,heating and cooling',
  ),
  ...keyed(['Exhaust & Emissions'], 'exhaust,emission,exhaust system'),
  ...keyed(['Fuel & Air Intake'], 'fuel,fuel system,air intake,intake,fuel and air,air and fuel'),
  ...keyed(['Electronics & Modules'], 'audio,radio and audio,infotainment,stereo and audio'),
  ...keyed(['Wipers & Washers'], 'wiper,wiper and washer'),
  ...keyed(['Truck & Towing'], 'towing,truck part,tow,hitch'),
  ...keyed(['Hybrid & Electric Drive'], 'hybrid,ev'),
  ...keyed(
    [],
    'misc,miscellaneous,other,part,auto part,car part,general,hardware,accessory,used,used part,oem,unknown',
  ),
])

function keyed(groups: readonly string[], words: string): [string, readonly string[]][] {
  return words.split(',').map((word) => [word, groups])
}

/**
 * How often such a match is right, as measured with `yard-parts.csv` (see its test, which keeps them true): the name is
 * exactly a category's; it has further words; it fits several categories and the yard's word names one of them; only the
 * word says it; the word contradicts the name.
 */
const CERTAINTY = {
  exact: 0.99,
  longer: 0.97,
  hinted: 0.95,
  worded: 0.95,
  mistyped: 0.93,
  loose: 0.6,
  torn: 0.5,
} as const

/** Below this, nothing is published: the seller is asked. */
export const SURE_ENOUGH = 0.9

type CategoryVerdict =
  | { readonly kind: 'known'; readonly id: string; readonly name: string; readonly certainty: number }
  | { readonly kind: 'unsure'; readonly candidates: readonly Candidate[] }

/** `partType`: what the name says the part is, without side, vehicle and numbers; '' if it says nothing. */
export type PartReading = { readonly verdict: CategoryVerdict; readonly partType: string }

/** A category found in a name: in its words from `from` up to `to`. */
type Found = {
  readonly entry: KnownName
  readonly from: number
  readonly to: number
  readonly inOrder: boolean
}

/** The type of a part in questions about it; its whole name where that says nothing. */
export const typeOfPart = ({ partType }: PartReading, name: string): string =>
  partType === '' ? name.trim().slice(0, LONGEST_LOOKUP_NAME) : partType

type NameReading = {
  /** Words of parts, without side, condition and numbers. */
  readonly words: readonly string[]
  /** The place of the noun that the part is; -1 if there is none. */
  readonly head: number
  /** The category that the head belongs to. */
  readonly best: Found | undefined
  /** Other categories in the name. */
  readonly others: readonly Found[]
  readonly certainty: number
}

/** A yard's word for a category. */
type WordReading = {
  readonly words: readonly string[]
  /** The groups of a whole section ("Body"), which is no category. */
  readonly groups: readonly string[] | undefined
  /** The category that it names. */
  readonly said: KnownName | undefined
}

// A yard has dozens of words; a wrongly mapped column has one for each row.
const MAX_REMEMBERED = 5_000

// A name has a handful of words; a pasted description has hundreds.
const MAX_WORDS = 12

/** What follows belongs to the part's description: "Door mirror with signal", "Radiator for F-150". */
const ASIDE =
  /\s(?:with|w\/o?|without|for|fits|from|under|behind|incl(?:udes|uding)?|off of|out of)(?:\s|$).*$/i
/** A part number behind the name, as titles have it: the B of "B5Z-2425-B" is no word. */
const NUMBER = /\b(?=(?:[a-z-]*\d){4})[a-z\d]+(?:-[a-z\d]+)+\b/gi
const BRACKETS = /\(([^()]*)\)/g
/** "Gear/Rack", but not "A/C", "w/o" and "L/R". */
const ALTERNATIVES = /(\p{L}{2,})\s*\/\s*(?=\p{L}{2})/u

/** "130 amp", "6 speed": measures, whose units are also words of parts. */
const MEASURE =
  /\b\d[\d.,x/-]*\s*(?:amps?|speed|spd|inch|in|volts?|ft|gal|spokes?|cyl(?:inders?)?|liters?|mm|doors?|dr)\b/gi

/** Built once, then used for any number of parts. */
export class PartCategoryMatcher {
  readonly #categories: CategoryMatcher
  readonly #readings = new Map<string, WordReading>()

  constructor(categories: CategoryMatcher) {
    this.#categories = categories
  }

  /** `word`: the yard's own category; '' if it has none. */
  match(name: string, word: string): PartReading {
    const reading = this.#read(name)
    const partType = reading.words.filter((each) => !LOOKS.has(each)).join(' ')
    const hint = this.#readWord(word)
    return { verdict: this.#oneOfTwo(name, reading, hint) ?? this.#decide(reading, hint), partType }
  }

  /** "Tailgate/Trunk Lid" is one or the other, so the seller is asked; both halves of "Steering Gear/Rack" are the same. */
  #oneOfTwo(text: string, { words, best }: NameReading, { said }: WordReading): CategoryVerdict | undefined {
    const slash = ALTERNATIVES.exec(text)
    const isWhole = best !== undefined && best.to - best.from === words.length
    if (!slash || isWhole) return undefined
    const before = text.slice(0, slash.index)
    const after = text.slice(slash.index + slash[0].length)
    const one = this.#sure(before + slash[1])
    const other = this.#sure(before + after) ?? this.#sure(after)
    if (!one || !other) return undefined
    if (one.id === other.id) return known(one, CERTAINTY.longer)
    return said && [one.id, other.id].includes(said.id)
      ? known(said, CERTAINTY.worded)
      : unsureAmong([one, other])
  }

  #sure(text: string): KnownName | undefined {
    const { best, certainty } = this.#read(text)
    return certainty >= SURE_ENOUGH ? best?.entry : undefined
  }

  #decide(name: NameReading, word: WordReading): CategoryVerdict {
    const { best, certainty } = name
    if (best && certainty >= SURE_ENOUGH) return known(best.entry, certainty)
    const { said } = word
    if (said && this.#agrees(name, said)) return known(said, CERTAINTY.worded)
    const possible = this.#possible(name)
    const hinted = this.#narrowed(name, possible, word)
    if (hinted) return known(hinted, CERTAINTY.hinted)
    const likely = [...this.#nearest(name), ...this.#ofKind(name, possible), ...(said ? [said] : [])]
    return unsureAmong(likely.length > 0 ? likely : this.#namedBy(word))
  }

  /** The category of the head, unless that is a piece of something else: a headlight motor is no engine. */
  #nearest({ best, words }: NameReading): KnownName[] {
    if (!best) return []
    const isPiece = best.to - best.from === 1 && words.length > 1 && PIECES.has(words[best.from] ?? '')
    return isPiece ? [] : [best.entry]
  }

  #readWord(word: string): WordReading {
    const before = this.#readings.get(word)
    if (before) return before
    const words = partWords(word)
    const groups = SECTIONS.get(words.join(' '))
    const verdict = word === '' || groups || isPlaceholder(word) ? undefined : this.#categories.match(word)
    const said = verdict?.kind === 'known' ? { ...verdict, aliases: [], confirmed: true } : undefined
    const reading = { words, groups, said }
    if (this.#readings.size >= MAX_REMEMBERED) this.#readings.clear()
    this.#readings.set(word, reading)
    return reading
  }

  /** Whether the name leaves room for the category that the yard named: an alternator bracket is no alternator. */
  #agrees({ words, head }: NameReading, said: KnownName): boolean {
    const noun = words[head]
    if (noun === undefined) return true
    return this.#formsOf(said).some((form) => form.includes(noun))
  }

  #formsOf({ id, name }: KnownName): string[][] {
    return this.#categories.formsOf(id) ?? [partWords(name)]
  }

  /** Categories with all words of the name and more. */
  #possible({ words, head }: NameReading): KnownName[] {
    const noun = words[head]
    if (noun === undefined) return []
    const all = this.#categories.havingAll(words)
    if (all.length > 0) return all
    const around = words.filter((word, at) => at === head || !QUALIFIERS.has(word))
    return around.length < words.length ? this.#categories.havingAll(around) : []
  }

  /** Those that are such a part, by their names or else by an alias: an alloy wheel is a wheel, a wheel hub is not. */
  #ofKind({ words, head }: NameReading, entries: KnownName[]): KnownName[] {
    const noun = words[head]
    const named = entries.filter(({ name }) => partWords(name).at(-1) === noun)
    if (named.length > 0) return named
    const kinds = entries.filter((entry) => this.#formsOf(entry).some((form) => form.at(-1) === noun))
    return kinds.length > 0 ? kinds : entries
  }

  /** The only one of them that the yard's word allows. */
  #narrowed(name: NameReading, possible: readonly KnownName[], word: WordReading): KnownName | undefined {
    const { best } = name
    const { groups } = word
    if (
      best &&
      LOOSE.has(name.words[best.from] ?? '') &&
      groups?.includes(best.entry.group ?? '') &&
      name.others.length === 0
    )
      return name.words.length === best.to - best.from ? best.entry : undefined
    const hint = new Set([...word.words, ...name.words])
    const noun = name.words[name.head] ?? ''
    const named = possible.filter((entry) =>
      this.#formsOf(entry).some(
        (form) => form.at(-1) === noun && form.every((each) => hint.has(each) || each === 'assembly'),
      ),
    )
    const [only, ...more] = named
    return only && more.length === 0 ? only : undefined
  }

  #namedBy(word: WordReading): KnownName[] {
    const words = withoutExtras(word.words)
    return words.length === 0 ? [] : this.#categories.havingAll(words)
  }

  #read(text: string): NameReading {
    const name = outsideBrackets(text)
    const cut = name.replace(ASIDE, '')
    const short = this.#readWords(cut)
    if (cut === name || short.certainty >= SURE_ENOUGH) return short
    const whole = this.#readWords(name)
    return whole.best && whole.certainty >= SURE_ENOUGH && whole.best.to - whole.best.from > 1 ? whole : short
  }

  #readWords(text: string): NameReading {
    const all = partWords(text.replaceAll(MEASURE, ' ').replaceAll(NUMBER, ' ')).filter(
      (word) => !/\d/.test(word) || (/[a-z]/.test(word) && this.#categories.isWord(word)),
    )
    const spelled = withoutExtras(all).slice(0, MAX_WORDS)
    const asTyped = this.#readSpelled(spelled)
    if (asTyped.best) return asTyped
    const corrected = this.#categories.corrected(spelled, QUALIFIERS)
    if (!corrected) return asTyped
    const read = this.#readSpelled(corrected.words)
    return read.best ? { ...read, certainty: Math.min(read.certainty, CERTAINTY.mistyped) } : asTyped
  }

  #readSpelled(spelled: readonly string[]): NameReading {
    const words = spelled.filter((word) => this.#isPartWord(word))
    const head = headOf(words)
    const found = this.#findAll(words)
    const best = found
      .filter(({ from, to }) => from <= head && head < to)
      .toSorted(
        (a, b) => b.to - b.from - (a.to - a.from) || Number(b.inOrder) - Number(a.inOrder) || b.to - a.to,
      )[0]
    const others = found.filter(({ entry }) => entry.id !== best?.entry.id)
    // Words that are no part's, such as a brand or a vehicle.
    const hasMore = words.length < spelled.length
    return { words, head, best, others, certainty: best ? certaintyOf(best, { words, others, hasMore }) : 0 }
  }

  #isPartWord(word: string): boolean {
    return this.#categories.isWord(word) || PIECES.has(word) || QUALIFIERS.has(word)
  }

  /** The categories in a name; none that another one contains: in "wheel bearing" there is no wheel. */
  #findAll(words: readonly string[]): Found[] {
    const found: Found[] = []
    for (let size = words.length; size > 0; size -= 1) {
      for (let from = words.length - size; from >= 0; from -= 1) {
        const to = from + size
        if (found.some((other) => other.from <= from && to <= other.to)) continue
        const span = words.slice(from, to)
        const entry = this.#categories.formOf(span)
        if (entry)
          found.push({
            entry,
            from,
            to,
            inOrder: this.#formsOf(entry).some((form) => form.join() === span.join()),
          })
      }
    }
    return found
  }
}

/** "Fuse Box (Engine)" is no engine; "Bumper (Front)" is a front bumper. */
function outsideBrackets(text: string): string {
  const outside = text.replaceAll(BRACKETS, (_, inside: string) =>
    partWords(inside).every((word) => QUALIFIERS.has(word)) ? ` ${inside} ` : ' ',
  )
  return outside.trim() === '' ? text : outside
}

/** The last noun; words about its place may follow: "door glass front". */
const headOf = (words: readonly string[]): number => words.findLastIndex((word) => !QUALIFIERS.has(word))

type Beside = {
  readonly words: readonly string[]
  readonly others: readonly Found[]
  readonly hasMore: boolean
}

function certaintyOf({ entry, from, to }: Found, { words, others, hasMore }: Beside): number {
  const rest = words.filter((word, at) => (at < from || at >= to) && !QUALIFIERS.has(word))
  if (to - from === 1) {
    const word = words[from] ?? ''
    const isOwnName = partWords(entry.name).join(' ') === word && rest.length === 0
    if (!isOwnName && (LOOSE.has(word) || (PIECES.has(word) && rest.length > 0))) return CERTAINTY.loose
  }
  // A piece before the name belongs to it ("hinge cover"), one behind it would be the head.
  if (rest.length === 0) return hasMore ? CERTAINTY.longer : CERTAINTY.exact
  return others.some((other) => other.from > to) ? CERTAINTY.torn : CERTAINTY.longer
}

const known = ({ id, name }: KnownName, certainty: number): CategoryVerdict => ({
  kind: 'known',
  id,
  name,
  certainty,
})

/** An unsure word's candidates after what the part's own name says. */
export function withNamed(
  word: NameVerdict & { kind: 'unsure' },
  named: CategoryVerdict,
): NameVerdict & { kind: 'unsure' } {
  const own =
    named.kind === 'known'
      ? [{ id: named.id, name: named.name, confidence: named.certainty }]
      : named.candidates
  const all = [...own, ...word.candidates.filter(({ id }) => !own.some((one) => one.id === id))]
  return { ...word, candidates: all.slice(0, MAX_CANDIDATES) }
}

/** The likeliest first; together they are less certain than one match would have to be. */
function unsureAmong(entries: readonly KnownName[]): CategoryVerdict {
  const distinct = [...new Map(entries.map((entry) => [entry.id, entry])).values()].slice(0, MAX_CANDIDATES)
  const share = Math.round((CERTAINTY.loose / Math.max(1, distinct.length)) * 100) / 100
  return { kind: 'unsure', candidates: distinct.map(({ id, name }) => ({ id, name, confidence: share })) }
}
