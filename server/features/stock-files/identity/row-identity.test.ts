import { describe, expect, test } from 'vitest'
import { contentHash, identityOf, partKey, sourceKey } from './row-identity.ts'

const part = { partnum: 'A-1', partyear: '2014', partmanu: 'Ford', partmodel: 'F150', partname: 'Alternator' }

describe('the key of a row', () => {
  test.each<[string, object, object, boolean]>([
    ['case and spaces at the ends are typing', part, { ...part, partmanu: ' FORD ' }, true],
    ['a price is no part', part, { ...part, partprice: '5' }, true],
    ['another number is another part', part, { ...part, partnum: 'A-2' }, false],
    ['another name is another part', part, { ...part, partname: 'Starter' }, false],
    ['values do not run into one another', { partnum: 'A', partyear: '1' }, { partnum: 'A1' }, false],
    ['the stock number alone counts', { ...part, stocknum: 's-1' }, { stocknum: 'S-1' }, true],
    ['a blank stock number counts for nothing', part, { ...part, stocknum: ' ' }, true],
    ['a stock number is no part number', { stocknum: 'A-1' }, { partnum: 'A-1' }, false],
    ['a number is its text', { ...part, partyear: 2014 }, part, true],
  ])('%s', (_, one, other, same) => {
    expect(sourceKey({ ...one }) === sourceKey({ ...other })).toBe(same)
    expect(sourceKey({ ...one })).toMatch(/^[0-9a-f]{32}$/)
  })

  test('stays what it is: it is stored, and another one would double every yard', () => {
    expect(sourceKey(part)).toBe('e5eea0f76524ec75c484d2249aa5a824')
    expect(contentHash(part)).toBe('8a0b1d26d6b732a94389ca0e83320396')
  })
})

describe('the key of a row without its stock number', () => {
  test.each<[string, object, object, boolean]>([
    ['is what it was before it had one', { ...part, stocknum: 'S-1' }, part, true],
    [
      'whatever the number is',
      { ...part, stocknum: 'S-1' },
      { ...part, stocknum: 'S-2', partprice: '7' },
      true,
    ],
    ['is another one for another part', { ...part, stocknum: 'S-1', partnum: 'A-2' }, part, false],
  ])('%s', (_, row, other, same) => {
    const { stocknum: __, ...plain } = { stocknum: '', ...other }
    expect(partKey({ ...row }) === sourceKey(plain)).toBe(same)
  })

  test.each([[part], [{ ...part, stocknum: ' ' }]])('is none of its own where it has none', (row) => {
    expect(partKey(row)).toBeUndefined()
  })

  test('goes with what it says besides the number', () => {
    const { key, hash, part: plain } = identityOf({ ...part, stocknum: 'S-1' })
    expect(plain).toEqual({ key: sourceKey(part), hash: contentHash(part) })
    expect([key, hash]).not.toEqual([plain?.key, plain?.hash])
  })
})

test('a row that was edited is the part that it was, and says what it says now', () => {
  const [first, now] = [
    { ...part, stocknum: 'S-1' },
    { ...part, stocknum: 'S-1', partmanu: 'Mercury' },
  ]
  const { hash, part: said } = identityOf(now)
  expect(identityOf(now, first)).toEqual({
    key: sourceKey(first),
    hash,
    digest: identityOf(first).digest,
    part: { key: partKey(first), hash: said?.hash },
  })
  expect(identityOf(now, part)).toEqual({ key: sourceKey(part), hash, digest: undefined, part: undefined })
  expect(identityOf(part, first).part).toEqual({ key: partKey(first), hash: contentHash(part) })
})

test.each<[string, object, boolean]>([
  ['however its number is spelled', { partnum: 'a.1 ', partname: ' ALTERNATOR' }, true],
  ['whatever it costs', { partprice: '5' }, true],
  ['with another number', { partnum: 'A-2' }, false],
  ['with another name', { partname: 'Starter' }, false],
  ['with another category', { partcategory: 'Electrical' }, false],
])('a row is the same of its vehicle %s', (_, changes, same) => {
  const row = { ...part, stocknum: 'V-1' }
  const { digest } = identityOf(row)
  expect(digest).toMatch(/^[0-9a-f]{24}$/)
  expect(identityOf({ ...row, ...changes }).digest === digest).toBe(same)
})

describe('the hash of a row', () => {
  test.each<[string, object, object, boolean]>([
    ['spaces at the ends are typing', part, { ...part, partname: 'Alternator ' }, true],
    ['an empty field is an absent one', part, { ...part, partprice: '', vin: null }, true],
    ['what is no target field is not looked at', part, { ...part, note: 'Buy now' }, true],
    ['any value counts', part, { ...part, partprice: '5' }, false],
    ['case counts', part, { ...part, partname: 'ALTERNATOR' }, false],
    ['a value counts under its field', { partcity: 'Tulsa' }, { partstate: 'Tulsa' }, false],
  ])('%s', (_, one, other, same) => {
    expect(contentHash({ ...one }) === contentHash({ ...other })).toBe(same)
  })
})
