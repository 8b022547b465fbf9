import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { makeWorkbook, zipOf } from '#tests/support/make-workbook.ts'
import { fileKind, unpackedKind } from './file-kind.ts'

const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const utf16 = (text: string) => Uint8Array.from(Buffer.from(text, 'utf16le'))
const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'

describe('files without a table are recognized by their content', () => {
  test.each([
    ['.ods', 'PK\x03\x04\x14\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet', '(.ods)'],
    ['an empty ZIP', 'PK\x05\x06', 'with nothing in it'],
    ['.xls', `${OLE}\0\0`, 'an old Excel workbook (.xls)'],
    [
      '.xlsx with a password',
      `${OLE}\0\0E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0`,
      'with a password',
    ],
    ['PDF', '%PDF-1.7\n', 'a PDF'],
    ['PNG', '\x89PNG\r\n\x1a\n', 'a PNG picture'],
    ['JPEG', '\xff\xd8\xff\xe0\0\x10JFIF', 'a JPEG picture'],
    ['WebP', 'RIFF\x24\0\0\0WEBPVP8 ', 'a WebP picture'],
    ['HEIC', '\0\0\0\x18ftypheic', 'a HEIC or AVIF picture'],
    ['MP4', '\0\0\0\x18ftypisom', 'a video'],
    ['BMP', 'BM\x36\x10\0\0\0\0\0\0', 'a BMP picture'],
    ['7z', '7z\xbc\xaf\x27\x1c\0\x04', 'a 7-Zip archive'],
    ['RAR', 'Rar!\x1a\x07\x01\0', 'a RAR archive'],
    ['Access', '\0\x01\0\0Standard ACE DB\0', 'an Access database'],
    [
      'Excel’s XML',
      '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>',
      'an Excel spreadsheet in XML',
    ],
    ['XML', '<?xml version="1.0"?><parts/>', 'an XML file'],
    ['JSON', '[{"partname": "Door"}]', 'a JSON file'],
    ['RTF', '{\\rtf1\\ansi', 'a text document'],
    ['a program’s own format', '\x02\x17\x01\x05abc\x1f\x03', 'own format'],
  ])('%s', (_, content, words) => {
    expect(fileKind(latin1(content))).toMatchObject({
      kind: 'other',
      sentence: expect.stringContaining(words),
    })
  })

  test('Numbers', async () => {
    const blob = await zipOf({ 'Index/Document.iwa': 'x', 'preview.jpg': 'x' })
    const kind = fileKind(new Uint8Array(await blob.arrayBuffer()))
    expect(kind).toMatchObject({ kind: 'other', sentence: expect.stringContaining('Export To, CSV') })
  })
})

test.each([
  ['a CSV', latin1('a,b\n1,2\n')],
  ['nothing', latin1('')],
  ['UTF-16 with its mark', utf16('\ufeffStock,Price\n')],
  ['UTF-16 without its mark', utf16('Stock,Price\n1,2\n')],
  ['Windows-1252', latin1('Teil,Größe\nT\xfcr,\x80 5\n')],
  ['DOS, with its end mark', latin1('a,b\n1,2\n\x1a')],
  ['form feeds between pages', latin1('a,b\n1,2\n\x0c3,4\n')],
  ['cells divided by control characters', latin1('\x14Stock\x14\x1f\x14Price\x14\n\x141\x14\x1f\x142\x14\n')],
  ['a column called BM', latin1('BM,MZ,PK\n')],
])('%s is text', (_, bytes) => {
  expect(fileKind(bytes)).toEqual({ kind: 'text' })
})

test('a ZIP archive and a page with a table are read', () => {
  expect(fileKind(latin1('PK\x03\x04\x14\0parts.csv'))).toEqual({ kind: 'zip' })
  for (const page of [
    '\xef\xbb\xbf<html xmlns:x="urn:schemas-microsoft-com"><table>',
    '<table border=1><tr><td>Stock',
  ]) {
    expect(fileKind(latin1(page))).toEqual({ kind: 'workbook' })
  }
})

test('a workbook and a gzip file are read', async () => {
  const workbook = new Uint8Array(await (await makeWorkbook({ sheets: [{ name: 'a' }] })).arrayBuffer())
  expect(fileKind(workbook)).toEqual({ kind: 'workbook' })
  const packed = new Uint8Array(gzipSync('a,b'))
  expect(fileKind(packed)).toEqual({ kind: 'gzip' })
  expect(unpackedKind(latin1('a,b'))).toEqual({ kind: 'text' })
  for (const bytes of [packed, workbook]) expect(unpackedKind(bytes)).toMatchObject({ kind: 'other' })
})
