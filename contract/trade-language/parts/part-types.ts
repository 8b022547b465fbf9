import { lookupKey, nameKey, plainName } from '#contract/trade-language/names.ts'
import type { Place, Places } from '#contract/trade-language/places.ts'
import { KnownWords, TrigramIndex } from '#contract/trade-language/spelling.ts'
import {
  type Candidate,
  type KnownName,
  known,
  MAX_CANDIDATES,
  type MatchMethod,
  type NameVerdict,
  newUnlessSimilar,
  oneOfSeveral,
  ProvisionalNames,
  unsure,
} from '#contract/trade-language/verdicts.ts'
import type { WordRoles } from '#contract/trade-language/words.ts'
import type { PartWords } from './part-words.ts'

/*
 * Which words mean which part types: the names and aliases of categories, and the words that buyers and yards use for
 * them. A word has the same meaning for all callers. It may mean several types: a yard has to choose one, a buyer
 * does not.
 */

/** The meaning of words that belong together. */
export type PartMeaning = {
  /** The part types, all of which may be meant. */
  readonly types: readonly KnownName[]
  readonly label: string
  /** Positions in the words besides the types: a rear shock is a Shock Absorber at the rear. */
  readonly places: readonly Place[]
  /**
   * What a yard means by the words, if only this type has them as another name: its "side mirror" is a Door Mirror,
   * though a buyer of side mirrors wants to see the Tow Mirrors, too.
   */
  readonly own?: KnownName
  /** The words are only the end of the types' names: "sensor", "module". */
  readonly isEnding?: boolean
}

/** A word for part types, from the trade or taught by an administrator. */
type PartWord = { readonly word: string; readonly types: readonly KnownName[] }

/** Ranks of meanings. The highest rank applies; meanings of equal rank all apply. */
const RANKS = ['name', 'word', 'alias', 'ending'] as const
type Rank = (typeof RANKS)[number]

type Entry = { meaning: PartMeaning; rank: Rank }

const MIN_SIMILARITY = 0.5
const LIKELY = 0.6

type Source = {
  readonly categories: readonly KnownName[]
  readonly words: readonly PartWord[]
  readonly roles: WordRoles
  readonly partWords: PartWords
  readonly places: Places
}

/** Built once, then used for any number of names. */
export class PartTypes {
  readonly #source: Source
  readonly #exact = new Map<string, { entry: KnownName; how: MatchMethod }>()
  readonly #meanings = new Map<string, Entry>()
  readonly #words = new KnownWords()
  /** A cache of whether a word that no name contains occurs in the trade's words for parts. */
  readonly #tradeWords = new Set<string>()
  readonly #listedTypos = new Map<string, boolean>()
  readonly #byWord = new Map<string, Set<KnownName>>()
  readonly #forms = new Map<string, (readonly string[])[]>()
  readonly #similar = new TrigramIndex<KnownName>()
  readonly #provisional: ProvisionalNames
  readonly #placeholders: ReadonlySet<string>

  constructor(source: Source) {
    this.#source = source
    this.#placeholders = source.roles.set('placeholder')
    const { categories, words, roles } = source
    const confirmed = categories.filter((category) => category.confirmed)
    for (const entry of categories) {
      for (const alias of entry.aliases) this.#exact.set(lookupKey(alias), { entry, how: 'alias' })
    }
    for (const entry of confirmed) this.#exact.set(lookupKey(entry.name), { entry, how: 'exact' })
    for (const entry of confirmed) this.#addNames(entry)
    for (const { word, types } of words) this.#addWord(word, types)
    this.#addEndings(confirmed)
    this.#provisional = new ProvisionalNames(categories)
    for (const word of roles.list('part word')) this.#words.add(word)
  }

  wordsIn(text: string): readonly string[] {
    return this.#source.partWords.of(text)
  }

  /** Whether the normal form of a text omits its side, such as "driver side". */
  dropsSide(text: string): boolean {
    return this.#source.partWords.dropsSide(text)
  }

  /** Without words about a part's side or condition, which do not belong to its category. */
  withoutExtras(words: readonly string[]): string[] {
    return words.filter((word) => !this.#isExtra(word))
  }

  /** The meaning of exactly these words in any order; "assembly" is ignored. */
  meaningOf(words: readonly string[]): PartMeaning | undefined {
    return this.#entryOf(words)?.meaning
  }

  /** The same by one text as typed. */
  meaningOfText(text: string): PartMeaning | undefined {
    const phrase = this.phrase(text)
    const plain = this.meaningOf(this.wordsIn(text))
    // "Defensa delantera" is a front bumper, and as much a yard's own word for the assembly.
    return phrase && plain?.own && phrase.types.includes(plain.own)
      ? { ...phrase, own: plain.own }
      : (phrase ?? plain)
  }

  /** The meaning of a text with the same spelling as a name or a word for one. */
  phrase(text: string): PartMeaning | undefined {
    return this.#meanings.get(nameKey(text))?.meaning
  }

  /** Keys (`nameKey`) of all names that mean nothing but these types. */
  namesOf(ids: readonly string[]): string[] {
    return [...this.#meanings].flatMap(([key, { meaning, rank }]) =>
      rank !== 'ending' && meaning.types.every(({ id }) => ids.includes(id)) && !key.includes('~') ? key : [],
    )
  }

  /** Whether any category's name, alias or word has this word, or is it if written together: "decklid". */
  isWord(word: string): boolean {
    return this.#isKnown(word) || this.#meanings.has(word)
  }

  /** The words of a confirmed category's name and of each of its aliases. */
  formsOf({ id, name }: Pick<KnownName, 'id' | 'name'>): readonly (readonly string[])[] {
    return this.#forms.get(id) ?? [this.wordsIn(name)]
  }

  /**
   * Confirmed categories with all of these words in their name or in one alias, those with the fewest extra words
   * first.
   */
  havingAll(words: readonly string[]): KnownName[] {
    const [first, ...rest] = words.map((word) => this.#byWord.get(word))
    if (!first || rest.includes(undefined)) return []
    const fit = [...first].flatMap((entry) => {
      const forms = this.formsOf(entry).filter((form) => words.every((word) => form.includes(word)))
      return forms.length === 0 ? [] : { entry, length: Math.min(...forms.map((form) => form.length)) }
    })
    return fit.toSorted((a, b) => a.length - b.length).map(({ entry }) => entry)
  }

  /** The words with typos corrected, and the number of wrong letters. `other`: more words that are not typos. */
  corrected(
    words: readonly string[],
    other?: ReadonlySet<string>,
  ): { words: string[]; edits: number } | undefined {
    const isWord = (word: string) => this.#isKnown(word) || this.#isExtra(word)
    return this.#words.correct(words, (word) => isWord(word) || other?.has(word) === true)
  }

  /** The category that a yard's word for one names. */
  match(text: string): NameVerdict {
    const exact = this.#exact.get(lookupKey(text))
    if (exact) return known(exact.entry, exact.how)
    const words = this.wordsIn(text)
    const found = this.#bySpelling(words) ?? this.#byTypo(words) ?? this.#provisional.match(text)
    if (found) return found
    if (this.isPlaceholder(text)) return unsure('Not a part type.')
    const wider = this.#withAllOf(this.corrected(words)?.words ?? words)
    if (wider.length > 0) return unsure('This could be one of several names.', wider)
    const name = plainName(text)
    if (words.length > 0 && words.every((word) => this.#isKnown(word))) return { kind: 'new', name }
    return newUnlessSimilar(this.#similar, { key: words.join(''), name, min: MIN_SIMILARITY })
  }

  /** Whether a text only fills the field and names nothing. */
  isPlaceholder(text: string): boolean {
    return nameKey(text) === '' || this.#placeholders.has(nameKey(text))
  }

  /** "Condensor" is in the list of words because people write it, but next to other words it is a typo. */
  #isKnown(word: string): boolean {
    if (this.#words.has(word)) return true
    if (!this.#tradeWords.has(word)) return false
    const known = this.#listedTypos.get(word)
    const isTypo = known ?? this.#words.correct([word], () => false) !== undefined
    if (known === undefined) this.#listedTypos.set(word, isTypo)
    return !isTypo
  }

  #isExtra(word: string): boolean {
    return this.#source.partWords.isCondition(word) || this.#source.places.isSideWord(word)
  }

  #addNames(entry: KnownName): void {
    const names = [entry.name, ...entry.aliases]
    for (const name of names) {
      const words = this.wordsIn(name)
      this.#forms.set(entry.id, [...(this.#forms.get(entry.id) ?? []), words])
      this.#similar.add(words.join(''), entry)
      const rank = name === entry.name ? 'name' : 'alias'
      this.#add(name, this.#meaning([entry], name), rank)
      for (const word of words) {
        this.#words.add(word)
        this.#byWord.set(word, (this.#byWord.get(word) ?? new Set()).add(entry))
      }
    }
  }

  #addWord(word: string, types: readonly KnownName[]): void {
    if (types.length === 0) return
    for (const each of this.wordsIn(word)) this.#tradeWords.add(each)
    this.#add(word, this.#meaning(types, word), 'word')
  }

  /** The common last words of several names mean all of them. */
  #addEndings(categories: readonly KnownName[]): void {
    const byEnding = new Map<string, { words: readonly string[]; types: KnownName[] }>()
    for (const category of categories) {
      const words = withoutAssembly(this.wordsIn(category.name))
      for (let from = 1; from < words.length; from += 1) {
        const ending = words.slice(from)
        // A set of rims is not a Brake Pad Set.
        if (this.withoutExtras(ending).length === 0) continue
        const key = ending.join(' ')
        const before = byEnding.get(key) ?? { words: ending, types: [] }
        byEnding.set(key, { words: ending, types: [...before.types, category] })
      }
    }
    for (const { words, types } of byEnding.values()) {
      this.#put(formOf(words), { ...this.#meaning(types, words.join(' ')), isEnding: true }, 'ending')
    }
  }

  #add(text: string, meaning: PartMeaning, rank: Rank): void {
    const words = this.wordsIn(text)
    this.#put(nameKey(text), meaning, rank)
    this.#put(formOf(words), meaning, rank)
    const short = withoutAssembly(words)
    const isWhole = short.length === words.length
    // A "front bumper" may be more than the Front Bumper Assembly.
    const ofShort = rank === 'name' && !isWhole ? 'alias' : rank
    if (!isWhole) this.#put(formOf(short), meaning, ofShort)
    if (short.length > 1) this.#put(anyOrder(short), meaning, ofShort)
  }

  #put(key: string, meaning: PartMeaning, rank: Rank): void {
    if (key === '' || key === '~') return
    const before = this.#meanings.get(key)
    this.#meanings.set(key, before ? joined(before, { meaning, rank }) : { meaning, rank })
  }

  /** `said` is the typed text, which may include a side: "driver seat". */
  #meaning(types: readonly KnownName[], said: string): PartMeaning {
    const placesIn = (text: string) => PLACES.filter((place) => this.wordsIn(text).includes(place))
    // The air bags of drivers and passengers are two types.
    const isSeated = types.every(({ name }) => !name.endsWith('Air Bag'))
    const [, sitting = ''] = /^(driver|passenger)/i.exec(said) ?? []
    // A rear shock is a shock absorber: "rear" is kept as a position unless every category's name contains it.
    const places = placesIn(said).filter(
      (place) => !types.every(({ name }) => placesIn(name).includes(place)),
    )
    return {
      types,
      label: labelOf(types, said),
      places: isSeated && sitting !== '' ? [sitting.toLowerCase() === 'driver' ? 'left' : 'right'] : places,
    }
  }

  #entryOf(words: readonly string[]): Entry | undefined {
    if (words.length === 0) return undefined
    const whole = this.#meanings.get(formOf(words))
    const short = withoutAssembly(words)
    // An ending is a weaker reading than a name without "assembly".
    const named = whole?.rank === 'ending' ? undefined : whole
    return (
      named ??
      (short.length < words.length && short.length > 0 ? this.#meanings.get(formOf(short)) : undefined) ??
      (short.length > 1 ? this.#meanings.get(anyOrder(short)) : undefined) ??
      whole
    )
  }

  #bySpelling(words: readonly string[]): NameVerdict | undefined {
    const spelled = this.#verdictOf(words, 'spelling')
    if (spelled) return spelled
    const part = this.withoutExtras(words)
    return part.length > 0 && part.length < words.length ? this.#verdictOf(part, 'within') : undefined
  }

  #verdictOf(words: readonly string[], how: MatchMethod, edits = 0): NameVerdict | undefined {
    const entry = this.#entryOf(words)
    if (!entry || entry.rank === 'ending') return undefined
    const { types, own } = entry.meaning
    const [only, ...others] = own ? [own] : types
    if (others.length > 0) return oneOfSeveral(types)
    const isAssembly = withoutAssembly(words).length < words.length
    return only && known(only, isAssembly && how === 'spelling' ? 'within' : how, edits)
  }

  #byTypo(words: readonly string[]): NameVerdict | undefined {
    const corrected = this.corrected(words)
    if (!corrected) return undefined
    const found = this.#bySpelling(corrected.words)
    if (found?.kind !== 'known') return found
    return known(found, 'similar', corrected.edits)
  }

  /** Categories with all of these words and more. A "Front Door" is a door, but a "Door Glass" is not. */
  #withAllOf(words: readonly string[]): Candidate[] {
    const part = this.withoutExtras(words)
    const isOfThatKind = (name: string) => this.wordsIn(name).at(-1) === part.at(-1)
    const all = this.havingAll(part)
    const named = all.filter(({ name }) => part.every((word) => this.wordsIn(name).includes(word)))
    return (named.length > 0 ? named : all)
      .map(({ id, name }) => ({ id, name, confidence: isOfThatKind(name) ? LIKELY : MIN_SIMILARITY }))
      .sort((a, b) => b.confidence - a.confidence)
      .slice(0, MAX_CANDIDATES)
  }
}

const PLACES: readonly Place[] = ['front', 'rear', 'left', 'right']

/** The meaning with the higher rank; both if equal. */
function joined(one: Entry, other: Entry): Entry {
  const [first, second] = RANKS.indexOf(one.rank) <= RANKS.indexOf(other.rank) ? [one, other] : [other, one]
  const { meaning, rank } = first
  if (rank !== second.rank) {
    // A category that is any of its kind: a yard's "wheel" is an Alloy Wheel, a buyer's may be a steel one.
    const usual = rank === 'name' && second.rank === 'word' && usualKind(meaning.types, second.meaning.types)
    if (usual) return { rank, meaning: { ...second.meaning, own: usual } }
    const [own] = rank === 'word' && second.rank === 'alias' ? second.meaning.types : []
    const isFirst = own !== undefined && meaning.types.length > 1 && meaning.types[0] === own
    return isFirst ? { rank, meaning: { ...meaning, own } } : first
  }
  const types = [...new Set([...meaning.types, ...second.meaning.types])]
  return types.length === meaning.types.length
    ? first
    : { rank, meaning: { ...meaning, types, label: labelOf(types, meaning.label) } }
}

/** Of a general type and then its kinds by their names, the usual one first: Wheel, Alloy Wheel, Steel Wheel. */
function usualKind(
  [general]: readonly KnownName[],
  [first, ...kinds]: readonly KnownName[],
): KnownName | undefined {
  const isGeneral = general !== undefined && general === first
  return isGeneral && kinds.every(({ name }) => name.endsWith(` ${general.name}`)) ? kinds[0] : undefined
}

/** The joined key: "Head Lamps" is "headlight". */
const formOf = (words: readonly string[]): string => words.join('')

/** A key for any word order: "airbag driver" is a driver airbag. The mark occurs in no name. */
const anyOrder = (words: readonly string[]): string => `~${words.toSorted().join(' ')}`

const withoutAssembly = (words: readonly string[]) => words.filter((word) => word !== 'assembly')

function labelOf(types: readonly KnownName[], said: string): string {
  const [only, ...more] = types
  if (only && more.length === 0) return only.name
  return sharedWords(types) ?? `${said.charAt(0).toUpperCase()}${said.slice(1)}`
}

/** The words that all names share: "Transmission" for all kinds of transmissions. */
function sharedWords(types: readonly KnownName[]): string | undefined {
  const [first, ...others] = types.map(({ name }) => name.replace(/ Assembly$/, '').split(' '))
  const shared = first?.filter((word) => others.every((words) => words.includes(word))) ?? []
  return shared.length > 0 ? shared.join(' ') : undefined
}
