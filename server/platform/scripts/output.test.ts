import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { OutputLines } from './output.ts'

function linesOf(...chunks: (string | Buffer)[]): string[] {
  const lines = new OutputLines()
  return [...chunks.flatMap((chunk) => lines.push(Buffer.from(chunk))), ...lines.end()]
}

test.each<[what: string, chunks: (string | Buffer)[], lines: string[]]>([
  ['nothing', [], []],
  ['lines', ['one\ntwo\n'], ['one', 'two']],
  ['a last line without a line end', ['one\ntwo'], ['one', 'two']],
  ['empty lines', ['\n\none\n\n'], ['', '', 'one', '']],
  ['a line in pieces', ['o', 'n', 'e\ntw', 'o\n'], ['one', 'two']],
  ['a character in pieces', [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1), '\n'], ['é']],
  ['Windows line ends', ['one\r\ntwo\r\n'], ['one', 'two']],
  ['a Windows line end in two pieces', ['one\r', '\ntwo'], ['one', 'two']],
  ['text that a carriage return would overwrite', ['10%\r20%\n'], ['10%␍20%']],
  ['colours', ['\u001b[1;31mred\u001b[0m and \u001b[38;5;4mblue\u001b[m\n'], ['red and blue']],
  ['a cleared screen and a title', ['\u001b[2J\u001b[Hone \u001b]0;title\u0007two\n'], ['one two']],
  ['a link', ['\u001b]8;;https://evil.example\u0007here\u001b]8;;\u0007\n'], ['here']],
  ['a lone escape', ['a\u001bz\n'], ['a␛z']],
  ['bell, backspace, delete', ['a\u0007b\bc\u007f\n'], ['a␇b␈c␡']],
  ['control characters beyond ASCII', ['a\u0085b\u009bm\n'], ['a<U+0085>b']],
  ['characters that change the text direction', ['user\u202e\u2066admin\n'], ['user<U+202E><U+2066>admin']],
  ['other line separators', ['a\u2028b\u2029c\n'], ['a<U+2028>b<U+2029>c']],
  ['a tab', ['a\tb\n'], ['a\tb']],
  ['text of all kinds', ['Ünï 日本 🚗 e\u0301\n'], ['Ünï 日本 🚗 e\u0301']],
  [
    'another encoding',
    [Buffer.from('caf\xe9 au lait, s\u0027il vous pla\xeet\n', 'latin1')],
    ["caf\ufffd au lait, s'il vous pla\ufffdt"],
  ],
  ['binary', [Buffer.from([0, 1, 2, 3, 255, 254])], ['[binary, 6 bytes]']],
  ['one NUL in a long line', [`${'x'.repeat(50)}\0\n`], [`${'x'.repeat(50)}␀`]],
  [
    'binary between lines',
    ['one\n', Buffer.from([0, 255, 10, 1, 200, 10]), 'two\n'],
    ['one', '[binary, 4 bytes]', 'two'],
  ],
])('%s', (_what, chunks, lines) => {
  expect(linesOf(...chunks)).toEqual(lines)
})

test('an endless line is split every 64 kB, never inside a character', () => {
  const line = `${'x'.repeat(65_535)}${'é'.repeat(40_000)}`
  const bytes = Buffer.from(line)
  const chunks = Array.from({ length: Math.ceil(bytes.length / 1_000) }, (_, n) =>
    bytes.subarray(n * 1_000, (n + 1) * 1_000),
  )
  const lines = linesOf(...chunks)
  expect(lines.join('')).toBe(line)
  expect(lines.length).toBe(3)
  expect(Math.max(...lines.map((piece) => Buffer.byteLength(piece)))).toBeLessThanOrEqual(65_536)
})

test('a long line that arrives at once is split, too', () => {
  const lines = linesOf(`${'x'.repeat(200_000)}\nshort\n`)
  expect(lines.map(({ length }) => length)).toEqual([65_536, 65_536, 65_536, 3_392, 5])
})

test('a megabyte of noise becomes a few storable lines', () => {
  const lines = new OutputLines()
  const shown = Array.from({ length: 16 }, () => lines.push(randomBytes(65_536))).flat()
  expect(shown.length).toBeLessThan(2_000)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there.
  expect(shown.filter((line) => /[\0-\x08\x0a-\x1f]/.test(line) || !line.isWellFormed())).toEqual([])
})
