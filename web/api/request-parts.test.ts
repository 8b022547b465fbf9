import { expect, test } from 'vitest'
import { contentOf, randomKey, requestBody, requestPath, submissionKeys } from './request-parts.ts'

test.each([
  ['/site', {}, {}, '/site'],
  ['/auto-part/{slug}', { slug: 'a/b?c' }, {}, '/auto-part/a%2Fb%3Fc'],
  ['/parts', {}, { q: 'tail lamp', page: 2, categoryId: '', manuId: undefined }, '/parts?q=tail+lamp&page=2'],
])('%s', (pattern, params, query, path) => {
  expect(requestPath(pattern, params, query)).toBe(path)
})

test('without a picture the body is JSON, or undefined if there is none', () => {
  expect(requestBody({ partname: 'Door', partmiles: 0 }, undefined)).toBe('{"partname":"Door","partmiles":0}')
  expect(requestBody(undefined, undefined)).toBeUndefined()
})

test('with a picture the body is a form: absent fields are left out, cleared ones are empty', () => {
  const form = requestBody(
    { partname: 'Door', vin: null, zipcode: undefined, partprice: 12.5 },
    new File(['x'], 'door.jpg'),
  )
  if (!(form instanceof FormData)) throw new Error('Not a form')
  expect(Object.fromEntries([...form].filter(([name]) => name !== 'image'))).toEqual({
    partname: 'Door',
    vin: '',
    partprice: '12.5',
  })
  expect((form.get('image') as File).name).toBe('door.jpg')
})

function counted() {
  let made = 0
  return submissionKeys(() => `key-${++made}`)
}

test('a submit without a reply is sent again under its key', () => {
  const keys = counted()
  expect(keys.keyFor('part')).toBe('key-1')
  expect(keys.keyFor('part')).toBe('key-1')
})

test.each([500, 502, 503, 507])('after %i the outcome is unknown and the key is kept', (status) => {
  const keys = counted()
  keys.keyFor('part')
  keys.settle('part', status)
  expect(keys.keyFor('part')).toBe('key-1')
})

test.each([201, 409, 422])(
  'after %i the next submit gets a new key, even with the same content',
  (status) => {
    const keys = counted()
    keys.keyFor('part')
    keys.settle('part', status)
    expect(keys.keyFor('part')).toBe('key-2')
  },
)

test('different content gets a different key', () => {
  const keys = counted()
  expect(keys.keyFor('part')).not.toBe(keys.keyFor('other part'))
})

test('content is the address, body, and chosen file', () => {
  const file = new File(['x'], 'door.jpg', { type: 'image/jpeg', lastModified: 1 })
  const same = new File(['x'], 'door.jpg', { type: 'image/jpeg', lastModified: 1 })
  const retouched = new File(['y'], 'door.jpg', { type: 'image/jpeg', lastModified: 2 })
  const content = contentOf('/api/seller/parts', { partname: 'Door' }, file)
  expect(contentOf('/api/seller/parts', { partname: 'Door' }, same)).toBe(content)
  expect(contentOf('/api/seller/parts', { partname: 'Door' }, retouched)).not.toBe(content)
  expect(contentOf('/api/seller/parts', { partname: 'Hood' }, file)).not.toBe(content)
  expect(contentOf('/api/seller/quick-listings', { partname: 'Door' }, file)).not.toBe(content)
})

test('a key is long and never repeats', () => {
  expect(randomKey()).toMatch(/^[0-9a-f-]{32,36}$/)
  expect(randomKey()).not.toBe(randomKey())
})
