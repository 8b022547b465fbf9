import { endCodes, isSideWord } from '#contract/text/part-side.ts'
import { nameKey, plainName } from '#server/features/lookups/lookup-names.ts'
import { remembering } from '#server/platform/recent-values.ts'
import { inEnglish } from './foreign-parts.ts'
import { isPlaceholder, NAMES_REMEMBERED, singular, squash, TrigramIndex, wordsOf } from './name-form.ts'
import {
  type Candidate,
  type KnownName,
  type KnownVerdict,
  KnownWords,
  known,
  MAX_CANDIDATES,
  type MatchMethod,
  type NameVerdict,
  newUnlessSimilar,
  ProvisionalNames,
  unsure,
} from './name-verdict.ts'

/*
 * Finds the category for a typed part name. Words are spelled out and made singular, then compared in any order, without
 * words such as "left" or "used", and with typos corrected.
 */

/** By word, in the singular. */
const WORD_ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...endCodes,
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
    diff: 'differential',
    disc: 'disc',
    elec: 'electric',
    eng: 'engine',
    exh: 'exhaust',
    fndr: 'fender',
    frt: 'front',
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
    mod: 'module',
    mtr: 'motor',
    pnl: 'panel',
    ps: 'power steering',
    pwr: 'power',
    qtr: 'quarter',
    rad: 'radiator',
    reg: 'regulator',
    reinf: 'reinforcement',
    speedo: 'speedometer',
    stab: 'stabilizer',
    stabiliser: 'stabilizer',
    strg: 'steering',
    susp: 'suspension',
    sw: 'switch',
    taillite: 'taillight',
    tfr: 'transfer',
    tranny: 'transmission',
    trans: 'transmission',
    tyre: 'tire',
    upr: 'upper',
    vlv: 'valve',
    wdo: 'window',
    whl: 'wheel',
    wndw: 'window',
    wshld: 'windshield',
    xfer: 'transfer',
  }),
)

const ON_ONE_SIDE = 'left|right|lh|rh|driver|passenger|lr|rl|rr'

/** Word sequences that mean a single word, or none. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b1 4\b/g, 'quarter'],
  [/\bair con\b/g, 'air conditioning'],
  [/\bspeed(?:o|ometer) cluster\b/g, 'instrument cluster'],
  [/\babs module\b/g, 'abs control module'],
  [/\b(ec[mu]|pcm) module\b/g, '$1'],
  [/\b(?:driver|passenger) s?side\b/g, ''],
  [/\b[lr] h\b/g, ''],
  // A door on one side is no liftgate.
  [
    new RegExp(`\\bback door(?= .*\\b(?:${ON_ONE_SIDE})\\b)|(?<=\\b(?:${ON_ONE_SIDE}) )back door\\b`, 'g'),
    'rear door',
  ],
  // What yard systems call one part.
  [/\babs pump and modulat(?:or|e)\b/g, 'abs pump'],
  [/\bradio cd\b(?! player)/g, 'radio'],
  [/\bps pump motor\b/g, 'ps pump'],
  [/\blight lamp\b/g, 'light'],
  [/\bwheel rim\b/g, 'wheel'],
]

const CONDITIONS: ReadonlySet<string> = new Set(
  'used oem genuine original new good tested complete factory stock pair set'.split(' '),
)
/** Whether a word is about a part's side or condition, which do not belong to its category. */
const isExtra = (word: string): boolean => CONDITIONS.has(word) || isSideWord(word)

/** Real words that are in no category name, listed so that they are not taken for typos. */
const OTHER_PART_WORDS: readonly string[] = [
  ...['blade', 'bulb', 'bushing', 'clamp', 'clip', 'coupler'],
  ...['fitting', 'flange', 'flare', 'gasket', 'knob'],
  ...['needle', 'nozzle'],
  ...['rivet', 'roller', 'scoop', 'screw', 'sender', 'sleeve', 'socket'],
  ...['solenoid', 'spacer', 'stand', 'strap', 'tint', 'wire'],
]

const MIN_SIMILARITY = 0.5
const LIKELY = 0.6

/** Categories by a form of their words; null if several share it. */
type CategoryByForm = Map<string, KnownName | null>

/** Built once, then used for any number of names. */
export class CategoryMatcher {
  readonly #exact = new Map<string, { entry: KnownName; how: MatchMethod }>()
  readonly #inOrder: CategoryByForm = new Map()
  readonly #inAnyOrder: CategoryByForm = new Map()
  readonly #withoutAssembly: CategoryByForm = new Map()
  readonly #words = new KnownWords()
  readonly #byWord = new Map<string, Set<KnownName>>()
  readonly #forms = new Map<string, (readonly string[])[]>()
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
    const found = this.#bySpelling(words) ?? this.#byTypo(words) ?? this.#provisional.match(text)
    if (found) return found
    if (isPlaceholder(text)) return unsure('Not a part type.')
    const wider = this.#withAllOf(this.#corrected(words)?.words ?? words)
    if (wider.length > 0) return unsure('This could be one of several names.', wider)
    const name = plainName(text)
    if (words.length > 0 && words.every((word) => this.#words.has(word))) return { kind: 'new', name }
    return newUnlessSimilar(this.#similar, { key: squash(words), name, min: MIN_SIMILARITY })
  }

  /** The category with exactly these words in some order; "assembly" does not count. */
  formOf(words: readonly string[]): KnownName | undefined {
    const form = this.#byForm(words)
    if (form) return form
    const short = withoutAssembly(words)
    if (short.length === 0) return undefined
    return (
      (short.length < words.length ? this.#byForm(short) : undefined) ??
      this.#withoutAssembly.get(squash(short)) ??
      undefined
    )
  }

  /** Whether any category's name or alias has this word, or is this word if written together: "decklid". */
  isWord(word: string): boolean {
    return this.#words.has(word) || Boolean(this.#inOrder.get(word))
  }

  /** The words of a confirmed category's name and of each of its aliases. */
  formsOf(id: string): readonly (readonly string[])[] | undefined {
    return this.#forms.get(id)
  }

  /**
   * Confirmed categories with all of these words in their name or in one alias, those with the fewest extra words
   * first.
   */
  havingAll(words: readonly string[]): KnownName[] {
    const [first, ...rest] = words.map((word) => this.#byWord.get(word))
    if (!first || rest.includes(undefined)) return []
    const fit = [...first].flatMap((entry) => {
      const forms = (this.#forms.get(entry.id) ?? []).filter((form) =>
        words.every((word) => form.includes(word)),
      )
      return forms.length === 0 ? [] : { entry, length: Math.min(...forms.map((form) => form.length)) }
    })
    return fit.toSorted((a, b) => a.length - b.length).map(({ entry }) => entry)
  }

  /** The words with typos corrected, and the number of wrong letters. `other`: more words that are not typos. */
  corrected(
    words: readonly string[],
    other: ReadonlySet<string>,
  ): { words: string[]; edits: number } | undefined {
    return this.#corrected(words, other)
  }

  #addForms(entry: KnownName): void {
    for (const name of [entry.name, ...entry.aliases]) {
      const words = partWords(name)
      this.#forms.set(entry.id, [...(this.#forms.get(entry.id) ?? []), words])
      addForm(this.#inOrder, squash(words), entry)
      addForm(this.#inAnyOrder, sorted(words), entry)
      const short = withoutAssembly(words)
      if (short.length < words.length) addForm(this.#withoutAssembly, squash(short), entry)
      this.#similar.add(squash(words), entry)
      for (const word of words) {
        this.#words.add(word)
        this.#byWord.set(word, (this.#byWord.get(word) ?? new Set()).add(entry))
      }
    }
  }

  #bySpelling(words: readonly string[]): KnownVerdict | undefined {
    const spelled = this.#byForm(words)
    if (spelled) return known(spelled, 'spelling')
    const part = withoutExtras(words)
    const within = part.length > 0 && part.length < words.length ? this.#byForm(part) : undefined
    if (within) return known(within, 'within')
    const short = withoutAssembly(part)
    const named = short.length > 0 && short.length < part.length ? this.#byForm(short) : undefined
    const found = named ?? this.#withoutAssembly.get(squash(part))
    return found ? known(found, 'within') : undefined
  }

  #byForm(words: readonly string[]): KnownName | undefined {
    return this.#inOrder.get(squash(words)) ?? this.#inAnyOrder.get(sorted(words)) ?? undefined
  }

  #byTypo(words: readonly string[]): NameVerdict | undefined {
    const corrected = this.#corrected(words)
    const found = corrected && this.#bySpelling(corrected.words)
    return found && known(found, 'similar', corrected.edits)
  }

  #corrected(words: readonly string[], other?: ReadonlySet<string>) {
    const isWord = (word: string) => this.#words.has(word) || isExtra(word)
    return this.#words.correct(words, (word) => isWord(word) || other?.has(word) === true)
  }

  /** Categories whose names have all of these words and more. */
  #withAllOf(words: readonly string[]): Candidate[] {
    const part = withoutExtras(words)
    const [first, ...rest] = part.map((word) => this.#byWord.get(word))
    if (!first || rest.includes(undefined)) return []
    const head = part.at(-1)
    return [...first]
      .filter((entry) => rest.every((entries) => entries?.has(entry)))
      .map(({ id, name }) => ({ id, name, words: partWords(name) }))
      .filter(({ words }) => part.every((word) => words.includes(word)))
      .map(({ id, name, words }) => {
        // A "Front Door" is a door, but a "Door Glass" is not.
        const isOfThatKind = words.at(-1) === head
        return { id, name, confidence: isOfThatKind ? LIKELY : MIN_SIMILARITY, length: words.length }
      })
      .sort((a, b) => b.confidence - a.confidence || a.length - b.length)
      .slice(0, MAX_CANDIDATES)
      .map(({ length: _, ...candidate }) => candidate)
  }
}

/** The words of a part name, spelled out and in the singular. */
export const partWords = remembering((text): readonly string[] => {
  let plain = inEnglish(wordsOf(text).map(singular).join(' '))
  for (const [pattern, meaning] of PHRASES) plain = plain.replaceAll(pattern, meaning)
  return plain
    .split(' ')
    .flatMap((word) => (WORD_ABBREVIATIONS.get(word) ?? word).split(' '))
    .filter((word) => word !== '')
}, NAMES_REMEMBERED)

const sorted = (words: readonly string[]) => words.toSorted().join(' ')

/** Without words about a part's side or condition. */
export const withoutExtras = (words: readonly string[]) => words.filter((word) => !isExtra(word))

const withoutAssembly = (words: readonly string[]) => words.filter((word) => word !== 'assembly')

function addForm(categories: CategoryByForm, form: string, entry: KnownName): void {
  const before = categories.get(form)
  if (before === undefined) categories.set(form, entry)
  else if (before !== entry) categories.set(form, null)
}
