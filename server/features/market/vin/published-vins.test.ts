import { expect, test } from 'vitest'
import { readCsv } from '#db/data/read-data.ts'
import { openVinDecoder } from './decode-vin.ts'
import { readVinPatterns } from './vin-patterns.ts'

/*
 * VINs whose car others have published. What each list says comes from its own sources, named in the file where it does,
 * never from our decoder:
 * libvin: https://github.com/h3/python-libvin/blob/784c7e79/tests/__init__.py, engines as of its commit before 787273f
 * vinDecode: https://github.com/PeteCarrott/vinDecode/blob/3658d9c/sampleData.md
 * corgi: https://github.com/cardog-ai/corgi/blob/17b7113/test/fixtures.ts (cars of a dealers' database)
 * corgi-17, -22, -32: https://github.com/cardog-ai/corgi/pull/17, /issues/22, /issues/32
 * libvin-24: https://github.com/h3/python-libvin/issues/24
 * vin: https://github.com/davidpeckham/vin/blob/43ed3e1/tests/cars/test_decode.py
 */
const published = readCsv(new URL('published-vins.csv', import.meta.url))

/** Where we differ. A VIN that leaves this list, or comes onto it, is news. */
const MISSES: Readonly<Record<string, string>> = {
  '1GB0C4EGXGZ280783': 'make model liters cylinders',
  '1FV3GFBC0YHA74039': 'make model body liters',
  '1FDUF4GN1RDA21062': 'make model',
  '4P1BAAGF0RA026408': 'make',
  JN1BJ1AW5PW109661: 'model',
  '5UMDU93436L421092': 'model',
  YV1902FH5D1796335: 'model',
  '3CZRU5H35GM739695': 'liters',
  '3MZBM1K72GM303265': 'cylinders',
  '5XXGM4A7XFG459047': 'cylinders',
  JH4KA2650HC000268: 'liters',
}
/* Makers of trucks without a body are not in the patterns (1GB, 1FV, 1FD), nor is a car sold in Canada alone (JN1BJ1AW);
   "M" is a Z4 M, and a YV1902FH is a sedan: there the list may be wrong. */

/** The same model under another name, or with its drive, body or engine: "Traverse AWD", "Ram 1500", "S550". */
const SPELLED: Readonly<Record<string, string>> = {
  '2T1KR32E16C583752': 'Corolla Matrix',
  '5GADS13S072592644': 'Rainier',
  WDCYC7DF3FX109287: 'G-Class',
  WDDNG7BB4AA522219: 'S-Class',
  '4S4WX9JD2A4402717': 'B9 Tribeca',
}

const decoder = openVinDecoder(await readVinPatterns(), () => new Date('2026-11-01'))
const plain = (text = '') => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

function differences(row: Record<string, string>): string[] {
  const { vin = '', year, make, model = '', body, doors, liters, cylinders } = row
  const { car } = decoder.decode(vin)
  const isModel = () => {
    const names = [car.model?.value, `${car.model?.value}${car.series?.value}`, SPELLED[vin] ?? model].map(
      plain,
    )
    const [name = '', longer = '', said = ''] = names
    return name !== '' && (said.includes(name) || longer.startsWith(said) || name.startsWith(said))
  }
  const right: Record<string, boolean> = {
    year: String(car.year?.value) === year,
    make: plain(car.make?.value) === plain(make),
    model: isModel(),
    body: plain(car.body?.value) === plain(body),
    doors: String(car.doors?.value) === doors,
    liters: Math.abs((car.engineParts?.liters ?? 0) - Number(liters)) < 0.06,
    cylinders: String(car.engineParts?.cylinders) === cylinders,
  }
  return Object.keys(right).filter((field) => row[field] !== '' && !right[field])
}

test('decodes published VINs as published', () => {
  expect(published.length).toBeGreaterThan(100)
  const missed = published.flatMap((row) => {
    const fields = differences(row).join(' ')
    return fields === '' ? [] : [[row.vin ?? '', fields]]
  })
  expect(Object.fromEntries(missed)).toEqual(MISSES)
  expect(published.filter(({ vin = '' }) => !decoder.decode(vin).valid)).toEqual([])
})
