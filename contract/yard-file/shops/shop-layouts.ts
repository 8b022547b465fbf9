import { nameColumns } from '#contract/csv/csv-header.ts'

/*
 * Exports of shop programs (WooCommerce, Magento, Square): facts of the vehicle are attributes, whose names are in
 * cells, and a sale price is next to the regular one. Each row becomes one with a column for each attribute and the
 * price a buyer pays.
 */

export const shopNames = ['woocommerce', 'magento', 'square'] as const
export type ShopName = (typeof shopNames)[number]

const plain = (name: string) => name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()

/** Columns that only this program writes; all of them must be there. */
const TELLING: Readonly<Record<ShopName, readonly string[]>> = {
  woocommerce: ['type', 'sku', 'published', 'regularprice'],
  magento: ['sku', 'producttype', 'productonline'],
  square: ['itemname', 'variationname', 'sku'],
}

export function shopOf(header: readonly string[]): ShopName | undefined {
  const names = new Set(header.map(plain))
  return shopNames.find((shop) => TELLING[shop].every((name) => names.has(name)))
}

type Row = readonly string[]
type Attribute = { name: string; value: string }

/** Reads the attributes in a row. */
function attributeReader(header: Row): (cells: Row) => Attribute[] {
  const names = header.map(plain)
  const pairs = names.flatMap((name, at) => {
    const number = /^attribute(\d+)name$/.exec(name)?.[1]
    const value =
      number === undefined ? -1 : names.findIndex((other) => other.startsWith(`attribute${number}value`))
    return value === -1 ? [] : [{ name: at, value }]
  })
  const lists = names.flatMap((name, at) => (name === 'additionalattributes' ? [at] : []))
  return (cells) => [
    ...pairs.map(({ name, value }) => ({
      name: cells[name]?.trim() ?? '',
      value: plainValue(cells[value] ?? ''),
    })),
    ...lists.flatMap((at) => attributesIn(cells[at] ?? '')),
  ]
}

/** "Ford, Lincoln" would be two values of one attribute; WooCommerce writes a comma in a value as "\,". */
const plainValue = (value: string) => value.replaceAll('\\,', ',').trim()

/** "make=Ford,model=F-150,year=2012": a comma belongs to a value unless a name follows. */
const attributesIn = (text: string): Attribute[] =>
  text
    .split(/,(?=[a-z][\w ]*=)/i)
    .map((pair) => {
      const equals = pair.indexOf('=')
      return { name: pair.slice(0, Math.max(equals, 0)).trim(), value: pair.slice(equals + 1).trim() }
    })
    .filter(({ name }) => name !== '')

const MAX_ATTRIBUTES = 40
const LONGEST_NAME = 60

/** The names of the attributes in some rows, in the order in which they are found. */
export function attributeNames(header: Row, rows: readonly Row[]): string[] {
  const read = attributeReader(header)
  const found = new Map<string, string>()
  for (const cells of rows) {
    for (const { name, value } of read(cells)) {
      if (name !== '' && name.length <= LONGEST_NAME && value !== '' && !found.has(plain(name)))
        found.set(plain(name), inWords(name))
    }
  }
  return [...found.values()].slice(0, MAX_ATTRIBUTES)
}

/** "pa_make" and "part_number" are names of the shop's database. */
function inWords(name: string): string {
  const words = name.replace(/^pa_/i, '').replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The regular price and the one that overrides it. `isInPlace`: a column “price” becomes the one that a buyer pays. */
function priceColumns(header: Row) {
  const at = (...names: string[]) => header.findIndex((name) => names.includes(plain(name)))
  const regular = at('regularprice', 'price')
  const sale = at('saleprice', 'specialprice', 'onlinesaleprice')
  return regular === -1 || sale === -1
    ? undefined
    : {
        regular,
        sale,
        isInPlace: plain(header[regular] ?? '') === 'price',
        from: at('datesalepricestarts', 'specialpricefromdate', 'specialpricefrom'),
        to: at('datesalepriceends', 'specialpricetodate', 'specialpriceto'),
      }
}

/** The columns that are added behind the file's own. */
export function shopColumns(header: Row, attributes: readonly string[]): string[] {
  const prices = priceColumns(header)
  return prices && !prices.isInPlace ? ['Price', ...attributes] : [...attributes]
}

type Folder = {
  readonly header: readonly string[]
  push(rows: readonly Row[]): string[][]
  finish(): string[][]
  notes(): string[]
}

/** @param attributes those with a column of their own */
export function shopFolder(shop: ShopName, header: Row, attributes: readonly string[]): Folder {
  const read = attributeReader(header)
  const prices = priceColumns(header)
  const keys = attributes.map(plain)
  const columns = shopTexts(shop, header)
  let onSale = 0
  let parents = 0
  const priceOf = (cells: Row): string => {
    if (!prices) return ''
    const sale = cells[prices.sale]?.trim() ?? ''
    const isOn = /[1-9]/.test(sale) && isWithin(cells[prices.from], cells[prices.to])
    if (isOn) onSale += 1
    return isOn ? sale : (cells[prices.regular] ?? '')
  }
  const take = (cells: Row): string[] => {
    if (cells.every((cell) => cell.trim() === '')) return []
    if (columns.isParent(cells)) {
      parents += 1
      return []
    }
    const values = new Map(read(cells).map(({ name, value }) => [plain(inWords(name)), value]))
    const price = priceOf(cells)
    const own = Array.from({ length: header.length }, (_, at) =>
      prices?.isInPlace && at === prices.regular ? price : columns.shown(cells[at] ?? '', at, cells),
    )
    return [
      ...own,
      ...(prices && !prices.isInPlace ? [price] : []),
      ...keys.map((key) => values.get(key) ?? ''),
      ...cells.slice(header.length),
    ]
  }
  return {
    header: nameColumns([...header, ...shopColumns(header, attributes)]),
    push: (rows) => rows.map(take),
    finish: () => [],
    notes: () => [
      ...(onSale > 0
        ? [
            `${counted(onSale, 'part')} ${onSale === 1 ? 'has' : 'have'} a sale price. “${header[prices?.isInPlace ? prices.regular : -1] ?? 'Price'}” is the sale price, or the regular one.`,
          ]
        : []),
      ...(parents > 0
        ? [
            `${counted(parents, 'row')} only ${parents === 1 ? 'groups' : 'group'} the parts below. We skip them.`,
          ]
        : []),
    ],
  }
}

const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`

/** A sale that has ended or not begun does not count: the price is what a buyer pays today. */
function isWithin(from: string | undefined, to: string | undefined): boolean {
  const now = Date.now()
  const start = Date.parse(from ?? '')
  const end = Date.parse(to ?? '')
  return !(start > now) && !(end + DAY_MS < now)
}
const DAY_MS = 86_400_000

/** How the program's own cells are read. */
function shopTexts(shop: ShopName, header: Row) {
  const names = header.map(plain)
  const type = names.indexOf('type')
  const variation = names.indexOf('variationname')
  const item = names.indexOf('itemname')
  const isText = names.map((name) => /description$/.test(name))
  return {
    // Its prices and stock are in the rows of its variations.
    isParent: (cells: Row) =>
      shop === 'woocommerce' && /^(?:variable|grouped)\b/i.test(cells[type]?.trim() ?? ''),
    shown: (cell: string, at: number, cells: Row): string => {
      if (shop === 'woocommerce' && isText[at]) return cell.replaceAll('\\n', '\n')
      if (shop !== 'square' || at !== item) return cell
      const own = cells[variation]?.trim() ?? ''
      return own === '' || /^(?:regular|default)$/i.test(own) ? cell : `${cell} (${own})`
    },
  }
}
