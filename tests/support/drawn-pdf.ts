import { inflateSync } from 'node:zlib'
import { PDFArray, type PDFPage, PDFRawStream } from 'pdf-lib'

/** What draws a page of a PDF, as text. */
export function drawingOf(page: PDFPage): string {
  const contents = page.node.Contents()
  const streams =
    contents instanceof PDFArray ? contents.asArray().map((ref) => page.doc.context.lookup(ref)) : [contents]
  return streams
    .filter((stream) => stream instanceof PDFRawStream)
    .map((stream) => inflateSync(stream.getContents()).toString('latin1'))
    .join('\n')
}

/** The texts of a page in the order in which they were drawn. The fonts' encoding is Latin-1 but for a few quotes. */
export const textsOfPage = (page: PDFPage): string[] =>
  [...drawingOf(page).matchAll(/<([\dA-F]+)> Tj/g)].map(([, hex = '']) =>
    Buffer.from(hex, 'hex').toString('latin1'),
  )
