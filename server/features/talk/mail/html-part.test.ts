import { expect, test } from 'vitest'
import { htmlPart } from './html-part.ts'

const letterhead = { productName: 'Part & Harbor', publicUrl: 'https://parts.example' }
const render = (body: string, button: string | null = null) =>
  htmlPart({ subject: 'Hello <b>', body, button }, letterhead)

test('paragraphs, line breaks and our own addresses', () => {
  const html = render('Hello,\n\nOne\nTwo\n\nSee all: https://parts.example/dashboard?a=1&b=2\n')
  expect(html).toContain('>Hello,</p>')
  expect(html).toContain('>One<br>Two</p>')
  expect(html).toMatch(/See all: <a href="https:\/\/parts\.example\/dashboard\?a=1&#38;b=2"/)
  expect(html).toContain('<title>Hello &#60;b&#62;</title>')
  expect(html).toContain('Part &#38; Harbor')
})

test('the first address becomes the button, further ones links', () => {
  const html = render('Confirm:\n\nhttps://parts.example/a#t\n\nhttps://parts.example/b', 'Confirm')
  expect(html).toMatch(/<a href="https:\/\/parts\.example\/a#t"[^>]*>Confirm<\/a>/)
  expect(html).toMatch(/<a href="https:\/\/parts\.example\/b"[^>]*>https:\/\/parts\.example\/b<\/a>/)
})

test('a stranger’s text is never a link and never markup', () => {
  const html = render(
    'You wrote:\n> <img src=x onerror=alert(1)>\n>\n> https://evil.example\n> https://parts.example/x\n\nhttps://parts.example.evil.example/\n\njavascript:alert(1)',
    'Go',
  )
  expect(html).not.toMatch(/<img|href=/)
  expect(html).toContain('You wrote:</p>\n<blockquote')
  expect(html).toContain('&#60;img src=x onerror=alert(1)&#62;<br><br>https://evil.example<br>')
})
