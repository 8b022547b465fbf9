import { lookupKey, nameKey, plainName, splitNames, wordsOf } from '#contract/trade-language/names.ts'
import { KnownWords, TrigramIndex } from '#contract/trade-language/spelling.ts'
import {
  type KnownName,
  known,
  type MatchMethod,
  type NameVerdict,
  newUnlessSimilar,
  oneOfSeveral,
  ProvisionalNames,
  unsure,
} from '#contract/trade-language/verdicts.ts'
import { listOf, type WordRoles } from '#contract/trade-language/words.ts'

/* Finds the manufacturer for a typed name: aliases first, then spellings, abbreviations, extra words and typos. */

const MIN_SIMILARITY = 0.4

const hasSeveralNames = (text: string) => /[,;|]/.test(text) && splitNames(text).length > 1

type Source = {
  readonly manufacturers: readonly KnownName[]
  /** Names of makes by the keys of words for them: chevy, bimmer. */
  readonly words: ReadonlyMap<string, string>
  readonly roles: WordRoles
}

/** Built once, then used for any number of names. */
export class Makes {
  readonly #words: ReadonlyMap<string, string>
  /** Names for one of several makes; the model may show which. */
  readonly #ambiguous: ReadonlyMap<string, readonly string[]>
  readonly #codes: ReadonlyMap<string, string>
  /** Words next to a make that do not belong to its name. */
  readonly #extra: ReadonlySet<string>
  /** Makes that are not in the catalog, listed so that they are not treated as typos. */
  readonly #others: ReadonlySet<string>
  readonly #placeholders: ReadonlySet<string>
  readonly #exact = new Map<string, { entry: KnownName; how: MatchMethod }>()
  readonly #spellings = new Map<string, KnownName>()
  readonly #typed = new KnownWords()
  readonly #similar = new TrigramIndex<KnownName>()
  readonly #provisional: ProvisionalNames
  readonly #byId: ReadonlyMap<string, KnownName>

  constructor({ manufacturers, words, roles }: Source) {
    this.#words = words
    this.#ambiguous = new Map(roles.meanings('ambiguous make').map(([key, names]) => [key, listOf(names)]))
    this.#codes = new Map(roles.meanings('make code'))
    this.#extra = roles.set('beside make')
    this.#others = roles.set('other make')
    this.#placeholders = roles.set('placeholder')
    for (const entry of manufacturers) {
      for (const alias of entry.aliases) this.#add(alias, entry, 'alias')
    }
    for (const entry of manufacturers) if (entry.confirmed) this.#add(entry.name, entry, 'exact')
    this.#provisional = new ProvisionalNames(manufacturers)
    this.#byId = new Map(manufacturers.map((entry) => [entry.id, entry]))
  }

  match(text: string): NameVerdict {
    const exact = this.#exact.get(lookupKey(text))
    if (exact) return known(exact.entry, exact.how)
    const found = this.#bySpelling(wordsOf(text)) ?? this.#byTypo(text) ?? this.#provisional.match(text)
    if (found) return found
    const [key, name] = [nameKey(text), plainName(text)]
    if (key === '' || this.#placeholders.has(key)) return unsure('Not a manufacturer.')
    const several = this.#severalIn(text)
    if (several.size > 1) return oneOfSeveral(several)
    if (this.#others.has(key)) return { kind: 'new', name }
    if (hasSeveralNames(text)) return unsure('This contains several names.')
    const first = this.atBeginning(wordsOf(text))
    if (first)
      return unsure('This is a manufacturer followed by other words.', [
        { id: first.entry.id, name: first.entry.name, confidence: 0.6 },
      ])
    return newUnlessSimilar(this.#similar, { key, name, min: MIN_SIMILARITY })
  }

  /** The manufacturer at the beginning of these words, and how many words its name takes. */
  atBeginning(words: readonly string[]): { entry: KnownName; words: number } | undefined {
    for (let count = Math.min(words.length, 3); count > 0; count -= 1) {
      const found = this.find(nameKey(words.slice(0, count)))
      if (found) return { entry: found, words: count }
    }
    return undefined
  }

  #add(name: string, entry: KnownName, how: MatchMethod): void {
    this.#exact.set(lookupKey(name), { entry, how })
    const key = nameKey(name)
    this.#spellings.set(key, entry)
    this.#typed.add(key, entry.id)
    this.#similar.add(key, entry)
  }

  #bySpelling(words: readonly string[]): NameVerdict | undefined {
    const spelled = this.#spellings.get(nameKey(words))
    if (spelled) return known(spelled, 'spelling')
    const short = this.find(nameKey(words))
    if (short) return known(short, 'abbreviation')
    const make = words.filter((word) => !this.#extra.has(word))
    const within = make.length < words.length ? this.find(nameKey(make)) : undefined
    return within && known(within, 'within')
  }

  /** All makes that a word like "merc" or "gm" may mean; empty for any other word. */
  amongst(key: string): KnownName[] {
    return (this.#ambiguous.get(key) ?? []).flatMap((name) => this.#spellings.get(nameKey(name)) ?? [])
  }

  /** Whether it makes cars that are not in the catalog. */
  isElsewhere(text: string): boolean {
    return this.#others.has(nameKey(text))
  }

  /** The makes that yard systems write as this code: "VOLK", or by their first three letters. It may also be another name, so a model has to confirm it. */
  ofCode(text: string): KnownName[] {
    const key = nameKey(text)
    const entry = this.find(nameKey(this.#codes.get(key) ?? ''))
    if (entry) return [entry]
    // “VOL” begins Volvo and Volkswagen.
    if (!/^[a-z]{3}$/.test(key)) return []
    return [...new Set([...this.#spellings].flatMap(([name, make]) => (name.startsWith(key) ? make : [])))]
  }

  /** The keys of all words for one of several makes. */
  get ambiguous(): Iterable<string> {
    return this.#ambiguous.keys()
  }

  /** By the key of a name, an alias or a word for it. */
  find(key: string): KnownName | undefined {
    const name = this.#words.get(key)
    return this.#spellings.get(key) ?? (name === undefined ? undefined : this.#spellings.get(nameKey(name)))
  }

  #byTypo(text: string): NameVerdict | undefined {
    const typed = nameKey(text)
    if (this.#others.has(typed)) return undefined
    const found = this.#typed.mistyped(typed)
    const entry = found && this.#byId.get(found.of)
    return entry && known(entry, 'similar', found.edits)
  }

  /** The makes that a word like "Merc" may mean, or those in "Toyota/Lexus". */
  #severalIn(text: string): Set<KnownName> {
    const parts = splitNames(text)
    const named = parts.length > 1 ? parts.flatMap((part) => this.find(nameKey(part)) ?? []) : []
    return new Set([...this.amongst(nameKey(text)), ...named])
  }
}
