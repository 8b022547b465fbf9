import { withoutLegend } from './header-legend.ts'
import { fileWords, type ImportField, importFields } from './import-fields.ts'
import { type PriceName, priceName } from './price-headers.ts'

/**
 * Which field a column's name suggests (a header matches a field by substring; partdescription also by
 * "desc", dealerphone also by "phone" or "tel"). The names of each field are in `contract/listing/listing-fields.ts`.
 */

/*
 * Columns that look like a field but are not: useless to a buyer, or misleading, such as a price that is a deposit or a
 * year of purchase.
 */
const strangers = new Set(
  `bin row rows shelf location loc aisle rack warehouse zone slot cost costs wholesale core corecharge coreprice deposit
  interchange interchangenumber interchangenum interchangeno intchnum intchno hollander hollandernumber hollandernum
  hollanderno hollandernbr intchnbr interchangenbr ic icnumber date dated datein entered created updated modified
  sold expires fax email website url weight lbs length width height dimensions color colour engine cyl cylinders
  transmission drivetrain fuel side position pos lr upc ean gtin itemid itemnumber epid categoryid conditionid userid duration
  format warranty commission fee tax minimum min max reorder margin profit donor errors error problems duplicate status
  bodystyle doors body relationship relationshipdetails action siteid paint paintcode lot lotnumber purchase auction buyer
  policy profile fitment store storecategory kba type vendor brand brandname compareatprice variantcompareatprice costperitem giftcard
  taxstatus taxclass published visible visibility active archived sellable stockable online isonline productonline enabled
  isinstock watchers views variationname variantgrams grams reorderpt onorder account incomeaccount taxable token`.split(
    /\s+/,
  ),
)

/** In a longer header, these words mean that it is not the field that the other words name. */
const estranging =
  /\b(core|cost|wholesale|interchange|hollander|fax|bin|date|weight|id|to|end|count|service|type id|policy|profile|format|currency|per|tax|ext|extension|version|status|width|height|length|min|max|minimum|units?|conversion|code|forecast(?:ed)?|reserved|ordered|committed|incoming|buyers?|customers?|bill|internal|private|yard notes?|ship to|sold to)\b/

/** Lowercase letters and digits only; "Part #" becomes "partnum". */
function plainHeader(header: string): string {
  return header
    .normalize('NFKD')
    .replace(/#|№/g, 'num')
    .replace(/\bn[°º]/gi, 'no ')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

const wordsOf = (header: string) =>
  header
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()

/** A column's name, prepared once for comparing it with all fields. */
export type HeaderName = {
  readonly plain: string
  /** The same without a remark such as “(optional)”, unless the remark makes it another name. */
  readonly bare: string
  /** The same without what it is of, for the fields that it may then be. */
  readonly owned: readonly { readonly fields: ReadonlySet<ImportField>; readonly plain: string }[]
  /** One of its words means that it is not the field that the others name. */
  readonly isEstranged: boolean
  /** The kind of money it names. */
  readonly price: PriceName | undefined
}

export function headerName(typed: string): HeaderName {
  const header = withoutLegend(typed)
  const bare = withoutRemark(header)
  const words = wordsOf(bare)
  return {
    plain: plainHeader(header),
    bare: plainHeader(bare),
    owned: owners.flatMap(({ before, fields }) =>
      before.test(words) ? { fields, plain: plainHeader(words.replace(before, '')) } : [],
    ),
    isEstranged: estranging.test(words),
    price: priceName(header),
  }
}

const REMARK = /[([{][^)\]}]*[)\]}]?|[-–:*]\s*(?:required|optional|usd|us\$)?\s*$/gi
/** “(max 500 characters)” and “(w/o core)” describe the format or what is included. */
const HARMLESS =
  /\b(?:max(?:imum)?|min(?:imum)?)? ?\d+ (?:characters?|chars?|digits?|letters?|numbers?)\b|\b(?:no|not|w o|without|excl\w*|before|incl\w*|with) \w+(?: (?:code|charge))?|\bunits?\b|\bcurrency\b/g

function withoutRemark(header: string): string {
  const remarks = header.match(REMARK)
  if (!remarks) return header
  const bare = header.replaceAll(REMARK, ' ').trim()
  const said = wordsOf(remarks.join(' ')).replaceAll(HARMLESS, ' ')
  return plainHeader(bare) === '' || estranging.test(said) ? header : bare
}

/** Prefixes that say what the column belongs to: “yard_zip”, “Donor Mileage”, “C:Brand”. */
const owners: readonly { readonly before: RegExp; readonly fields: ReadonlySet<ImportField> }[] = [
  {
    before: /^(?:loc(?:ation)?|yard|seller|dealer|store|shop|branch|contact|ship from) /,
    fields: new Set(['partcity', 'partstate', 'zipcode', 'dealerphone']),
  },
  {
    before:
      /^(?:veh(?:icle)?|car|donor|auto|c|fitment|fits) | (?:du )?(?:vehicule|vehiculo|voiture|auto|coche|fahrzeug)$/,
    fields: new Set(['partyear', 'partmanu', 'partmodel', 'parttrim', 'vin', 'partmiles', 'bodystyle']),
  },
  {
    before: /^(?:part|pt|item|product|prod|p|c) /,
    fields: new Set(
      'partgrade partnum partquantity partside partcategory stocknum partdescription imageUrl'.split(
        ' ',
      ) as ImportField[],
    ),
  },
]

export type HeaderMatch = {
  /** 0..1: how well the name matches the field. */
  score: number
  how: 'own' | 'label' | 'whole' | 'partial'
}

const OWN_NAME = 0.995
const LABEL = 0.99
const WHOLE_NAME = 0.93
const WITH_REMARK = 0.92
/**
 * A name that means a field in some files only, so its values have to agree: an interchange number if there is no part
 * number, a location that is a town or side rather than a shelf, a shop's type that is a kind of part.
 */
export const STAND_IN = 0.45
/** The same for one field only: a description that names the parts, the record's number of a file without stock numbers. */
const standIns: Partial<Record<ImportField, ReadonlySet<string>>> = {
  partname: new Set(
    'desc descr description partdesc partdescr partdescription itemdesc itemdescr materialdescription itemdescription productdescription descripcion beschreibung'.split(
      ' ',
    ),
  ),
  stocknum: new Set(['partid', 'itemnum', 'itemno', 'codigo', 'id']),
  partcity: new Set(['where']),
  parttrim: new Set(['version']),
  warrantydays: new Set(['warr', 'wty', 'war']),
}
const PARTIAL_FROM = 0.55
const PARTIAL_TO = 0.72
/** Half of the name means something else. */
const ESTRANGED = 0.3

/** A field's names in the form of `plainHeader`, for comparison. */
type FieldNames = {
  own: string
  label: string
  whole: ReadonlySet<string>
  /** Short names occur in many words: "width 1" is not h1, and "cost basis" not as-is. */
  parts: readonly string[]
}

function namesOf(field: ImportField): FieldNames {
  const own = field.toLowerCase()
  const { names, words, ...file } = fileWords[field]
  const label = plainHeader(file.label)
  return {
    own,
    label,
    whole: new Set([own, label, ...names]),
    parts: [...[own, label].filter((name) => name.length > 4), ...words],
  }
}

const fieldNames = Object.fromEntries(importFields.map((field) => [field, namesOf(field)])) as Record<
  ImportField,
  FieldNames
>
const allNames = new Set(importFields.flatMap((field) => [...fieldNames[field].whole]))

/** How well a column's name matches a field; undefined if it does not. */
export function matchHeader(field: ImportField, name: HeaderName): HeaderMatch | undefined {
  const { plain, bare, price } = name
  const { own, label } = fieldNames[field]
  if (plain !== '' && plain === own) return { score: OWN_NAME, how: 'own' }
  if (plain !== '' && plain === label) return { score: LABEL, how: 'label' }
  if (field === 'partprice' && price) return matchPrice(price, name)
  if (plain === '') return undefined
  // "Dealer phone" is one field's whole name, so its part "dealer" must not match another.
  const isOther = allNames.has(plain) || allNames.has(bare)
  return matchWholly(field, name) ?? (isOther ? undefined : matchPartly(field, name))
}

function matchWholly(field: ImportField, { plain, bare, owned }: HeaderName): HeaderMatch | undefined {
  const { whole } = fieldNames[field]
  const scored = (written: string, score: number): HeaderMatch => {
    const isStandIn = strangers.has(written) || standIns[field]?.has(written) === true
    return { score: isStandIn ? STAND_IN : score, how: 'whole' }
  }
  if (whole.has(plain)) return scored(plain, WHOLE_NAME)
  if (allNames.has(plain)) return undefined
  if (whole.has(bare)) return scored(bare, WITH_REMARK)
  const rest = owned.find(({ fields }) => fields.has(field))?.plain
  return rest !== undefined && whole.has(rest) ? scored(rest, WITH_REMARK) : undefined
}

function matchPrice(price: PriceName, name: HeaderName): HeaderMatch | undefined {
  if (price.kind === 'never') return undefined
  return price.isWhole ? { score: WHOLE_NAME, how: 'whole' } : matchPartly('partprice', name)
}

function matchPartly(field: ImportField, { bare: plain, isEstranged }: HeaderName): HeaderMatch | undefined {
  const { own, parts } = fieldNames[field]
  const found = parts.filter((name) => plain.includes(name))
  if (found.length === 0) return undefined
  const longest = Math.max(...found.map((name) => name.length))
  if (!plain.includes(own) && (strangers.has(plain) || isEstranged)) {
    return { score: ESTRANGED, how: 'partial' }
  }
  // The longer the matched part, the better; a tie goes to the name with less around it.
  const share = (longest + longest / plain.length) / 20
  return { score: Math.min(PARTIAL_TO, PARTIAL_FROM + share * 0.2), how: 'partial' }
}

/** "Column 7", "Field3", "F12", "AB" and blank mean nothing, so the column's values decide. */
const NAMELESS = /^(column|col|field|feld|spalte|unnamed|untitled|f|c|var|value)?\d*$|^[a-z]$/

/**
 * What a column's name suggests. `nothing`: the values decide. `something`: an unknown name, so the values only suggest.
 * `other`: not one of our fields.
 */
export function nameSays(header: string | HeaderName): 'nothing' | 'something' | 'field' | 'other' {
  const name = typeof header === 'string' ? headerName(header) : header
  const { plain } = name
  if (NAMELESS.test(plain)) return 'nothing'
  if (strangers.has(plain)) return 'other'
  if (importFields.some((field) => (matchHeader(field, name)?.score ?? 0) >= PARTIAL_FROM)) return 'field'
  return name.price?.kind === 'never' || name.isEstranged ? 'other' : 'something'
}

/** Whether this is a field's whole name, such as "Price" or "OEM #", and no word of another. */
export const namesField = (name: string): boolean => allNames.has(plainHeader(name))
