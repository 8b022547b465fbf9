/*
 * Shopify's product export: a product's further pictures and its variants are rows below it that repeat its handle and
 * leave the rest blank.
 */

// Names that other programs do not use; two of them beside the handle are Shopify's.
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
  /** Returns as many rows as it takes, in order; a row that was joined to its product is blank. */
  push(rows: readonly (readonly string[])[]): string[][]
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
    options: columns(/^option\dvalue$/),
    // Further columns of a variant, such as “Variant Taxable”, are filled by Shopify itself.
    ofVariant: columns(/^(variantsku|variantprice|option\dvalue)$/),
  }
}

/**
 * Joins the rows of a product: rows of further pictures are left out, since a listing takes one picture from its file;
 * variants become parts with the product's cells where they have none; drafts and archived products are left out. Pass all
 * data rows of a file in order.
 */
export function shopifyFolder(header: readonly string[]): ShopifyFolder {
  const columns = columnsOf(header)
  const found = { pictures: 0, variants: 0, hidden: 0 }
  let product: readonly string[] | undefined
  const cellOf = (cells: readonly string[], at: number) => cells[at]?.trim() ?? ''
  const isHidden = (cells: readonly string[]) => /^(draft|archived)$/i.test(cellOf(cells, columns.status))

  const fold = (cells: readonly string[]): string[] => {
    const handle = cellOf(cells, columns.handle)
    const isBelow =
      handle !== '' && handle === cellOf(product ?? [], columns.handle) && cellOf(cells, columns.title) === ''
    if (!isBelow || !product) {
      if (handle !== '') product = cells
      if (!isHidden(cells)) return [...cells]
      found.hidden += 1
      return []
    }
    const isPicture = columns.ofVariant.every((at) => cellOf(cells, at) === '')
    if (isHidden(product)) return []
    if (isPicture) {
      found.pictures += 1
      return []
    }
    found.variants += 1
    return variantCells(product, cells)
  }
  /** The variant's cells, else the product's, and a title of its own. */
  const variantCells = (shared: readonly string[], own: readonly string[]): string[] => {
    const options = columns.options.map((at) => cellOf(own, at)).filter((value) => value !== '')
    return Array.from({ length: Math.max(own.length, shared.length) }, (_, at) => {
      if (at === columns.title && options.length > 0) return `${shared[at] ?? ''} (${options.join(', ')})`
      return cellOf(own, at) === '' ? (shared[at] ?? '') : (own[at] ?? '')
    })
  }
  return { push: (rows) => rows.map(fold), notes: () => notesOf(found) }
}

function notesOf({
  pictures,
  variants,
  hidden,
}: Record<'pictures' | 'variants' | 'hidden', number>): string[] {
  const notes: string[] = []
  if (pictures > 0) {
    notes.push(
      `${counted(pictures, 'row')} of further pictures ${pictures === 1 ? 'belongs' : 'belong'} to the product above. A part takes its first picture from the file.`,
    )
  }
  if (variants > 0) {
    notes.push(
      `${counted(variants, 'variant')} ${variants === 1 ? 'becomes a part' : 'become parts'} with what the product above says.`,
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
