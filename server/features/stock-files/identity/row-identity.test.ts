import { describe, expect, test } from 'vitest'
import { contentHash, identityOf, partKey, sourceKey } from './row-identity.ts'

const part = { partnum: 'A-1', partyear: '2014', partmanu: 'Ford', partmodel: 'F150', partname: 'Alternator' }

describe('the key of a row', () => {
  test.each<[string, object, object, boolean]>([
    ['case and outer spaces do not matter', part, { ...part, partmanu: ' FORD ' }, true],
    ['the price does not matter', part, { ...part, partprice: '5' }, true],
    ['a different number is a different part', part, { ...part, partnum: 'A-2' }, false],
    ['a different name is a different part', part, { ...part, partname: 'Starter' }, false],
    ['adjacent values do not run together', { partnum: 'A', partyear: '1' }, { partnum: 'A1' }, false],
    ['only the stock number matters', { ...part, stocknum: 's-1' }, { stocknum: 'S-1' }, true],
    ['a blank stock number does not count', part, { ...part, stocknum: ' ' }, true],
    ['a stock number differs from an equal part number', { stocknum: 'A-1' }, { partnum: 'A-1' }, false],
    ['a number equals its text', { ...part, partyear: 2014 }, part, true],
  ])('%s', (_, one, other, same) => {
    expect(sourceKey({ ...one }) === sourceKey({ ...other })).toBe(same)
    expect(sourceKey({ ...one })).toMatch(/^[0-9a-f]{32}$/)
  })

  test('never changes: it is stored, and a new key would duplicate every yard’s stock', () => {
    expect(sourceKey(part)).toBe('e5eea0f76524ec75c484d2249aa5a824')
    expect(contentHash(part)).toBe('8a0b1d26d6b732a94389ca0e83320396')
  })
})

describe('the key of a row without its stock number', () => {
  test.each<[string, object, object, boolean]>([
    ['is the key it had before it got a stock number', { ...part, stocknum: 'S-1' }, part, true],
    [
      'is the same for any stock number',
      { ...part, stocknum: 'S-1' },
      { ...part, stocknum: 'S-2', partprice: '7' },
      true,
    ],
    ['differs for a different part', { ...part, stocknum: 'S-1', partnum: 'A-2' }, part, false],
  ])('%s', (_, row, other, same) => {
    const { stocknum: __, ...plain } = { stocknum: '', ...other }
    expect(partKey({ ...row }) === sourceKey(plain)).toBe(same)
  })

  test.each([[part], [{ ...part, stocknum: ' ' }]])(
    'is undefined for a row without a stock number',
    (row) => {
      expect(partKey(row)).toBeUndefined()
    },
  )

  test('comes with a hash that leaves out the stock number', () => {
    const { key, hash, part: plain } = identityOf({ ...part, stocknum: 'S-1' })
    expect(plain).toEqual({ key: sourceKey(part), hash: contentHash(part) })
    expect([key, hash]).not.toEqual([plain?.key, plain?.hash])
  })
})

test('an edited row keeps its identity and gets the hash of its new content', () => {
  const [first, now] = [
    { ...part, stocknum: 'S-1' },
    { ...part, stocknum: 'S-1', partmanu: 'Mercury' },
  ]
  const { hash, part: edited } = identityOf(now)
  expect(identityOf(now, first)).toEqual({
    key: sourceKey(first),
    hash,
    digest: identityOf(first).digest,
    part: { key: partKey(first), hash: edited?.hash },
  })
  expect(identityOf(now, part)).toEqual({ key: sourceKey(part), hash, digest: undefined, part: undefined })
  expect(identityOf(part, first).part).toEqual({ key: partKey(first), hash: contentHash(part) })
})

test.each<[string, object, boolean]>([
  ['is the same however the number is spelled', { partnum: 'a.1 ', partname: ' ALTERNATOR' }, true],
  ['is the same at any price', { partprice: '5' }, true],
  ['differs for another number', { partnum: 'A-2' }, false],
  ['differs for another name', { partname: 'Starter' }, false],
  ['differs for another category', { partcategory: 'Electrical' }, false],
])('the digest of a row %s', (_, changes, same) => {
  const row = { ...part, stocknum: 'V-1' }
  const { digest } = identityOf(row)
  expect(digest).toMatch(/^[0-9a-f]{24}$/)
  expect(identityOf({ ...row, ...changes }).digest === digest).toBe(same)
})

describe('the hash of a row', () => {
  test.each<[string, object, object, boolean]>([
    ['outer spaces do not matter', part, { ...part, partname: 'Alternator ' }, true],
    ['an empty field equals an absent one', part, { ...part, partprice: '', vin: null }, true],
    ['fields other than the target fields do not matter', part, { ...part, note: 'Buy now' }, true],
    ['any value matters', part, { ...part, partprice: '5' }, false],
    ['case matters', part, { ...part, partname: 'ALTERNATOR' }, false],
    ['a value counts only for its own field', { partcity: 'Tulsa' }, { partstate: 'Tulsa' }, false],
  ])('%s', (_, one, other, same) => {
    expect(contentHash({ ...one }) === contentHash({ ...other })).toBe(same)
  })
})
