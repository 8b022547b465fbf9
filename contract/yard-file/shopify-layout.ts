import { joinAddresses, splitAddresses } from '#contract/csv/picture-addresses.ts'
import { MAX_PICTURES } from '#contract/listing/listing-rules.ts'

/*
 * Shopify's product export: a product's further pictures and its variants are rows below it that repeat its handle and
 * leave the rest blank.
 */

// Names that other programs do not use; two of them besides the handle mean a Shopify export.
const TELLING = new Set([
  'bodyhtml',
  'imagesrc',
  'imageposition',
  'variantsku',
  'variantprice',
  'variantinventoryqty',
])

const plain = (name: string) => name.replace(/[^a-z0-9]/gi, '').toLowerCase()

export function isShopifyHeader(header: readonly string[]): boolean {
  const names = header.map(plain)
  return names.includes('handle') && names.filter((name) => TELLING.has(name)).length >= 2
}

type ShopifyFolder = {
  /** Returns as many rows as it takes, in order; a row that was joined to its product is blank, and a product's rows wait. */
  push(rows: readonly (readonly string[])[]): string[][]
  /** The rows that were still waiting. */
  finish(): string[][]
  /** Sentences about the rows joined so far. */
  notes(): string[]
}

function columnsOf(header: readonly string[]) {
  const names = header.map(plain)
  const columns = (test: RegExp) => names.flatMap((name, at) => (test.test(name) ? [at] : []))
  return {
    handle: names.indexOf('handle'),
    title: names.indexOf('title'),
    status: names.indexOf('status'),
    picture: names.indexOf('imagesrc'),
    ownPicture: names.indexOf('variantimage'),
    options: columns(/^option\dvalue$/),
    // Further columns of a variant, such as “Variant Taxable”, are filled by Shopify itself.
    ofVariant: columns(/^(variantsku|variantprice|option\dvalue)$/),
  }
}

/** A product's row and those below it: parts, and undefined for rows of pictures. */
type Product = {
  readonly cells: readonly string[]
  readonly isHidden: boolean
  readonly rows: (readonly string[] | undefined)[]
  /** The pictures in all of its rows. */
  readonly pictures: string[]
}

const cellOf = (cells: readonly string[], at: number) => cells[at]?.trim() ?? ''

/** With the variant's options in the title, such as a side. A product without variants has the option "Default Title". */
function titled(
  cells: readonly string[],
  own: readonly string[],
  columns: Pick<ReturnType<typeof columnsOf>, 'title' | 'options'>,
): readonly string[] {
  const title = cells[columns.title] ?? ''
  const options = columns.options
    .map((at) => cellOf(own, at))
    .filter((value) => value !== '' && !DEFAULT_OPTION.test(value))
  const ending = ` (${options.join(', ')})`
  if (options.length === 0 || title.endsWith(ending)) return cells
  return cells.map((cell, at) => (at === columns.title ? title + ending : cell))
}

const DEFAULT_OPTION = /^(?:default(?: title)?|regular|standard)$/i

const PLACE = /\b(?:left|right|driver|passenger|front|rear|[lr]h)\b/i

// Shopify allows 2,000 variants and 250 pictures; further rows do not wait with the product.
const MAX_PRODUCT_ROWS = 2_500

/**
 * Joins the rows of a product: each of its parts gets all of its pictures, its own first; variants become parts with the
 * product's cells where they have none; drafts and archived products are left out. Pass all data rows of a file in order.
 */
export function shopifyFolder(header: readonly string[]): ShopifyFolder {
  const columns = columnsOf(header)
  const found = { pictures: 0, variants: 0, hidden: 0 }
  let product: Product | undefined
  const handleOf = (cells: readonly string[]) => cellOf(cells, columns.handle)

  const release = (): string[][] => {
    const { cells: own = [], rows, pictures } = product ?? { rows: [], pictures: [] }
    // The first variant is in the product's own row.
    const hasVariants = rows.filter((cells) => cells !== undefined).length > 1
    const saysPlace = columns.options.some((at) => PLACE.test(cellOf(own, at)))
    const parts = rows.map((cells) => {
      if (!cells) return []
      const isFirst = cells === own && (hasVariants || saysPlace)
      return withPictures(isFirst ? titled(cells, cells, columns) : cells, pictures)
    })
    rows.splice(0)
    return parts
  }
  const withPictures = (cells: readonly string[], pictures: readonly string[]): string[] => {
    const all = joinAddresses(
      splitAddresses([cellOf(cells, columns.ownPicture), ...pictures].join(' ').trim()),
    )
    return cells.map((cell, at) => (at === columns.picture ? all : cell))
  }
  const begin = (cells: readonly string[]): string[][] => {
    const released = release()
    const isHidden = /^(draft|archived)$/i.test(cellOf(cells, columns.status))
    if (isHidden) found.hidden += 1
    product = {
      cells,
      isHidden,
      rows: [isHidden ? undefined : cells],
      pictures: [cellOf(cells, columns.picture)],
    }
    return released
  }
  const join = (to: Product, cells: readonly string[]): string[][] => {
    const isPicture = columns.ofVariant.every((at) => cellOf(cells, at) === '')
    to.pictures.push(cellOf(cells, columns.picture))
    to.rows.push(isPicture || to.isHidden ? undefined : variantCells(to.cells, cells))
    if (!to.isHidden) found[isPicture ? 'pictures' : 'variants'] += 1
    return to.rows.length > MAX_PRODUCT_ROWS ? release() : []
  }
  /** The variant's cells, else the product's, and a title of its own. */
  const variantCells = (shared: readonly string[], own: readonly string[]): readonly string[] => {
    const cells = Array.from({ length: Math.max(own.length, shared.length) }, (_, at) => {
      if (at === columns.ownPicture) return own[at] ?? ''
      return cellOf(own, at) === '' ? (shared[at] ?? '') : (own[at] ?? '')
    })
    return titled(cells, own, columns)
  }
  const take = (cells: readonly string[]): string[][] => {
    if (product && cells.every((cell) => cell.trim() === '')) {
      product.rows.push(undefined)
      return []
    }
    const isBelow = handleOf(cells) !== '' && cellOf(cells, columns.title) === ''
    if (product && isBelow && handleOf(cells) === handleOf(product.cells)) return join(product, cells)
    return begin(cells)
  }
  return { push: (rows) => rows.flatMap(take), finish: release, notes: () => notesOf(found) }
}

function notesOf({
  pictures,
  variants,
  hidden,
}: Record<'pictures' | 'variants' | 'hidden', number>): string[] {
  const notes: string[] = []
  if (pictures > 0) {
    notes.push(
      `${counted(pictures, 'row')} of extra pictures ${pictures === 1 ? 'joins' : 'join'} the product above. A part takes up to ${MAX_PICTURES} pictures.`,
    )
  }
  if (variants > 0) {
    notes.push(
      `${counted(variants, 'variant')} ${variants === 1 ? 'becomes a part' : 'become parts'} with the details of the product above.`,
    )
  }
  if (hidden > 0) {
    notes.push(
      `${counted(hidden, 'product')} ${hidden === 1 ? 'is a draft or archived and is' : 'are drafts or archived and are'} left out.`,
    )
  }
  return notes
}

const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
