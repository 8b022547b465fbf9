import { expect, test } from 'vitest'
import { requestBody, requestPath } from './request-parts.ts'

test.each([
  ['/site', {}, {}, '/site'],
  ['/auto-part/{slug}', { slug: 'a/b?c' }, {}, '/auto-part/a%2Fb%3Fc'],
  ['/parts', {}, { q: 'tail lamp', page: 2, categoryId: '', manuId: undefined }, '/parts?q=tail+lamp&page=2'],
])('%s', (pattern, params, query, path) => {
  expect(requestPath(pattern, params, query)).toBe(path)
})

test('without a picture a body is JSON, and nothing is nothing', () => {
  expect(requestBody({ partname: 'Door', partmiles: 0 }, undefined)).toBe('{"partname":"Door","partmiles":0}')
  expect(requestBody(undefined, undefined)).toBeUndefined()
})

test('with a picture it is a form: absent fields stay out, emptied ones are empty texts', () => {
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
