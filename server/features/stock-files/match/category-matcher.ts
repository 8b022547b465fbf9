import { nameKey, plainName } from '#server/features/lookups/lookup-names.ts'
import { isPlaceholder, singular, squash, TrigramIndex, wordsOf } from './name-form.ts'
import {
  type KnownName,
  KnownWords,
  known,
  type MatchedHow,
  type NameVerdict,
  ProvisionalNames,
  unsure,
} from './name-verdict.ts'

/* How yards write the words of parts. Keys are words as `wordsOf` cuts them, in the singular. */

const WORD_ABBREVIATIONS: Readonly<Record<string, string>> = {
  alt: 'alternator',
  aluminium: 'aluminum',
  assy: 'assembly',
  assm: 'assembly',
  asm: 'assembly',
  asmbly: 'assembly',
  auto: 'automatic',
  brkt: 'bracket',
  brk: 'brake',
  bmpr: 'bumper',
  carb: 'carburetor',
  cat: 'catalytic',
  cntrl: 'control',
  comp: 'compressor',
  compr: 'compressor',
  cond: 'condenser',
  conv: 'converter',
  ctrl: 'control',
  cvr: 'cover',
  cyl: 'cylinder',
  disc: 'disc',
  elec: 'electric',
  eng: 'engine',
  exh: 'exhaust',
  fndr: 'fender',
  frt: 'front',
  fr: 'front',
  grill: 'grille',
  harn: 'harness',
  hdl: 'handle',
  headlite: 'headlight',
  hyd: 'hydraulic',
  ign: 'ignition',
  inj: 'injector',
  instr: 'instrument',
  lite: 'light',
  lwr: 'lower',
  mani: 'manifold',
  mldg: 'molding',
  mtr: 'motor',
  pnl: 'panel',
  ps: 'power steering',
  pwr: 'power',
  qtr: 'quarter',
  rad: 'radiator',
  reg: 'regulator',
  reinf: 'reinforcement',
  rr: 'rear',
  speedo: 'speedometer',
  stab: 'stabilizer',
  stabiliser: 'stabilizer',
  strg: 'steering',
  susp: 'suspension',
  sw: 'switch',
  taillite: 'taillight',
  tranny: 'transmission',
  trans: 'transmission',
  tyre: 'tire',
  upr: 'upper',
  vlv: 'valve',
  whl: 'wheel',
  wndw: 'window',
  wshld: 'windshield',
  xfer: 'transfer',
}

/** Words in a row that mean one. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b1 4\b/g, 'quarter'],
  [/\bair con\b/g, 'air conditioning'],
  [/\b(?:driver|passenger) s?side\b/g, ''],
  [/\b[lr] h\b/g, ''],
]

/** Which side, in what state: true of a part, no part of its category. */
const BESIDE_THE_PART: ReadonlySet<string> = new Set([
  ...[
    'left',
    'right',
    'lh',
    'rh',
    'lf',
    'rf',
    'l',
    'r',
    'lt',
    'rt',
    'lhs',
    'rhs',
    'driverside',
    'passengerside',
  ],
  ...[
    'used',
    'oem',
    'genuine',
    'original',
    'new',
    'good',
    'tested',
    'complete',
    'factory',
    'stock',
    'pair',
    'set',
  ],
])

/** Words of parts that no category has, so that they are not taken for others mistyped. */
const OTHER_PART_WORDS: readonly string[] = [
  ...[
    'bearing',
    'belt',
    'blade',
    'bolt',
    'boot',
    'bulb',
    'bushing',
    'cap',
    'clamp',
    'clip',
    'cord',
    'coupler',
  ],
  ...[
    'filter',
    'fitting',
    'flange',
    'flare',
    'gasket',
    'gear',
    'guard',
    'handle',
    'hinge',
    'hose',
    'knob',
    'lever',
  ],
  ...[
    'lid',
    'line',
    'liner',
    'link',
    'molding',
    'mount',
    'needle',
    'nozzle',
    'plug',
    'plate',
    'pulley',
    'relay',
  ],
  ...[
    'ring',
    'rivet',
    'rod',
    'roller',
    'scoop',
    'screw',
    'seal',
    'sender',
    'shade',
    'shaft',
    'sleeve',
    'socket',
  ],
  ...[
    'solenoid',
    'spacer',
    'spark',
    'spring',
    'stand',
    'strap',
    'tint',
    'tube',
    'valve',
    'vent',
    'washer',
    'wire',
  ],
]

const LEAST_SIMILARITY = 0.5
const LIKELY = 0.6
const MOST_CANDIDATES = 5

/** A form of words under which a category is found, where only one has it. */
type Form = Map<string, KnownName | null>

/** Finds the category that a text means. Built once, for any number of texts. */
export class CategoryMatcher {
  readonly #exact = new Map<string, { entry: KnownName; how: MatchedHow }>()
  readonly #inOrder: Form = new Map()
  readonly #inAnyOrder: Form = new Map()
  readonly #withoutAssembly: Form = new Map()
  readonly #words = new KnownWords()
  readonly #byWord = new Map<string, Set<KnownName>>()
  readonly #similar = new TrigramIndex<KnownName>()
  readonly #provisional: ProvisionalNames

  constructor(categories: readonly KnownName[]) {
    for (const entry of categories) {
      for (const alias of entry.aliases) this.#exact.set(nameKey(alias), { entry, how: 'alias' })
    }
    const confirmed = categories.filter((entry) => entry.confirmed)
    for (const entry of confirmed) this.#exact.set(nameKey(entry.name), { entry, how: 'exact' })
    for (const entry of confirmed) this.#addForms(entry)
    this.#provisional = new ProvisionalNames(categories)
    for (const word of OTHER_PART_WORDS) this.#words.add(word)
  }

  match(text: string): NameVerdict {
    const exact = this.#exact.get(nameKey(text))
    if (exact) return known(exact.entry, exact.how)
    const words = partWords(text)
    const found = this.#asWritten(words) ?? this.#mistyped(words) ?? this.#provisional.match(text)
    if (found) return found
    return isPlaceholder(text) ? unsure('It names no part.') : this.#open(text, words)
  }

  #addForms(entry: KnownName): void {
    for (const name of [entry.name, ...entry.aliases]) {
      const words = partWords(name)
      claim(this.#inOrder, squash(words), entry)
      claim(this.#inAnyOrder, anyOrder(words), entry)
      const short = withoutAssembly(words)
      if (short.length < words.length) claim(this.#withoutAssembly, squash(short), entry)
      this.#similar.add(squash(words), entry)
      for (const word of words) {
        this.#words.add(word)
        const entries = this.#byWord.get(word)
        if (entries) entries.add(entry)
        else this.#byWord.set(word, new Set([entry]))
      }
    }
  }

  #asWritten(words: readonly string[]): (NameVerdict & { kind: 'known' }) | undefined {
    const part = words.filter((word) => !BESIDE_THE_PART.has(word))
    const whole = this.#byForm(words)
    if (whole) return known(whole, 'spelling')
    const within = part.length > 0 && part.length < words.length ? this.#byForm(part) : undefined
    if (within) return known(within, 'within')
    const short = withoutAssembly(part)
    const named = short.length > 0 && short.length < part.length ? this.#byForm(short) : undefined
    const found = named ?? this.#withoutAssembly.get(squash(part))
    return found ? known(found, 'within') : undefined
  }

  #byForm(words: readonly string[]): KnownName | undefined {
    return this.#inOrder.get(squash(words)) ?? this.#inAnyOrder.get(anyOrder(words)) ?? undefined
  }

  #mistyped(words: readonly string[]): NameVerdict | undefined {
    const meant = this.#meant(words)
    const found = meant && this.#asWritten(meant.words)
    return found && known(found, 'similar', meant.edits)
  }

  /** The words without one or two wrong letters; undefined where none is wrong, or more are: that would be a guess. */
  #meant(words: readonly string[]): { words: string[]; edits: number } | undefined {
    let edits = 0
    const meant = words.map((word) => {
      if (this.#words.has(word) || BESIDE_THE_PART.has(word)) return word
      const found = this.#words.meantBy(word)
      edits += found?.edits ?? 0
      return found?.word ?? word
    })
    return edits === 0 || edits > 2 ? undefined : { words: meant, edits }
  }

  /** Neither known nor mistyped: too general, like something, or another part. */
  #open(text: string, words: readonly string[]): NameVerdict {
    const wider = this.#withAllOf(this.#meant(words)?.words ?? words)
    if (wider.length > 0) return unsure('It may be one of several.', wider)
    const alike = this.#similar.find(squash(words), { least: LEAST_SIMILARITY, most: MOST_CANDIDATES })
    const isOfKnownWords = words.length > 0 && words.every((word) => this.#words.has(word))
    if (alike.length === 0 || isOfKnownWords) return { kind: 'new', name: plainName(text) }
    const candidates = alike.map(({ entry: { id, name }, similarity }) => ({
      id,
      name,
      confidence: similarity,
    }))
    return unsure('It looks like another name.', candidates)
  }

  /** Categories whose names have all of these words and more. */
  #withAllOf(words: readonly string[]) {
    const part = words.filter((word) => !BESIDE_THE_PART.has(word))
    const [first, ...rest] = part.map((word) => this.#byWord.get(word))
    if (!first || rest.includes(undefined)) return []
    const head = part.at(-1)
    return [...first]
      .filter((entry) => rest.every((entries) => entries?.has(entry)))
      .map((entry) => ({ entry, words: partWords(entry.name) }))
      .filter(({ words }) => part.every((word) => words.includes(word)))
      .map(({ entry: { id, name }, words }) => {
        // A "Front Door" is a door, a "Door Glass" is none.
        const isOfThatKind = words.at(-1) === head
        return { id, name, confidence: isOfThatKind ? LIKELY : LEAST_SIMILARITY, words: words.length }
      })
      .sort((a, b) => b.confidence - a.confidence || a.words - b.words)
      .slice(0, MOST_CANDIDATES)
      .map(({ id, name, confidence }) => ({ id, name, confidence }))
  }
}

/** The words of a part, written out and in the singular. */
function partWords(text: string): string[] {
  let plain = wordsOf(text).map(singular).join(' ')
  for (const [pattern, meaning] of PHRASES) plain = plain.replaceAll(pattern, meaning)
  return plain
    .split(' ')
    .flatMap(
      (word) => (Object.hasOwn(WORD_ABBREVIATIONS, word) ? WORD_ABBREVIATIONS[word] : word)?.split(' ') ?? [],
    )
    .filter((word) => word !== '')
}

const anyOrder = (words: readonly string[]) => words.toSorted().join(' ')

const withoutAssembly = (words: readonly string[]) => words.filter((word) => word !== 'assembly')

/** A form that two categories share finds neither. */
function claim(form: Form, key: string, entry: KnownName): void {
  const before = form.get(key)
  if (before === undefined) form.set(key, entry)
  else if (before !== entry) form.set(key, null)
}
