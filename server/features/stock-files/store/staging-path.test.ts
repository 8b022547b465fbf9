import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isEscapeAttempt, namesServerFolder, readStagingPath } from './staging-path.ts'

const FOLDERS = ['/srv/staging', '/data//marketplace/']

describe('readStagingPath', () => {
  test.each([
    ['/Tire_Toyota_Camry.json', '/Tire_Toyota_Camry.json', 'json'],
    ['Tire_Toyota_Camry.json', '/Tire_Toyota_Camry.json', 'json'],
    ['  /a.json  ', '/a.json', 'json'],
    ['joes-yard+2026-01-31+ecomm-1a2b.json', '/joes-yard/2026-01-31/ecomm-1a2b.json', 'json'],
    ['//joes-yard///a.csv/', '/joes-yard/a.json', 'csv'],
    ['/a.JSON', '/a.json', 'json'],
    ['/a.b.Csv', '/a.b.json', 'csv'],
    ['ecomm/a.json', '/a.json', 'json'],
    ['/ecomm/a.json', '/a.json', 'json'],
    ['ecomm+a.json', '/a.json', 'json'],
    ['/datatable/x/a.json', '/x/a.json', 'json'],
    ['mapdata:/a.json', '/a.json', 'json'],
    ['marketplace/ecomm/a.json', '/a.json', 'json'],
    ['marketplace:ecomm_autoparts/a.json', '/a.json', 'json'],
    ['/marketplace/mapdata_autoparts/a.json', '/a.json', 'json'],
    ['ecomm/ecomm/a.json', '/a.json', 'json'],
    ['staging/ecomm/a.json', '/a.json', 'json'],
    ['/staging/x/a.json', '/x/a.json', 'json'],
    ['ecomm.json', '/ecomm.json', 'json'],
    ['/ecommerce/a.json', '/ecommerce/a.json', 'json'],
    ['/srv/staging/ecomm/a.json', '/a.json', 'json'],
    ['/srv//staging/x/a.csv', '/x/a.json', 'csv'],
    ['/data/marketplace/ecomm_autoparts/a.json', '/a.json', 'json'],
    ['/srv/staging-2/a.json', '/srv/staging-2/a.json', 'json'],
    ['/Größe & Maß (neu), 50 #1.json', '/Größe & Maß (neu), 50 #1.json', 'json'],
    ['/cafe\u0301.json', '/caf\u00e9.json', 'json'],
    ['/a..b.json', '/a..b.json', 'json'],
  ])('%j becomes %j, %s', (typed, path, format) => {
    expect(readStagingPath(typed, FOLDERS)).toEqual({ path, format })
  })

  test.each([
    ['', 'Enter a staging file path first'],
    [' / ', 'Enter a staging file path first'],
    ['/a.txt', 'The path must end in .json or .csv.'],
    ['/a', 'The path must end in .json or .csv.'],
    ['/ecomm/', 'The path must end in .json or .csv.'],
    ['/.json', 'A name in the path may not start or end with a dot or a space, and “..” is not allowed.'],
    ['/a.json.', 'A name in the path may not start or end with a dot or a space, and “..” is not allowed.'],
    ['/a\\b.json', 'Use “/” between folders, not “\\”.'],
    ['/50%.json', 'The path contains “%”. Type it without URL encoding.'],
    ['/a|b.json', '“a|b.json” contains characters that are not allowed in a path.'],
    [`/${'x'.repeat(200)}.json`, 'A name in the path is too long: at most 200 characters.'],
    [`${'/x'.repeat(240)}.json`, 'The path is too long: at most 480 characters.'],
  ])('%j is refused: %s', (typed, sentence) => {
    expect(readStagingPath(typed, FOLDERS)).toBe(sentence)
  })

  test('no spelling of an escape from the root is a path', () => {
    const spellings = escapeSpellings()
    expect(spellings.length).toBeGreaterThan(300)
    expect(spellings.filter((typed) => typeof readStagingPath(typed, FOLDERS) !== 'string')).toEqual([])
  })

  test('any input is refused or names a file inside the root, and then reads back as itself', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '/',
        '\\',
        '+',
        '%2e',
        '%2f',
        '%252e',
        '\0',
        '\u202e',
        ' ',
        '．',
        '／',
        '~',
        ':',
      ),
      fc.constantFrom(
        'ecomm',
        'marketplace:',
        'datatable_autoparts',
        'srv',
        'staging',
        '.json',
        '.csv',
        'C:',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    )
    const typed = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''))
    let accepted = 0
    fc.assert(
      fc.property(
        fc.oneof(
          typed,
          typed.map((text) => `${text}x.json`),
        ),
        (text) => {
          const read = readStagingPath(text, FOLDERS)
          if (typeof read === 'string') return
          accepted += 1
          expect(read.path).toMatch(/^(\/(?![. ])[^/\\%\p{C}]+(?<![. ]))+$/u)
          expect(read.path).toMatch(/\.json$/)
          expect(readStagingPath(read.path, FOLDERS)).toEqual({ ...read, format: 'json' })
        },
      ),
      { numRuns: 500 },
    )
    expect(accepted).toBeGreaterThan(20)
  })
})

test('an absolute server path is recognized by its first folder', () => {
  const paths = ['/etc/a.json', '/var/lib/x.json', '/Volumes/x/a.json', '/etc.json', '/joes-yard/etc/a.json']
  expect(paths.map(namesServerFolder)).toEqual([true, true, true, false, false])
})

/** Ways out of a folder, in encodings known to have worked somewhere. */
function escapeSpellings(): string[] {
  const dots = [
    '..',
    '...',
    '....',
    '.. ',
    ' ..',
    '. .',
    '%2e%2e',
    '%2E.',
    '.%2e',
    '%252e%252e',
    '%c0%ae%c0%ae',
  ]
  const oddDots = [
    '%u002e%u002e',
    '．．',
    '‥',
    '․․',
    '..\u200b',
    '\u202e..',
    '..\0',
    '..%00',
    '..;',
    '.\u0301.',
  ]
  const slashes = [
    '/',
    '//',
    '\\',
    '/\\',
    '%2f',
    '%252f',
    '%5c',
    '%c0%af',
    '∕',
    '／',
    '⁄',
    '+',
    '\u2028',
    '\t',
    '\n',
  ]
  const ways = [...dots, ...oddDots].flatMap((dot) =>
    slashes.map((slash) => `/x${slash}${dot}${slash}${dot}${slash}etc${slash}passwd.json`),
  )
  const others = [
    '../a.json',
    '/..json/../a.json',
    'ecomm/../../a.json',
    '/srv/staging/../secrets.json',
    '/srv/staging/ecomm/../../../a.json',
    'marketplace:ecomm_autoparts/../a.json',
    'C:/windows/a.json',
    'c:a.json',
    'file:///etc/a.json',
    '\\\\host\\share\\a.json',
    '~/a.json',
    '~root/a.json',
    '/a.json\0.png',
    '/a.json%00.json',
    '/a.json\n',
    '/a\u0007.json',
    '/a.json/.',
    '/a.json/..',
    '/.git/config.json',
    '/.env.json',
    '/a.json::$DATA',
    '/a.php',
    '/a.json.gz',
  ]
  return [...ways, ...others]
}

test.each([
  '../a.json',
  '/yard/../a.json',
  '/yard+..+a.json',
  '/yard/.. /a.json',
  '/yard/....//a.json',
  '%2e%2e%2fa.json',
  '%252e%252e/a.json',
  '/yard\\a.json',
  '/yard/．．/a.json',
  '/.env',
  'C:a.json',
  'file:///a.json',
  '~root/a.json',
  '/a.json\u0000',
  '/a\u202e.json',
])('%j is an escape attempt', (typed) => {
  expect(isEscapeAttempt(typed)).toBe(true)
})

test.each(['', '/yard/a.json', '/yard/a..b.json', '/yard/a.json.', '/yard/50 % off.json', '/yard/a|b.json'])(
  '%j is at most a typo',
  (typed) => {
    expect(isEscapeAttempt(typed)).toBe(false)
  },
)
