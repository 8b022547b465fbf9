import { expect, test } from 'vitest'
import { readFormFields } from './api-call.ts'

test.each([
  ['', {}],
  ['email=a%40b.example&name=', { email: 'a@b.example', name: '' }],
  ['metadata[seller]=7&metadata[plan]=pro', { metadata: { seller: '7', plan: 'pro' } }],
  ['items[0][price]=a&items[1][price]=b', { items: [{ price: 'a' }, { price: 'b' }] }],
  ['expand[]=customer&expand[]=data.invoice', { expand: ['customer', 'data.invoice'] }],
  // Not a list: the first is missing.
  ['items[1]=b', { items: { 1: 'b' } }],
  ['__proto__[admin]=1', JSON.parse('{"__proto__": {"admin": "1"}}')],
])('%s', (text, fields) => {
  expect(readFormFields(text)).toEqual(fields)
})

test.each([
  ['the same name twice', 'email=a&email=b'],
  ['a text that is an object as well', 'metadata=a&metadata[b]=c'],
  ['an object that is a text as well', 'metadata[b]=c&metadata=a'],
  ['a bracket that does not close', 'items[0=a'],
  ['no name', '[0]=a'],
  ['too deep', `a${'[b]'.repeat(8)}=c`],
  ['too many', Array.from({ length: 501 }, (_, index) => `a${index}=b`).join('&')],
])('no form: %s', (_what, text) => {
  expect(readFormFields(text)).toBeUndefined()
})
