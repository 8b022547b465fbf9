import slugify from '@sindresorhus/slugify'
import type { PDFDocument, PDFFont, PDFImage, PDFPage } from 'pdf-lib'
import { onOneLine } from '#contract/order/order-words.ts'
import { type Block, codeOf, type DocumentKind, documentBlocks, type OrderDocument } from './documents.ts'

/* Draws the papers of an order, and statements, as PDF, on US letter. */

const PAGE = { width: 612, height: 792 }
const MARGIN = 54
const WIDTH = PAGE.width - 2 * MARGIN
const BOTTOM = MARGIN + 24
const TEXT = 10.5
const LINE = 15
const LABEL_WIDTH = 90
const AMOUNTS_FROM = 300
// Scanned from a label at arm's length.
const CODE = 150
// A name or title beyond this is no name; it must not fill pages.
const LONGEST_TEXT = 600

const UNSPOKEN = /\p{M}|\p{Cf}|\p{Emoji_Modifier}|\p{Extended_Pictographic}/gu

/** In Latin letters; "?" for each character that has none. */
function spelled(foreign: string): string {
  const spoken = foreign.normalize('NFKD').replaceAll(UNSPOKEN, '')
  if (spoken === '') return ''
  return (
    slugify(spoken, { separator: '', lowercase: false, decamelize: false }) || '?'.repeat([...spoken].length)
  )
}

/**
 * A text in the characters of the printer's own fonts, which are those of Western Europe: others lose their accents, are
 * spelled in Latin letters, or become "?". Pictures such as emoji are left out.
 */
export function printable(text: string, hasGlyph: (codePoint: number) => boolean): string {
  const typed = onOneLine(text).slice(0, LONGEST_TEXT).toWellFormed().normalize('NFC')
  let printed = ''
  let foreign = ''
  for (const character of typed) {
    if (!hasGlyph(character.codePointAt(0) ?? 0)) {
      foreign += character
      continue
    }
    printed += spelled(foreign) + character
    foreign = ''
  }
  return (printed + spelled(foreign)).replaceAll(/ {2,}/g, ' ').trim()
}

type Style = { bold?: boolean; size?: number; x?: number; width?: number }

/** Writes from top to bottom and turns the page where it ends. */
class Sheet {
  readonly #pdf: PDFDocument
  readonly #regular: PDFFont
  readonly #bold: PDFFont
  readonly #glyphs: ReadonlySet<number>
  #page: PDFPage
  #y = PAGE.height - MARGIN
  /** Whether a character could not be printed. */
  lacks = false

  constructor(pdf: PDFDocument, fonts: { regular: PDFFont; bold: PDFFont }) {
    this.#pdf = pdf
    this.#regular = fonts.regular
    this.#bold = fonts.bold
    this.#glyphs = new Set(fonts.regular.getCharacterSet())
    this.#page = pdf.addPage([PAGE.width, PAGE.height])
  }

  text(typed: string): string {
    const shown = printable(typed, (codePoint) => this.#glyphs.has(codePoint))
    const questions = (text: string) => text.split('?').length
    if (questions(shown) > questions(typed)) this.lacks = true
    return shown
  }

  gap(height: number): void {
    this.#y -= height
  }

  /** Starts a page unless so much fits on this one. */
  need(height: number): void {
    if (this.#y - height >= BOTTOM) return
    this.#page = this.#pdf.addPage([PAGE.width, PAGE.height])
    this.#y = PAGE.height - MARGIN
  }

  /** Writes a paragraph, on as many lines as it takes. */
  write(typed: string, { bold = false, size = TEXT, x = 0, width = WIDTH - x }: Style = {}): void {
    const font = bold ? this.#bold : this.#regular
    const height = (size / TEXT) * LINE
    for (const line of wrapped(this.text(typed), (text) => font.widthOfTextAtSize(text, size) <= width)) {
      this.need(height)
      this.#y -= height
      this.#page.drawText(line, { x: MARGIN + x, y: this.#y, size, font })
    }
  }

  /** Writes at the beginning of the next line without taking it. */
  label(typed: string, { bold = false, size = TEXT, x = 0, endsAt }: Style & { endsAt?: number } = {}): void {
    const font = bold ? this.#bold : this.#regular
    const text = this.text(typed)
    const from = endsAt === undefined ? x : endsAt - font.widthOfTextAtSize(text, size)
    this.#page.drawText(text, { x: MARGIN + from, y: this.#y - (size / TEXT) * LINE, size, font })
  }

  /** A QR code, a square for each dark module. */
  code(url: string): void {
    const { data, size } = codeOf(url)
    this.need(CODE)
    this.#y -= CODE
    const module = CODE / size
    data.forEach((row, y) => {
      row.forEach((isDark, x) => {
        if (!isDark) return
        const place = { x: MARGIN + x * module, y: this.#y + CODE - (y + 1) * module }
        this.#page.drawRectangle({ ...place, width: module, height: module })
      })
    })
  }

  /** A picture as wide or high as what is left of the page. */
  picture(image: PDFImage): void {
    const { width, height } = image.scaleToFit(WIDTH, this.#y - BOTTOM)
    this.#y -= height
    this.#page.drawImage(image, { x: MARGIN, y: this.#y, width, height })
  }

  numberPages(title: string): void {
    const pages = this.#pdf.getPages()
    pages.forEach((page, at) => {
      const text = `${this.text(title)}, page ${at + 1} of ${pages.length}`
      page.drawText(text, { x: MARGIN, y: MARGIN - 12, size: 8.5, font: this.#regular })
    })
  }
}

/** Breaks a text at spaces, and within a word that does not fit. */
function wrapped(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && fits(`${line} ${word}`)) {
      line = `${line} ${word}`
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = fits(word) ? [word] : broken(word, fits)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1) ?? ''
  }
  return line === '' ? lines : [...lines, line]
}

function broken(word: string, fits: (line: string) => boolean): string[] {
  const pieces = ['']
  for (const character of word) {
    const longer = `${pieces.at(-1) ?? ''}${character}`
    if (fits(longer)) pieces[pieces.length - 1] = longer
    else pieces.push(character)
  }
  return pieces
}

/** Photos are for PDF only, a page each. */
export type PaperBlock = Block | { kind: 'photo'; caption: string; jpeg: Uint8Array }

async function drawPhoto(
  sheet: Sheet,
  pdf: PDFDocument,
  { caption, jpeg }: Extract<PaperBlock, { kind: 'photo' }>,
): Promise<void> {
  // The first one stands below the title.
  sheet.need(WIDTH)
  sheet.write(caption, { size: 12 })
  sheet.gap(10)
  sheet.picture(await pdf.embedJpg(jpeg))
}

function draw(sheet: Sheet, block: Block): void {
  switch (block.kind) {
    case 'title':
      sheet.label(block.stamp, { bold: true, size: 44, endsAt: WIDTH })
      sheet.gap(30)
      sheet.write(block.text, { bold: true, size: 18, width: WIDTH - 150 })
      sheet.gap(14)
      return
    case 'heading':
      sheet.gap(10)
      // Not alone at the end of a page.
      sheet.need(4 * LINE)
      sheet.write(block.text, { bold: true, size: 12.5 })
      return
    case 'facts':
      for (const [label, value] of block.facts) {
        sheet.need(LINE)
        sheet.label(label)
        sheet.write(value, { x: LABEL_WIDTH })
      }
      return
    case 'lines':
      for (const line of block.lines) sheet.write(line)
      return
    case 'code':
      sheet.code(block.url)
      sheet.write(block.url, { size: 9 })
      return
    case 'amounts':
      sheet.gap(12)
      for (const { label, amount, strong } of block.amounts) {
        sheet.need(LINE)
        sheet.label(amount, { bold: strong, endsAt: WIDTH })
        sheet.write(label, { bold: strong, x: AMOUNTS_FROM, width: 130 })
      }
      return
    case 'table':
      for (const [at, cells] of [block.head, ...block.rows].entries()) drawRow(sheet, cells, at === 0)
  }
}

const NUMBER_WIDTH = 62

/** A row of a table: the first cell is as wide as an order's number, the others share the rest, smaller if they are many. */
function drawRow(sheet: Sheet, [first = '', ...amounts]: readonly string[], bold: boolean): void {
  sheet.need(LINE)
  const each = (WIDTH - NUMBER_WIDTH) / amounts.length
  const size = amounts.length > 7 ? 7.5 : 9
  for (const [at, amount] of amounts.entries()) {
    sheet.label(amount, { bold, size, endsAt: NUMBER_WIDTH + (at + 1) * each })
  }
  sheet.write(first, { bold, size })
}

/** A paper of an order as the bytes of a PDF; the same order gives the same bytes. */
export const documentPdf = (kind: DocumentKind, order: OrderDocument): Promise<Uint8Array> =>
  blocksPdf(documentBlocks(kind, order), {
    creator: order.site.productName,
    at: order.paidAt ?? order.placedAt,
  })

export async function blocksPdf(
  blocks: readonly PaperBlock[],
  { creator, at }: { creator: string; at: Date },
): Promise<Uint8Array> {
  // Loaded with the first document, as it takes longer than the rest of a start of ours.
  const { PDFDocument, StandardFonts } = await import('pdf-lib')
  const pdf = await PDFDocument.create({ updateMetadata: false })
  const sheet = new Sheet(pdf, {
    regular: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
  })
  for (const block of blocks) {
    if (block.kind === 'photo') await drawPhoto(sheet, pdf, block)
    else draw(sheet, block)
  }
  if (sheet.lacks) {
    sheet.gap(8)
    sheet.write('“?” is a character that this file cannot show. The page of the order shows it.', { size: 9 })
  }
  const title = blocks.find((block) => block.kind === 'title')?.text ?? ''
  sheet.numberPages(title)
  pdf.setTitle(title)
  pdf.setLanguage('en-US')
  pdf.setCreator(creator)
  pdf.setCreationDate(at)
  return pdf.save()
}
