import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detectEncoding, markBytesOf, smallPieces, textReader } from './encoding.ts'
import type { Encoding } from './reading.ts'

const utf16 = (text: string, bigEndian = false): Buffer => {
  const bytes = Buffer.from(text, 'utf16le')
  return bigEndian ? bytes.swap16() : bytes
}
const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
/** Mac Roman characters, encoded by hand: é è ü ñ ’ */
const mac = (text: string): Buffer =>
  latin(
    text.replaceAll(
      /[éèüñ’]/g,
      (symbol) => ({ é: '\x8e', è: '\x8f', ü: '\x9f', ñ: '\x96', '’': '\xd5' })[symbol] ?? '',
    ),
  )

test.each<[string, Buffer, Encoding, number]>([
  ['ASCII', latin('part,price\nDoor,5\n'), 'utf-8', 0],
  ['nothing', latin(''), 'utf-8', 0],
  ['UTF-8', Buffer.from('Montréal,5\n'), 'utf-8', 0],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffpart\n'), 'utf-8', 3],
  ['UTF-16LE with a byte order mark', utf16('\ufeffpart\n'), 'utf-16le', 2],
  ['UTF-16BE with a byte order mark', utf16('\ufeffpart\n', true), 'utf-16be', 2],
  ['UTF-16LE without a byte order mark', utf16('part,price\nDoor,5 €\n'), 'utf-16le', 0],
  ['UTF-16BE without a byte order mark', utf16('part,price\nDoor,5 €\n', true), 'utf-16be', 0],
  ['Windows-1252', latin('Montréal,caf\xe9,5\n'), 'windows-1252', 0],
  ['Windows-1252 with curly quotes', latin('driver\x92s side \x96 5\x94\n'), 'windows-1252', 0],
  ['Windows-1252 with symbols', latin('5\xbd in, 90\xb0, \xa35, OEM\xae\n'), 'windows-1252', 0],
  ['Windows-1252 in capitals', latin('MONTR\xc9AL,QU\xc9BEC\n'), 'windows-1252', 0],
  ['Mac Roman', mac('Montréal,première,Müller\n'), 'macintosh', 0],
  ['Mac Roman with a curly apostrophe', mac('driver’s side,passenger’s\n'), 'macintosh', 0],
])('%s is %s', (_, bytes, encoding, markBytes) => {
  expect(detectEncoding(bytes, true)).toBe(encoding)
  expect(markBytesOf(bytes, encoding)).toBe(markBytes)
})

test('a sample that ends in the middle of a character is UTF-8', () => {
  const bytes = Buffer.from('Montré').subarray(0, -1)
  expect(detectEncoding(bytes, false)).toBe('utf-8')
  expect(detectEncoding(bytes, true)).not.toBe('utf-8')
})

function read(bytes: Uint8Array, encoding: Encoding, size: number): string {
  const reader = textReader(encoding)
  let text = ''
  for (let from = 0; from < bytes.length; from += size) text += reader.push(bytes.subarray(from, from + size))
  return text + reader.finish()
}

test('text is the same however its bytes are split', () => {
  const text = fc
    .string({ unit: 'binary', maxLength: 30 })
    .map((any) => any.toWellFormed().replaceAll('\0', ''))
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 7 }), (any, size) => {
      expect(read(Buffer.from(any), 'utf-8', size)).toBe(any)
      expect(read(utf16(any), 'utf-16le', size)).toBe(any)
      expect(read(utf16(any, true), 'utf-16be', size)).toBe(any)
    }),
  )
})

test('decodes single bytes', () => {
  expect(read(latin('\x80\x92\xe9\x81'), 'windows-1252', 1)).toBe('€’é\x81')
  expect(read(mac('é’'), 'macintosh', 1)).toBe('é’')
})

test('a large piece is cut into small ones, and nothing of it is lost', () => {
  const bytes = Buffer.from('é–1'.repeat(20_000))
  const pieces = [...smallPieces(bytes)]
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(64 * 1024)
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
  const { push, finish } = textReader('utf-8')
  expect(pieces.map(push).join('') + finish()).toBe('é–1'.repeat(20_000))
})

const NOT_ZERO = expect.toSatisfy((byte: number) => byte > 0)

describe('the first byte that is not text is reported', () => {
  test.each<[string, Buffer, Encoding, { at: number; byte: unknown }]>([
    ['a letter of Windows-1252', latin('ab\ncaf\xe9,1\n'), 'utf-8', { at: 6, byte: NOT_ZERO }],
    [
      'after other multi-byte characters',
      Buffer.concat([Buffer.from('é€🚗'), latin('\xff')]),
      'utf-8',
      { at: 9, byte: NOT_ZERO },
    ],
    ['half a character at the end', Buffer.from('ab€').subarray(0, -1), 'utf-8', { at: 2, byte: NOT_ZERO }],
    ['a zero', Buffer.from('é\0b'), 'utf-8', { at: 2, byte: 0 }],
    ['a zero unit in UTF-16', utf16('ab\0'), 'utf-16le', { at: 4, byte: 0 }],
    ['half a surrogate pair in UTF-16', utf16('ab\ud800c'), 'utf-16le', { at: 4, byte: NOT_ZERO }],
    ['half a code unit in UTF-16', utf16('ab').subarray(0, 3), 'utf-16be', { at: 2, byte: NOT_ZERO }],
  ])('%s', (_, bytes, encoding, expected) => {
    for (const size of [1, 3, 100]) {
      expect(() => read(bytes, encoding, size)).toThrow(
        expect.objectContaining({ name: 'UndecodableText', ...expected }),
      )
    }
  })
})
