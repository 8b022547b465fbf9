import { KIND_BYTES, latin1 } from '#contract/yard-file/file-kind.ts'
import { isHtml } from '#contract/yard-file/html-text.ts'
import { htmlRows } from './html-table.ts'
import { filledDown, type MergedCells, readMergedCells } from './merged-cells.ts'
import { readSharedStrings, readStyles, readXml } from './workbook-cells.ts'
import { type CellMeaning, sheetRows } from './workbook-sheet.ts'
import {
  largeWorkbook,
  MAX_WORKBOOK_BYTES,
  openParts,
  type WorkbookParts,
  WorkbookProblem,
  wrongWorkbook,
} from './workbook-zip.ts'

/** An Excel workbook (.xlsx, .xlsm), or a web page with a table that is named like one (.xls), read as a stream. */
export type Workbook = {
  /** The names of its sheets, in order; hidden ones last. */
  readonly sheets: string[]
  /** How many of them are hidden. */
  readonly hidden: number
  /** The sheet that was open when the workbook was saved. */
  readonly active: string
  /**
   * The rows of a sheet (default: the first) in batches of a few hundred, numbered as in Excel: blank rows are [], and
   * rows end with their last value, so most have fewer cells than the header.
   * @throws WorkbookProblem if there is no such sheet, and while reading
   */
  rows(sheet?: string, how?: RowsOrder): AsyncGenerator<string[][]>
}

type RowsOrder = {
  /** Called for each row that is hidden or filtered away and has values, before it is returned. */
  readonly onHidden?: (row: number) => void
  /** For a look at the first rows: merged cells are listed after the last one and stay merged. */
  readonly isGlance?: boolean
}

// Lists of sheets and styles; the largest ever seen have 10 MB, with styles copied from workbook to workbook.
const MAX_LIST_BYTES = 64 * 1024 * 1024
const MAX_STRINGS_BYTES = 512 * 1024 * 1024
const MAX_SHEETS = 1_000

/**
 * Opens a workbook of at most 50 MB, without reading more than its lists.
 * @throws WorkbookProblem, with a sentence for people
 */
export async function openWorkbook(blob: Blob): Promise<Workbook> {
  if (blob.size > MAX_WORKBOOK_BYTES) {
    throw largeWorkbook('The workbook has more than 50 MB. Save its sheet as “CSV UTF-8” and upload that.')
  }
  if (isHtml(latin1(new Uint8Array(await blob.slice(0, KIND_BYTES).arrayBuffer())))) {
    return { sheets: [HTML_SHEET], hidden: 0, active: HTML_SHEET, rows: () => htmlRows(blob) }
  }
  const parts = await openParts(blob)
  const main = await findMain(parts)
  const links = await readLinks(parts, main)
  const { sheets, hidden, active, is1904 } = await readSheets(parts, main, links)
  const [first] = sheets
  if (!first) throw wrongWorkbook('The workbook has no sheet with rows. Choose your parts list.')
  let meaning: Promise<CellMeaning> | undefined
  const merged = new Map<string, MergedCells[]>()
  return {
    sheets: sheets.map(({ name }) => name),
    hidden,
    active: active ?? first.name,
    rows: async function* (sheet, { onHidden, isGlance = false } = {}) {
      const chosen = sheet === undefined ? first : sheets.find(({ name }) => name === sheet)
      if (!chosen) throw noSuchSheet(sheet ?? '', sheets)
      meaning ??= readMeaning(parts, links, is1904)
      const rows = sheetRows(parts.text(chosen.path), await meaning, onHidden)
      if (isGlance) return yield* rows
      const ofSheet = merged.get(chosen.path) ?? (await readMergedCells(parts.text(chosen.path)))
      merged.set(chosen.path, ofSheet)
      yield* ofSheet.length === 0 ? rows : filledDown(rows, ofSheet)
    },
  }
}

const HTML_SHEET = 'Table'

type Sheet = { name: string; path: string }
/** Another part that one refers to. */
type Link = { id: string; kind: string; path: string }

/** Where the list of sheets is. */
async function findMain(parts: WorkbookParts): Promise<string> {
  const links = await readLinks(parts, '')
  const main = links.find(({ kind }) => kind === 'officeDocument')?.path ?? 'xl/workbook.xml'
  if (/\.bin$/i.test(main)) {
    throw wrongWorkbook(
      'This is a binary Excel workbook (.xlsb). Save it as .xlsx or “CSV UTF-8” and upload that.',
    )
  }
  if (/^(word|ppt|visio)\//i.test(main)) {
    throw wrongWorkbook('This is a Word or PowerPoint document. Choose your parts list.')
  }
  if (!parts.has(main))
    throw wrongWorkbook('This is a ZIP archive, not a workbook. Unpack it and upload your parts list.')
  return main
}

/** A part's references are in a file next to it: xl/workbook.xml has xl/_rels/workbook.xml.rels. */
async function readLinks(parts: WorkbookParts, path: string): Promise<Link[]> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const list = `${folder}_rels/${path.slice(folder.length)}.rels`
  if (!parts.has(list)) return []
  const links: Link[] = []
  await readXml(parts.text(list, MAX_LIST_BYTES), {
    open: (name, { Id = '', Type = '', Target = '' }) => {
      if (name !== 'Relationship') return
      links.push({ id: Id, kind: Type.slice(Type.lastIndexOf('/') + 1), path: resolved(folder, Target) })
    },
  })
  return links
}

function resolved(folder: string, target: string): string {
  // Placeholder host: a URL requires one, only the path counts.
  const path = URL.parse(target.replaceAll('\\', '/'), `zip://parts/${folder}`)?.pathname ?? ''
  try {
    return decodeURIComponent(path).replace(/^\//, '')
  } catch {
    return path.replace(/^\//, '')
  }
}

async function readSheets(
  parts: WorkbookParts,
  main: string,
  links: readonly Link[],
): Promise<{ sheets: Sheet[]; hidden: number; active: string | undefined; is1904: boolean }> {
  const found: (Sheet & { isHidden: boolean; tab: number })[] = []
  let is1904 = false
  let activeTab = 0
  let tab = -1
  await readXml(parts.text(main, MAX_LIST_BYTES), {
    open: (element, attributes) => {
      if (element === 'workbookPr') is1904 = /^(1|true|on)$/.test(attributes.date1904 ?? '')
      if (element === 'workbookView') activeTab = Number(attributes.activeTab ?? 0)
      if (element !== 'sheet') return
      tab += 1
      const id = Object.entries(attributes).find(([name]) => /:id$/i.test(name))?.[1]
      const link = links.find((other) => other.id === id)
      // Sheets with only a chart have no rows.
      if (link?.kind !== 'worksheet' || !parts.has(link.path)) return
      const isHidden = /hidden/i.test(attributes.state ?? '')
      found.push({ name: attributes.name ?? `Sheet ${found.length + 1}`, path: link.path, isHidden, tab })
      if (found.length > MAX_SHEETS)
        throw largeWorkbook(
          'The workbook has more than 1,000 sheets. Save the sheet with your parts as CSV and upload that.',
        )
    },
  })
  return {
    sheets: found.toSorted((one, other) => Number(one.isHidden) - Number(other.isHidden)),
    hidden: found.filter(({ isHidden }) => isHidden).length,
    active: found.find((sheet) => sheet.tab === activeTab && !sheet.isHidden)?.name,
    is1904,
  }
}

async function readMeaning(
  parts: WorkbookParts,
  links: readonly Link[],
  is1904: boolean,
): Promise<CellMeaning> {
  const find = (kind: string) => links.find((link) => link.kind === kind && parts.has(link.path))?.path
  const styles = find('styles')
  const strings = find('sharedStrings')
  return {
    shows: styles ? await readStyles(parts.text(styles, MAX_LIST_BYTES), is1904) : [],
    strings: strings
      ? await readSharedStrings(parts.text(strings, MAX_STRINGS_BYTES))
      : { at: () => undefined },
  }
}

function noSuchSheet(name: string, sheets: readonly Sheet[]): WorkbookProblem {
  const shown = sheets.slice(0, 10).map((sheet) => `“${sheet.name.slice(0, 60)}”`)
  return new WorkbookProblem(
    'VALIDATION_FAILED',
    `The workbook has no sheet “${name.slice(0, 60)}”. It has ${shown.join(', ')}${sheets.length > 10 ? ', …' : ''}.`,
  )
}
