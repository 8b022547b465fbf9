import type { ImportQuestion } from '#contract/imports.ts'
import { LONGEST_LOOKUP_NAME, longestText } from '#contract/listing/listing-rules.ts'
import { readYearSpan, type YearSpan } from '#contract/listing/year-span.ts'
import { visibleNumber } from '#contract/text/no-value.ts'
import { interpret } from '#contract/trade-language/interpret.ts'
import { plainName, wordsOf } from '#contract/trade-language/names.ts'
import { type PartName, typeOfPart } from '#contract/trade-language/parts/part-names.ts'
import { type TypeVerdict, withNamed } from '#contract/trade-language/parts/type-verdicts.ts'
import {
  known,
  matchOf,
  type NameVerdict,
  surely,
  unsure,
  wasBuiltIn,
} from '#contract/trade-language/verdicts.ts'
import type { Vocabulary } from '#contract/trade-language/vocabulary.ts'
import { plainEntities } from '#contract/yard-file/html-text.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import { readVocabulary } from '#server/features/finding/vocabulary/vocabulary.ts'
import { keptWithLookups } from '#server/features/market/lookups/lookup-changes.ts'
import { LEAVE_OUT, loadNameAnswers, type NameAnswers } from '#server/features/market/lookups/name-answers.ts'
import { textsFollowing } from '#server/features/market/writing/part-text.ts'
import type { Db } from '#server/platform/database/database.ts'
import { inYear, matchVehicle } from './match-vehicle.ts'
import { isNew, leftOutNames, type NameUse, NewNameBook, sellerQuestions } from './name-uses.ts'
import { loadDecisions } from './taxonomy-queries.ts'

/*
 * Resolves the category, manufacturer and model of rows, one by one, and counts what it found: names that matched, new
 * names, and names a person has to decide. It writes nothing.
 */

/** What names are matched with: the vocabulary, and administrators' decisions about yards' words for a type of part. */
export type TaxonomyMatchers = Pick<
  Vocabulary,
  'partTypes' | 'partNames' | 'makes' | 'models' | 'universal' | 'language'
> & {
  readonly decisions: NameAnswers
}

type CategoryUse = {
  readonly use: NameUse
  /** What the part may be by other words of its row: `PartName.kinds`. */
  readonly kinds?: PartName['kinds']
}

type VehicleUse = {
  manufacturer: NameUse | undefined
  model: NameUse | undefined
  /** The model in rows of other years, if that makes it unsure. */
  otherYears: NameUse | undefined
}

/** The fields that names are resolved from. */
export const nameFields = [
  'partname',
  'partnum',
  'partside',
  'partdescription',
  'partcategory',
  'partmanu',
  'partmodel',
  'parttrim',
  'bodystyle',
  'partyear',
  'partmiles',
  'h1',
  'listingid',
  'waitsfor',
] as const

/** Reads a field of a row. Called only for the fields that are needed, since reading the trim is slow. */
export type ReadField = (field: (typeof nameFields)[number]) => JsonValue | undefined
export type NameChanges = Readonly<Record<string, string>>

// Limits the memory for a file of a million rows.
const MAX_REMEMBERED = 20_000

/** A seller's own import: rows with an unsure or new name wait for the seller. */
export type SellersFile = {
  readonly answers: NameAnswers
  /** Its rows were resolved before, and some may have waited. */
  readonly isAgain: boolean
  /** Some rows name their listing, whose category a mere name must not change. */
  readonly namesListings: boolean
}

/** Moves the trim and body style in a model's name to their own fields, if those are blank. */
function wordsBesideModel(
  { trim, bodyStyle }: { readonly trim?: string | undefined; readonly bodyStyle?: string | undefined },
  read: ReadField,
): { parttrim?: string; bodystyle?: string } {
  return {
    ...(trim !== undefined && nameIn(read('parttrim')) === '' && { parttrim: trim }),
    ...(bodyStyle !== undefined && nameIn(read('bodystyle')) === '' && { bodystyle: bodyStyle }),
  }
}

/** A file that an administrator resolves or promotes: what is still new is created, and unsure names wait for a decision. */
export type DeskFile = {
  /** A person edited it since it was sent: a category of the catalog stays, regardless of the part's name. */
  readonly isEdited: boolean
}

/** Resolves each spelling once, and counts the results. By the same rules for sellers and administrators. */
export class RowResolver {
  readonly #matchers: TaxonomyMatchers
  readonly #seller: SellersFile | undefined
  readonly #isEdited: boolean
  readonly #categories = new Map<string, CategoryUse | undefined>()
  readonly #vehicles = new Map<string, VehicleUse>()
  readonly #uses = new Map<string, NameUse>()
  readonly #replaced = new Set<NameUse>()
  readonly newNames = new NewNameBook()
  readonly columns = new Set<string>()
  rows = 0
  rowsWithNewNames = 0
  rowsChanged = 0
  cellsChanged = 0

  constructor(matchers: TaxonomyMatchers, file: SellersFile | DeskFile) {
    this.#matchers = matchers
    this.#seller = 'answers' in file ? file : undefined
    this.#isEdited = 'isEdited' in file && file.isEdited
  }

  get uses(): NameUse[] {
    return [...this.#uses.values()]
  }

  /** The questions to the seller of the file. */
  get questions(): ImportQuestion[] {
    return sellerQuestions(this.uses, this.#matchers)
  }

  /** The names whose parts the seller of the file leaves out. */
  get leftOut(): ImportQuestion[] {
    return leftOutNames(this.uses, this.#matchers)
  }

  /** How many different spellings were replaced. */
  get spellingsReplaced(): number {
    return this.#replaced.size
  }

  /** The fields to change, with their new values; undefined if nothing changes. */
  resolve(read: ReadField): NameChanges | undefined {
    this.rows += 1
    const partcategory = this.#category(nameIn(read('partcategory')), read)
    const { manufacturer: partmanu, model: partmodel } = this.#vehicle(read)
    const uses = { partcategory, partmanu, partmodel }
    if (Object.values(uses).some(isNew)) this.rowsWithNewNames += 1
    const changes: Record<string, string> = {}
    for (const field of ['partcategory', 'partmanu', 'partmodel'] as const) {
      const use = uses[field]
      if (!use || use.verdict.kind === 'unsure' || use.verdict.name === read(field)) continue
      changes[field] = use.verdict.name
      this.#replaced.add(use)
      if (field === 'partmodel') Object.assign(changes, wordsBesideModel(use.verdict, read))
    }
    Object.assign(changes, this.#withoutRemark(read), visibleNumberOf(read))
    if (Object.keys(changes).length > 0) Object.assign(changes, renamedTexts(read, changes))
    const waitsfor = this.#waiting(uses, read)
    if (waitsfor !== undefined) changes.waitsfor = waitsfor
    const changed = Object.keys(changes)
    if (changed.length === 0) return undefined
    this.rowsChanged += 1
    this.cellsChanged += changed.length
    for (const field of changed) this.columns.add(field)
    return changes
  }

  /** The name up to remarks about the part's condition, which end before a side that a column of sides added. */
  #named(read: ReadField): { readonly name: string; readonly remark: string } {
    const typed = plainEntities(textIn(read('partname')))
    const { name, remark } = this.#matchers.partNames.withoutRemarks(typed)
    const side = remark === '' ? '' : textIn(read('partside'))
    if (side === '' || !typed.endsWith(` ${side}`)) return { name, remark }
    const unsided = this.#matchers.partNames.withoutRemarks(typed.slice(0, -side.length - 1))
    return { name: `${unsided.name} ${side}`, remark: unsided.remark }
  }

  /**
   * Remarks after a name become the beginning of its description, and HTML's escapes in it are read. Keys stay those
   * of the name as sent.
   */
  #withoutRemark(read: ReadField): Record<string, string> {
    const { name: partname, remark } = this.#named(read)
    if (this.#isListed(read)) return {}
    if (remark === '') return partname === textIn(read('partname')) ? {} : { partname }
    const before = textIn(read('partdescription'))
    if (before.includes(remark)) return { partname }
    const partdescription = before === '' ? remark : `${remark}\n${before}`
    return partdescription.length > longestText('partdescription') ? {} : { partname, partdescription }
  }

  /** A row that names its listing, which a mere name must not change. */
  #isListed(read: ReadField): boolean {
    return this.#seller?.namesListings === true && textIn(read('listingid')) !== ''
  }

  /** What the row is waiting for, if that changes. */
  #waiting(uses: RowUses, read: ReadField): string | undefined {
    if (!this.#seller) return undefined
    const category = uses.partcategory?.verdict
    const isUniversal = category?.kind === 'known' && this.#matchers.universal.has(category.id)
    const waitsfor = waitsFor(uses, isUniversal)
    const before = this.#seller.isAgain ? textIn(read('waitsfor')) : ''
    return waitsfor === before ? undefined : waitsfor
  }

  #category(typed: string, read: ReadField): NameUse | undefined {
    const name = this.#isListed(read) ? '' : this.#named(read).name.slice(0, LONGEST_LOOKUP_NAME)
    const key = `${typed}\n${name}`
    let found = this.#categories.get(key)
    if (!found && !this.#categories.has(key)) {
      found = this.#matchCategory(typed, name, read)
      remember(this.#categories, key, found)
    }
    const use = found && this.#ofKind(found, read)
    if (use) use.rows += 1
    return use
  }

  /** A "wheel" whose description says "steel" is a Steel Wheel. */
  #ofKind({ use, kinds }: CategoryUse, read: ReadField): NameUse {
    if (!kinds) return use
    const text = `${textIn(read('partname'))} ${textIn(read('partdescription'))}`
    const kind = this.#matchers.partNames.kinds.said(kinds, text)
    const { verdict } = use
    if (!kind || verdict.kind !== 'known' || verdict.id === kind.id) return use
    return this.#use({ ...use, verdict: { ...verdict, id: kind.id, name: kind.name } })
  }

  /** Undefined if the row has no category and the part's name does not show it either. */
  #matchCategory(typed: string, name: string, read: ReadField): CategoryUse | undefined {
    const { partTypes } = this.#matchers
    const reading = interpret(name, this.#matchers, 'name', { hint: typed }).read
    const { verdict: found } = reading
    const inFull = typeOfPart(reading, name)
    const about = withoutVehicle(inFull, read)
    const answered = this.#answeredCategory(this.#meantCategory(typed, about, inFull), about, found)
    const use = { kind: 'category', typed, make: null, example: exampleOf(read) } as const
    if (answered) return { use: this.#use({ ...use, ...answered }) }
    const byWord = typed === '' ? undefined : partTypes.match(typed)
    const isChosen = this.#isEdited || name === ''
    if (isChosen && byWord?.kind === 'known' && byWord.how === 'exact')
      return { use: this.#use({ ...use, verdict: byWord }) }
    if (found.kind === 'known') {
      const { id, name: category, certainty } = found
      const byName = { ...known({ id, name: category }, 'within'), confidence: certainty }
      const verdict = byWord?.kind === 'known' && byWord.id === id ? byWord : byName
      return { use: this.#use({ ...use, verdict }), kinds: reading.kinds }
    }
    if (this.#seller) {
      const reason = typed === '' ? 'It has no category.' : 'Its category is uncertain.'
      return { use: this.#use({ ...use, partType: about, verdict: unsure(reason, found.candidates) }) }
    }
    if (!byWord) return undefined
    const verdict = this.#atDesk(byWord, found)
    return { use: this.#use({ ...use, ...(byWord.kind === 'unsure' && { partType: about }), verdict }) }
  }

  #answeredCategory(meant: string | null | undefined, about: string, found: Parameters<typeof leftOut>[0]) {
    if (meant === LEAVE_OUT) return { ...leftOut(found), partType: about }
    const verdict = meant ? this.#matchers.partTypes.match(meant) : undefined
    return verdict?.kind === 'known' ? { verdict } : undefined
  }

  /** @param inFull as names were asked before, with their vehicle */
  #meantCategory(typed: string, about: string, inFull: string): string | null | undefined {
    const { decisions } = this.#matchers
    return [about, inFull]
      .map(
        (of) => this.#meant('category', typed, of) ?? decisions.find({ kind: 'category', typed, about: of }),
      )
      .find((answer) => answer !== undefined)
  }

  /** The name that an administrator's file gets for an uncertain word. */
  #atDesk(word: NameVerdict, named: Parameters<typeof withNamed>[1]): NameVerdict {
    if (word.kind === 'known') return word
    if (word.kind === 'unsure') return surely(withNamed(word, named))
    const sure = surely(unsure('', named.kind === 'known' ? [] : named.candidates))
    return sure.kind === 'known' ? sure : this.#asCreated(word)
  }

  /** All spellings of a new category become its first one. */
  #asCreated(category: NameVerdict): NameVerdict {
    return category.kind === 'new' ? { ...category, name: this.newNames.category(category.name) } : category
  }

  /** What a name means according to the seller; null for a new name. */
  #meant(
    kind: 'category' | 'manufacturer' | 'car_model',
    typed: string,
    about: string,
  ): string | null | undefined {
    return this.#seller?.answers.find({ kind, typed, about })
  }

  #vehicle(read: ReadField): Pick<VehicleUse, 'manufacturer' | 'model'> {
    const [manu, model] = [nameIn(read('partmanu')), nameIn(read('partmodel'))]
    const key = `${manu}\n${model}`
    let vehicle = this.#vehicles.get(key)
    if (!vehicle) {
      vehicle = this.#matchVehicle(manu, model, read)
      remember(this.#vehicles, key, vehicle)
    }
    if (vehicle.manufacturer) vehicle.manufacturer.rows += 1
    if (!vehicle.model) return vehicle
    const use = this.#inYear(vehicle, vehicle.model, yearsIn(read('partyear')))
    use.rows += 1
    return { manufacturer: vehicle.manufacturer, model: use }
  }

  #inYear(vehicle: VehicleUse, model: NameUse, years: YearSpan | undefined): NameUse {
    if (wasBuiltIn(matchOf(model.verdict)?.years, years)) return model
    const verdict = inYear(model.verdict, years)
    if (verdict === model.verdict) {
      model.rowsOutOfYears += 1
      return model
    }
    vehicle.otherYears ??= this.#use({ ...model, verdict })
    return vehicle.otherYears
  }

  #matchVehicle(typedMake: string, typedModel: string, read: ReadField): VehicleUse {
    const meant = typedMake === '' ? undefined : this.#meant('manufacturer', typedMake, '')
    if (meant === LEAVE_OUT) return this.#leftOutMake(typedMake, read)
    const found = matchVehicle(this.#matchers, meant ?? typedMake, typedModel)
    const isWanted = meant === null && found.manufacturer?.kind !== 'known'
    const verdict = isWanted ? newName(typedMake) : found.manufacturer
    const example = exampleOf(read)
    const manufacturer = verdict && this.#manufacturer({ typed: typedMake, verdict, isWanted, example })
    const make = manufacturer && makeOf(manufacturer.verdict)
    const foundModel = isWanted && typedModel !== '' ? newName(typedModel) : found.model
    if (!foundModel || !make) return { manufacturer, model: undefined, otherYears: undefined }
    const model = this.#model({ typed: typedModel, verdict: foundModel, isWanted, example }, make)
    return { manufacturer, model, otherYears: undefined }
  }

  #leftOutMake(typed: string, read: ReadField): VehicleUse {
    const use = { kind: 'manufacturer' as const, typed, make: null, example: exampleOf(read), ...leftOut() }
    return { manufacturer: this.#use(use), model: undefined, otherYears: undefined }
  }

  #manufacturer({
    verdict: found,
    ...use
  }: Pick<NameUse, 'typed' | 'verdict' | 'isWanted' | 'example'>): NameUse {
    const verdict = found.kind === 'new' ? { ...found, name: this.newNames.manufacturer(found.name) } : found
    return this.#use({ kind: 'manufacturer', make: null, ...use, verdict })
  }

  #model(
    { verdict: found, ...use }: Pick<NameUse, 'typed' | 'verdict' | 'isWanted' | 'example'>,
    make: NonNullable<NameUse['make']>,
  ): NameUse {
    const meant = this.#meant('car_model', use.typed, make.name)
    const answered = meant && make.id !== null ? this.#matchers.models.match(make.id, meant) : undefined
    if (meant === LEAVE_OUT) return this.#use({ kind: 'car-model', make, ...use, ...leftOut(found) })
    const isWanted = use.isWanted || (meant === null && found.kind !== 'known')
    const listed = isWanted ? newName(use.typed) : found
    const answer = answered?.kind === 'known' ? answered : listed
    const verdict = answer.kind === 'new' ? this.#newModel(make.name, answer) : answer
    return this.#use({ kind: 'car-model', make, ...use, isWanted, verdict })
  }

  #newModel(make: string, found: NameVerdict & { kind: 'new' }): NameVerdict {
    const name = plainName(found.name)
    return { ...found, name: this.newNames.model(make, name, found.family !== undefined) }
  }

  /** The same spelling with the same match is counted as one. */
  #use(
    use: Pick<NameUse, 'kind' | 'typed' | 'make' | 'verdict' | 'example'> &
      Partial<Pick<NameUse, 'partType' | 'isWanted' | 'isLeftOut'>>,
  ): NameUse {
    const matched = use.verdict.kind === 'unsure' ? '' : use.verdict.name
    const { kind, make, typed, partType = '', isLeftOut = false } = use
    const key = JSON.stringify([kind, make?.name, typed, partType, use.verdict.kind, matched, isLeftOut])
    const before = this.#uses.get(key)
    if (before) return before
    const added = { partType, isWanted: false, isLeftOut, ...use, rows: 0, rowsOutOfYears: 0 }
    if (this.#uses.size < MAX_REMEMBERED) this.#uses.set(key, added)
    return added
  }
}

const textIn = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

/** The name in a field; '' if it is too long for a name. */
function nameIn(value: JsonValue | undefined): string {
  const text = plainEntities(textIn(value))
  return text.length > LONGEST_LOOKUP_NAME ? '' : text
}

function yearsIn(value: JsonValue | undefined): YearSpan | undefined {
  const text = textIn(value)
  const year = Number.parseInt(text, 10)
  return readYearSpan(text) ?? (Number.isNaN(year) ? undefined : { from: year, to: year })
}

const leftOut = (found?: NameVerdict | TypeVerdict) => ({
  isLeftOut: true,
  verdict: unsure('Its parts are left out.', found && 'candidates' in found ? found.candidates : []),
})

const newName = (typed: string) => ({ kind: 'new' as const, name: plainName(typed) })

/** The heading, and the lines that a script wrote, with the names as they are spelled now. */
function renamedTexts(read: ReadField, changes: NameChanges): Record<string, string> {
  if (textIn(read('h1')) === '' && !textIn(read('partdescription')).includes('Vehicle: ')) return {}
  const before = Object.fromEntries(nameFields.map((field) => [field, read(field)]))
  return textsFollowing(before, { ...before, ...changes }, { isRename: true })
}

/** "N/A" is not a part number, and zero-width spaces are not part of one. Keys stay those of the number as sent. */
function visibleNumberOf(read: ReadField): { partnum?: string } {
  const sent = textIn(read('partnum'))
  const partnum = visibleNumber(sent)
  return partnum === sent ? {} : { partnum }
}

/** "2014 Ford F-150 Front door handle LH" */
const exampleOf = (read: ReadField): string =>
  (['partyear', 'partmanu', 'partmodel', 'partname'] as const)
    .map((field) => textIn(read(field)))
    .filter((text) => text !== '')
    .join(' ')
    .slice(0, LONGEST_LOOKUP_NAME)

/** A word that we don't know is asked about once, whatever vehicles its parts are from: "Ford Flibber" and "Flibber". */
function withoutVehicle(about: string, read: ReadField): string {
  const vehicle = new Set(wordsOf(`${textIn(read('partmanu'))} ${textIn(read('partmodel'))}`))
  const kept = about.split(/\s+/).filter((word) => {
    const own = wordsOf(word)
    return own.length === 0 || own.some((one) => !vehicle.has(one) && !/^(?:19|20)\d\d$/.test(one))
  })
  return kept.some((word) => /\p{L}{2}/u.test(word)) ? kept.join(' ') : about
}

type RowUses = Readonly<Record<'partcategory' | 'partmanu' | 'partmodel', NameUse | undefined>>

/** Begins the `waitsfor` of a row that its seller leaves out, before the name. */
export const LEFT_OUT = 'left out: '

/**
 * Which of a row's names its seller has to explain, as a field of its record; '' if none. A part of a universal category need
 * not name its make and model.
 */
function waitsFor({ partcategory, partmanu, partmodel }: RowUses, isUniversal: boolean): string {
  const out = [partcategory, partmanu, partmodel].find((use) => use?.isLeftOut)
  if (out) return `${LEFT_OUT}${out.typed || out.partType}`
  const isUnclear = (use: NameUse) => use.verdict.kind === 'unsure' || (isNew(use) && !use.isWanted)
  const mustAsk = (use: NameUse | undefined) => (use === undefined ? !isUniversal : isUnclear(use))
  const kinds = partcategory === undefined || isUnclear(partcategory) ? ['category'] : []
  if (mustAsk(partmanu)) kinds.push('manufacturer')
  else if (mustAsk(partmodel)) kinds.push('model')
  return kinds.join(', ')
}

const makeOf = (verdict: NameVerdict): NameUse['make'] =>
  verdict.kind === 'unsure' ? null : { id: verdict.kind === 'known' ? verdict.id : null, name: verdict.name }

function remember<T>(cache: Map<string, T>, key: string, value: T): void {
  if (cache.size >= MAX_REMEMBERED) cache.clear()
  cache.set(key, value)
}

const decisionsOf = keptWithLookups(loadDecisions)

/** The matchers for all names and words as they are now. @param through the connection to ask; it must not have changed them */
export async function openMatchers(db: Db, through: Db = db): Promise<TaxonomyMatchers> {
  const { partTypes, partNames, makes, models, universal, language } = await readVocabulary(db, through)
  return {
    partTypes,
    partNames,
    makes,
    models,
    universal,
    language,
    decisions: await decisionsOf(db, through),
  }
}

/** A resolver for a seller's own file with the current lookups, the same as for its staged file. */
export async function openNameResolver(
  db: Db,
  { sellerId, namesListings }: { sellerId: string; namesListings: boolean },
): Promise<RowResolver> {
  const matchers = await openMatchers(db)
  const answers = await loadNameAnswers(db, sellerId)
  return new RowResolver(matchers, { answers, isAgain: false, namesListings })
}
