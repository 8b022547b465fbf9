import { type ShowNumber, showNumber } from './workbook-number.ts'
import { readXml } from './workbook-xml.ts'

/** How the numbers of each cell style are shown, in the order of the styles. */
export async function readStyles(
  texts: AsyncIterable<string>,
  is1904: boolean,
): Promise<(ShowNumber | undefined)[]> {
  const codes = new Map<string, string>()
  const formats: string[] = []
  let isOfCells = false
  await readXml(texts, {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'numFmt') codes.set(numFmtId, formatCode)
      else if (name === 'cellXfs') isOfCells = true
      else if (name === 'xf' && isOfCells) formats.push(numFmtId)
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  // Thousands of styles share a few formats.
  const shown = new Map([...new Set(formats)].map((id) => [id, showNumber(id, codes.get(id), is1904)]))
  return formats.map((id) => shown.get(id))
}
