import { type Grade, grades, parseShipping, type Shipping, toCents } from '#contract/listing-rules.ts'
import { stateCode } from '#server/features/listings/listing-columns.ts'
import { FOREIGN, givesOrders, plainLine } from './plain-text.ts'

/**
 * What a writer may know of a part. No contact and no person: those are in the listing's own fields, and generated text
 * has no business with them.
 */
export type PartFacts = {
  /** Decides how the text is built, so that the same record always reads the same; never shown. */
  readonly identity: string
  readonly name: string
  readonly category?: string
  /** The group of the category, "Lighting". */
  readonly group?: string
  readonly manufacturer?: string
  readonly model?: string
  readonly trim?: string
  readonly yearFrom?: number
  readonly yearTo?: number
  readonly grade?: Grade
  readonly partNumber?: string
  /** US dollars; absent for any other currency. */
  readonly priceCents?: number
  readonly shipping?: Shipping
  readonly quantity?: number
  readonly miles?: number
  /** In the seller's words; "None" says that there is none. */
  readonly damage?: string
  readonly city?: string
  /** Two letters. */
  readonly state?: string
  readonly vin?: string
  readonly condition?: 'new' | 'used' | 'rebuilt'
  readonly origin?: 'original' | 'aftermarket'
  /** Whether a field of the record (not its free text) says that the part was tested. */
  readonly tested?: boolean
  /** What the seller wrote, cleaned; it vouches for details of the part and never for promises. Absent if it gives orders. */
  readonly notes?: string
}

/** Fields under the names of the API, as staged files and listings have them; other names are not looked at. */
export type RecordFields = Readonly<Record<string, unknown>>

const LONGEST_NAME = 160
const LONGEST_LINE = 80
const LONGEST_DAMAGE = 160
const LONGEST_NOTES = 1_200

/** The facts of a record. What cannot be read is left out, so that nothing is said of it. */
export function readPartFacts(identity: string, fields: RecordFields, group?: string): PartFacts {
  const line = (name: string, most = LONGEST_LINE) => shown(textOf(fields[name]), most)
  const whole = (name: string) => wholeNumber(textOf(fields[name]))
  const place = line('partstate', 40)
  return defined({
    identity,
    name: line('partname', LONGEST_NAME) ?? '',
    category: line('partcategory'),
    group: group === undefined ? line('categoryGroup') : group,
    manufacturer: line('partmanuname') ?? line('partmanu'),
    model: line('partmodel'),
    trim: line('parttrim'),
    ...readYears(textOf(fields.partyear)),
    grade: grades.find((grade) => grade === textOf(fields.partgrade).trim().toUpperCase()),
    partNumber: line('partnum', 60),
    priceCents: readPrice(textOf(fields.partprice), textOf(fields.currency)),
    shipping: parseShipping(textOf(fields.partshipping)),
    quantity: whole('partquantity'),
    miles: whole('partmiles'),
    damage: line('partdamage', LONGEST_DAMAGE),
    city: line('partcity'),
    state: place === undefined ? undefined : stateCode(place),
    vin: readVin(textOf(fields.vin)),
    condition: CONDITIONS.get(textOf(fields.condition).trim().toLowerCase()),
    origin: ORIGINS.get(textOf(fields.origin).trim().toLowerCase()),
    notes: readNotes(textOf(fields.partdescription)),
  })
}

const CONDITIONS = new Map<string, NonNullable<PartFacts['condition']>>([
  ['new', 'new'],
  ['used', 'used'],
  ['rebuilt', 'rebuilt'],
  ['remanufactured', 'rebuilt'],
  ['refurbished', 'rebuilt'],
])
const ORIGINS = new Map<string, NonNullable<PartFacts['origin']>>([
  ['oem', 'original'],
  ['oe', 'original'],
  ['original', 'original'],
  ['genuine', 'original'],
  ['aftermarket', 'aftermarket'],
])

function defined(facts: { [Name in keyof PartFacts]: PartFacts[Name] | undefined }): PartFacts {
  const known: Record<string, unknown> = {}
  for (const name in facts) {
    const value = facts[name as keyof PartFacts]
    if (value !== undefined) known[name] = value
  }
  return known as PartFacts
}

/** A value as text; a category comes as an object with its name. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'object' || value === null || !('name' in value)) return ''
  return typeof value.name === 'string' ? value.name : ''
}

/** What generated text cannot spell is not quoted either. */
function shown(text: string, most: number): string | undefined {
  if (text === '' || (text.length > 20 && givesOrders(text))) return undefined
  const line = plainLine(text, most)
  return line === '' || FOREIGN.test(line) ? undefined : line
}

function readNotes(text: string): string | undefined {
  if (text === '' || givesOrders(text)) return undefined
  return plainLine(text, LONGEST_NOTES) || undefined
}

const YEARS = /^(\d{4})(?:\s*(?:-|–|—|\/|to)\s*(\d{2}|\d{4}))?$/

function readYears(text: string): { yearFrom: number | undefined; yearTo: number | undefined } {
  const [, first, last = first] = YEARS.exec(text.trim()) ?? []
  const yearFrom = Number(first)
  const yearTo = Number(last?.length === 2 ? `${first?.slice(0, 2)}${last}` : last)
  const isRange = yearFrom >= 1900 && yearTo >= yearFrom && yearTo - yearFrom <= 60
  return isRange ? { yearFrom, yearTo } : { yearFrom: undefined, yearTo: undefined }
}

function readPrice(text: string, currency: string): number | undefined {
  const amount = /^\$?\s*(\d{1,8}|\d{1,3}(?:,\d{3}){1,2})(\.\d{1,2})?$/.exec(text.trim())
  if (!amount || (currency !== '' && currency.toUpperCase() !== 'USD')) return undefined
  const cents = toCents(`${amount[1]?.replaceAll(',', '')}${amount[2] ?? ''}`)
  return cents > 0 ? cents : undefined
}

function wholeNumber(text: string): number | undefined {
  const plain = text.trim().replaceAll(',', '')
  return /^\d{1,9}$/.test(plain) && Number(plain) > 0 ? Number(plain) : undefined
}

const readVin = (text: string) => {
  const vin = text.trim().toUpperCase()
  return /^[A-HJ-NPR-Z0-9]{11,17}$/.test(vin) ? vin : undefined
}
