import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js'

/** A cell as Excel stores it; `format` is a number format such as "00000" or "m/d/yyyy". */
export type MadeCell =
  | string
  | number
  | boolean
  | null
  | { value: string | number; format: string }
  | { error: string }
  | { formula: string; value?: string | number }
  | { runs: string[] }
  | { inline: string }
  /** The cell's element itself, for what no program writes. */
  | { xml: string }

type MadeSheet = {
  name: string
  /** A row may be left out (undefined), which is a gap in the numbers. */
  rows?: readonly (readonly MadeCell[] | undefined)[]
  /** Merged cells, such as "A2:A5". */
  merged?: readonly string[]
  hidden?: boolean
  /** The numbers of rows that a filter hides. */
  hiddenRows?: readonly number[]
  /** Instead of rows: all of the sheet's XML. */
  xml?: string | ReadableStream<string>
}

export type MadeWorkbook = {
  sheets: readonly MadeSheet[]
  /** The index of the sheet that was open when it was saved. */
  activeTab?: number
  /** Excel for the Mac counted days from 1904. */
  date1904?: boolean
  /** Parts that stand in it as well, or instead of the ones that are made; undefined leaves one out. */
  parts?: Record<string, string | ReadableStream<string> | undefined>
  password?: string
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const LIST = 'http://schemas.openxmlformats.org/package/2006/relationships'

const link = (id: string, kind: string, target: string) =>
  `<Relationship Id="${id}" Type="${LINKS}/${kind}" Target="${target}"/>`
const links = (inner: string) => `${HEAD}<Relationships xmlns="${LIST}">${inner}</Relationships>`

/** "AB" for 27, counted from 0. */
function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last
}

/** What cells refer to, gathered while they are written. */
function gatherer() {
  const strings = new Map<string, number>()
  const formats: string[] = []
  const indexOf = (xml: string) => {
    const at = strings.get(xml) ?? strings.size
    strings.set(xml, at)
    return at
  }
  return {
    string: (runs: readonly string[]) =>
      indexOf(
        runs.length === 1
          ? `<t xml:space="preserve">${escaped(runs[0] ?? '')}</t>`
          : runs.map((run) => `<r><rPr><b/></rPr><t xml:space="preserve">${escaped(run)}</t></r>`).join(''),
      ),
    style: (format: string) => {
      if (!formats.includes(format)) formats.push(format)
      return formats.indexOf(format) + 1
    },
    stringsXml: () =>
      `${HEAD}<sst xmlns="${MAIN}">${[...strings.keys()].map((xml) => `<si>${xml}</si>`).join('')}</sst>`,
    stylesXml: () =>
      `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts>${formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code)}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats.map((_, at) => `<xf numFmtId="${164 + at}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
  }
}
type Gatherer = ReturnType<typeof gatherer>

function cellXml(place: string, cell: MadeCell, gathered: Gatherer): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return `<c r="${place}" t="s"><v>${gathered.string([cell])}</v></c>`
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`
  if ('xml' in cell) return cell.xml
  if ('runs' in cell) return `<c r="${place}" t="s"><v>${gathered.string(cell.runs)}</v></c>`
  if ('inline' in cell) return `<c r="${place}" t="inlineStr"><is><t>${escaped(cell.inline)}</t></is></c>`
  if ('error' in cell) return `<c r="${place}" t="e"><v>${cell.error}</v></c>`
  if ('formula' in cell) {
    const kind = typeof cell.value === 'string' ? ' t="str"' : ''
    const value = cell.value === undefined ? '' : `<v>${escaped(`${cell.value}`)}</v>`
    return `<c r="${place}"${kind}><f>${escaped(cell.formula)}</f>${value}</c>`
  }
  return `<c r="${place}" s="${gathered.style(cell.format)}"><v>${cell.value}</v></c>`
}

function sheetXml({ rows, merged = [], hiddenRows = [] }: MadeSheet, gathered: Gatherer): string {
  const written = (rows ?? []).map((row, at) => {
    if (row === undefined) return ''
    const cells = row.map((cell, column) => cellXml(`${columnLetters(column)}${at + 1}`, cell, gathered))
    const hidden = hiddenRows.includes(at + 1) ? ' hidden="1"' : ''
    return `<row r="${at + 1}"${hidden}>${cells.join('')}</row>`
  })
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${written.join('')}</sheetData>${mergedXml(merged)}</worksheet>`
}

const mergedXml = (merged: readonly string[]) =>
  merged.length === 0
    ? ''
    : `<mergeCells count="${merged.length}">${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`

function workbookXml({ sheets, date1904, activeTab }: MadeWorkbook): string {
  const list = sheets.map(
    ({ name, hidden }, at) =>
      `<sheet name="${escaped(name)}" sheetId="${at + 1}"${hidden ? ' state="hidden"' : ''} r:id="rId${at + 1}"/>`,
  )
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${LINKS}"><workbookPr${date1904 ? ' date1904="1"' : ''}/>${activeTab === undefined ? '' : `<bookViews><workbookView activeTab="${activeTab}"/></bookViews>`}<sheets>${list.join('')}</sheets></workbook>`
}

/** An Excel workbook (.xlsx) with these sheets. */
export async function makeWorkbook(workbook: MadeWorkbook): Promise<Blob> {
  const gathered = gatherer()
  const { sheets } = workbook
  const sheetLinks = sheets.map((_, at) => link(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`))
  const parts: Record<string, string | ReadableStream<string> | undefined> = {
    '[Content_Types].xml': `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': links(link('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': workbookXml(workbook),
    'xl/_rels/workbook.xml.rels': links(
      `${sheetLinks.join('')}${link('s1', 'styles', 'styles.xml')}${link('s2', 'sharedStrings', '/xl/sharedStrings.xml')}`,
    ),
    ...Object.fromEntries(
      sheets.map((sheet, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheet.xml ?? sheetXml(sheet, gathered)]),
    ),
    'xl/styles.xml': gathered.stylesXml(),
    'xl/sharedStrings.xml': gathered.stringsXml(),
    ...workbook.parts,
  }
  return zipOf(parts, workbook.password)
}

/** A ZIP of texts. */
export async function zipOf(
  parts: Record<string, string | ReadableStream<string | Uint8Array> | undefined>,
  password?: string,
): Promise<Blob> {
  const zip = new ZipWriter(new BlobWriter(), { useWebWorkers: false, ...(password && { password }) })
  for (const [path, content] of Object.entries(parts)) {
    if (content === undefined) continue
    await zip.add(path, typeof content === 'string' ? new TextReader(content) : encoded(content))
  }
  return zip.close()
}

const encoded = (content: ReadableStream<string | Uint8Array>) =>
  content.pipeThrough(
    new TransformStream<string | Uint8Array, Uint8Array>({
      transform: (piece, out) =>
        out.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece),
    }),
  )
