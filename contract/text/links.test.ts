import { expect, test } from 'vitest'
import { hasLink } from './links.ts'

test.each([
  'https://evil.example',
  'See HTTP://EVIL.EXAMPLE/x',
  'hxxps://evil.example',
  'www.evil.example',
  'cheap-parts.com',
  'Pay at cheap-parts.com.',
  'Look: parts.cheap.shop/pay',
  'bit.ly/3abc',
  'evil。com',
  'ev\u200bil.com',
  'ｗｗｗ.evil.example',
  '(parts.ru)',
])('%s contains a link', (text) => {
  expect(hasLink(text)).toBe(true)
})

test.each([
  'Is it still there?\nI can come by today.',
  'I need it today.is it there?',
  'DL3Z-10346-A or 5.7L Hemi, No.5, e.g. the 2.5/3.0',
  'Write to ruth@garage.com or ruth.amador@parts.co.uk',
  'It costs $95.50, maybe less.OK?',
  'Trim: LX/EX. Year 2014/2015.',
  'That was at 3:30p.m./later',
])('%s contains none', (text) => {
  expect(hasLink(text)).toBe(false)
})
