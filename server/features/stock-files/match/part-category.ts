import { LONGEST_LOOKUP_NAME } from '#contract/listing/listing-rules.ts'
import { type CategoryMatcher, partWords, withoutExtras } from './category-matcher.ts'
import { isPlaceholder } from './name-form.ts'
import { type Candidate, type KnownName, MAX_CANDIDATES, type NameVerdict } from './name-verdict.ts'

/*
 * The category of a part: its own name decides first, since the last noun of a part name is nearly always its category;
 * the yard's word for it ("Body", "Doors", "Glass") is a hint. Together they determine how certain the match is.
 */

/* Words of parts and of yards' sections, in the singular and spelled out (see `partWords`). */
const wordsIn = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Words about how a part looks or is made, which do not change what kind of part it is. */
const LOOKS = wordsIn(`
  assembly complete heated cooled folding adjustable chrome painted primed
  black white silver gray grey red blue green tan beige leather cloth vinyl halogen led xenon hid pickup truck van sedan coupe
  wagon sport base standard premium heavy duty hd 2wd 4wd awd fwd rwd pair type style code color mounted
  aftermarket rebuilt remanufactured reman only less bare oe nos
`)

/** Words that describe a part without naming it. They may come after its noun: "door glass front". */
const QUALIFIERS: ReadonlySet<string> = new Set([
  ...LOOKS,
  ...wordsIn(`
    front rear upper lower inner outer inside outside exterior interior center middle side top bottom back
    driver passenger power electric manual automatic kit view core
  `),
])

/** Small parts that are named after a larger one: an alternator bracket is not an alternator. */
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

/** One-word names that mean a part on their own, but may mean any other beside a second noun: a caliper's piston. */
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
  ...namedSections(
    BODY,
    'body,exterior,body part,exterior part,sheet metal,panel,body panel,front end,front clip,rear clip',
  ),
  ...namedSections(['Doors & Glass'], 'door,glass,window,door and glass,door part'),
  ...namedSections(['Mirrors'], 'mirror'),
  ...namedSections(['Bumpers & Grilles'], 'bumper'),
  ...namedSections(['Lighting'], 'light,lamp,lighting,head and tail light'),
  ...namedSections(['Wheels & Tires'], 'wheel,tire,wheel and tire,rim and tire'),
  ...namedSections(
    DRIVELINE,
    'transmission,drivetrain,driveline,drive train,axle,gearbox,powertrain,clutch and transmission',
  ),
  ...namedSections(['Brakes'], 'brake,braking,brake system'),
  ...namedSections(
    WIRING,
    'electrical,electronic,electric,wiring,electrical part,computer,module,sensor,switch',
  ),
  ...namedSections(CABIN, 'interior,interior part,trim,interior trim,cabin'),
  ...namedSections(['Seats & Restraints'], 'seat,restraint,safety,air bag,airbag,seat belt and air bag,srs'),
  ...namedSections(
    ['Suspension & Steering'],
    'suspension,steering,suspension and steering,chassis,steering and suspension',
  ),
  ...namedSections(ENGINE, 'engine,motor,engine part,mechanical,engine component,under hood,powerplant'),
  ...namedSections(
    CLIMATE,
    'cooling,heating,hvac,ac,air conditioning,climate,heater,cooling system,ac and heating,heating and cooling',
  ),
  ...namedSections(['Exhaust & Emissions'], 'exhaust,emission,exhaust system'),
  ...namedSections(['Fuel & Air Intake'], 'fuel,fuel system,air intake,intake,fuel and air,air and fuel'),
  ...namedSections(['Electronics & Modules'], 'audio,radio and audio,infotainment,stereo and audio'),
  ...namedSections(['Wipers & Washers'], 'wiper,wiper and washer'),
  ...namedSections(['Truck & Towing'], 'towing,truck part,tow,hitch'),
  ...namedSections(['Hybrid & Electric Drive'], 'hybrid,ev'),
  ...namedSections(
    [],
    'misc,miscellaneous,other,part,auto part,car part,general,hardware,accessory,used,used part,oem,unknown',
  ),
])

function namedSections(groups: readonly string[], words: string): [string, readonly string[]][] {
  return words.split(',').map((word) => [word, groups])
}

/** How often each kind of match is right, measured with `yard-parts.csv`; its test compares the two. */
const CERTAINTY = {
  /** The name is exactly a category's. */
  exact: 0.99,
  /** It has more words. */
  longer: 0.97,
  /** It fits several categories, and the yard's word leaves only one of them. */
  hinted: 0.95,
  /** The yard's word names the category, and the name does not contradict it. */
  fromWord: 0.95,
  /** It matches after typos are corrected. */
  mistyped: 0.93,
  /** It is one word, which may be about another part here. */
  loose: 0.6,
  /** Another category follows in the name. */
  ambiguous: 0.5,
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

/** The type of a part in questions about it; its whole name if the type is unknown. */
export const typeOfPart = ({ partType }: PartReading, name: string): string =>
  partType === '' ? name.trim().slice(0, LONGEST_LOOKUP_NAME) : partType

type NameReading = {
  /** Words of parts, without side, condition and numbers. */
  readonly words: readonly string[]
  /** The index of the noun that names the part; -1 if there is none. */
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
  /** The groups of a whole section ("Body"), which is not a category. */
  readonly groups: readonly string[] | undefined
  /** The category that it names. */
  readonly category: KnownName | undefined
}

// A yard has dozens of words; a wrongly mapped column has one for each row.
const MAX_REMEMBERED = 5_000

// A name has a handful of words; a pasted description has hundreds.
const MAX_WORDS = 12

/** Text that describes the part: "Door mirror with signal", "Radiator for F-150". */
const ASIDE =
  /\s(?:with|w\/o?|without|for|fits|from|under|behind|incl(?:udes|uding)?|off of|out of)(?:\s|$).*$/i
/** A part number in the name, as in titles: the B of "B5Z-2425-B" is not a word. */
const NUMBER = /\b(?=(?:[a-z-]*\d){4})[a-z\d]+(?:-[a-z\d]+)+\b/gi
const BRACKETS = /\(([^()]*)\)/g
/** "Gear/Rack", but not "A/C", "w/o" and "L/R". */
const ALTERNATIVES = /(\p{L}{2,})\s*\/\s*(?=\p{L}{2})/u

/** Measures such as "130 amp" and "6 speed", whose units are also words of parts. */
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
  #oneOfTwo(
    text: string,
    { words, best }: NameReading,
    { category }: WordReading,
  ): CategoryVerdict | undefined {
    const slash = ALTERNATIVES.exec(text)
    const isWhole = best !== undefined && best.to - best.from === words.length
    if (!slash || isWhole) return undefined
    const before = text.slice(0, slash.index)
    const after = text.slice(slash.index + slash[0].length)
    const one = this.#sure(before + slash[1])
    const other = this.#sure(before + after) ?? this.#sure(after)
    if (!one || !other) return undefined
    if (one.id === other.id) return known(one, CERTAINTY.longer)
    return category && [one.id, other.id].includes(category.id)
      ? known(category, CERTAINTY.fromWord)
      : unsureAmong([one, other])
  }

  #sure(text: string): KnownName | undefined {
    const { best, certainty } = this.#read(text)
    return certainty >= SURE_ENOUGH ? best?.entry : undefined
  }

  #decide(name: NameReading, word: WordReading): CategoryVerdict {
    const { best, certainty } = name
    if (best && certainty >= SURE_ENOUGH) return known(best.entry, certainty)
    const { category } = word
    if (category && this.#agrees(name, category)) return known(category, CERTAINTY.fromWord)
    const possible = this.#possible(name)
    const hinted = this.#narrowed(name, possible, word)
    if (hinted) return known(hinted, CERTAINTY.hinted)
    const likely = [...this.#nearest(name), ...this.#ofKind(name, possible), ...(category ? [category] : [])]
    return unsureAmong(likely.length > 0 ? likely : this.#namedBy(word))
  }

  /** The category of the head, unless that is a piece of something else: a headlight motor is not an engine. */
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
    const category = verdict?.kind === 'known' ? { ...verdict, aliases: [], confirmed: true } : undefined
    const reading = { words, groups, category }
    if (this.#readings.size >= MAX_REMEMBERED) this.#readings.clear()
    this.#readings.set(word, reading)
    return reading
  }

  /** Whether the name leaves room for the category that the yard named: an alternator bracket is not an alternator. */
  #agrees({ words, head }: NameReading, category: KnownName): boolean {
    const noun = words[head]
    if (noun === undefined) return true
    return this.#formsOf(category).some((form) => form.includes(noun))
  }

  #formsOf({ id, name }: KnownName): readonly (readonly string[])[] {
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

  /**
   * The categories of this kind of part, by their names or else by an alias: an alloy wheel is a wheel, a wheel hub is
   * not.
   */
  #ofKind({ words, head }: NameReading, entries: KnownName[]): KnownName[] {
    const noun = words[head]
    const named = entries.filter(({ name }) => partWords(name).at(-1) === noun)
    if (named.length > 0) return named
    const kinds = entries.filter((entry) => this.#formsOf(entry).some((form) => form.at(-1) === noun))
    return kinds.length > 0 ? kinds : entries
  }

  /** The only possible category that the yard's word allows. */
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
    if (name !== text && short.certainty < SURE_ENOUGH) {
      const open = this.#readWords(text)
      if (isAll(open)) return open
    }
    if (cut === name || short.certainty >= SURE_ENOUGH) return short
    const whole = this.#readWords(name)
    return whole.best && whole.certainty >= SURE_ENOUGH && whole.best.to - whole.best.from > 1 ? whole : short
  }

  #readWords(text: string): NameReading {
    const all = partWords(text.replaceAll(MEASURE, ' ').replaceAll(NUMBER, ' ')).filter(
      (word) => !/\d/.test(word) || (/[a-z]/.test(word) && this.#categories.isWord(word)),
    )
    const spelled = withoutExtras(all).slice(0, MAX_WORDS)
    const asTyped = this.#readWithoutPerson(spelled)
    if (asTyped.best) return asTyped
    const corrected = this.#categories.corrected(spelled, QUALIFIERS)
    if (!corrected) return asTyped
    const read = this.#readSpelled(corrected.words)
    return read.best ? { ...read, certainty: Math.min(read.certainty, CERTAINTY.mistyped) } : asTyped
  }

  /** "Tail light driver" is a tail light; an airbag for the driver is a part of its own. */
  #readWithoutPerson(spelled: readonly string[]): NameReading {
    const asTyped = this.#readSpelled(spelled)
    const bare = spelled.filter((word) => word !== 'driver' && word !== 'passenger')
    const isNamed = asTyped.certainty >= SURE_ENOUGH || bare.length === spelled.length || bare.length === 0
    return isNamed ? asTyped : this.#readSpelled(bare)
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
    // Words that are not about parts, such as a brand or a vehicle.
    const hasMore = words.length < spelled.length
    return { words, head, best, others, certainty: best ? certaintyOf(best, { words, others, hasMore }) : 0 }
  }

  #isPartWord(word: string): boolean {
    return this.#categories.isWord(word) || PIECES.has(word) || QUALIFIERS.has(word)
  }

  /** The categories in a name, except those inside a longer one: there is no wheel in "wheel bearing". */
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

/** "Fuse Box (Engine)" is not an engine; "Bumper (Front)" is a front bumper. */
function outsideBrackets(text: string): string {
  const outside = text.replaceAll(BRACKETS, (_, inside: string) =>
    partWords(inside).every((word) => QUALIFIERS.has(word)) ? ` ${inside} ` : ' ',
  )
  return outside.trim() === '' ? text : outside
}

/** Whether all words are one category's: "Carrier (Differential)". */
const isAll = ({ words, best, certainty }: NameReading): boolean =>
  best !== undefined && certainty >= SURE_ENOUGH && best.to - best.from === words.length

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
  // A piece before the name belongs to it ("hinge cover"), one after it would be the head.
  if (rest.length === 0) return hasMore ? CERTAINTY.longer : CERTAINTY.exact
  return others.some((other) => other.from > to) ? CERTAINTY.ambiguous : CERTAINTY.longer
}

const known = ({ id, name }: KnownName, certainty: number): CategoryVerdict => ({
  kind: 'known',
  id,
  name,
  certainty,
})

/** Adds an unsure word's candidates after those of the part's own name. */
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

/** Most likely first; together they are less certain than a match has to be. */
function unsureAmong(entries: readonly KnownName[]): CategoryVerdict {
  const distinct = [...new Map(entries.map((entry) => [entry.id, entry])).values()].slice(0, MAX_CANDIDATES)
  const share = Math.round((CERTAINTY.loose / Math.max(1, distinct.length)) * 100) / 100
  return { kind: 'unsure', candidates: distinct.map(({ id, name }) => ({ id, name, confidence: share })) }
}
