import { expect, test } from 'vitest'
import { MAX_PICTURE_BYTES } from '#contract/listing/listing-rules.ts'
import { leftOverWords, pictureProblem } from './picture-input.tsx'

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const jpeg = bytes('\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01')
const png = bytes('\x89PNG\r\n\x1a\n\x00\x00\x00\r')
const webp = bytes('RIFF\x24\x00\x00\x00WEBP')

test.each([
  ['JPEG', 'a.jpg', jpeg],
  ['PNG', 'a.png', png],
  ['WebP', 'a.webp', webp],
  ['JPEG under another name', 'a.dat', jpeg],
])('%s is a picture', (_, name, content) => {
  expect(pictureProblem({ name, size: MAX_PICTURE_BYTES }, content)).toBeUndefined()
})

test.each([
  ['S24 an SVG renamed to PNG', 'logo.png', bytes('<svg xmlns="'), /“logo.png” is not a JPEG, PNG or WebP/],
  ['a GIF', 'a.gif', bytes('GIF89a\x01\x00\x01\x00\x00\xff'), /not a JPEG, PNG or WebP/],
  ['RIFF that is sound', 'a.webp', bytes('RIFF\x24\x00\x00\x00WAVE'), /not a JPEG/],
  ['a HEIC photo', 'IMG_1.HEIC', bytes('\x00\x00\x00\x18ftypheic'), /HEIC photo\. Save it as JPEG/],
])('%s is refused', (_, name, content, sentence) => {
  expect(pictureProblem({ name, size: 5000 }, content)).toMatch(sentence)
})

test('the limit of 10 MB is named together with the size', () => {
  expect(pictureProblem({ name: 'a.jpg', size: MAX_PICTURE_BYTES + 200_000 }, jpeg)).toBe(
    '“a.jpg” is 10.2 MB. Pictures can be up to 10 MB.',
  )
  expect(pictureProblem({ name: 'a.jpg', size: 0 }, jpeg)).toMatch(/is empty/)
})

test('pictures beyond the first are named, not swallowed', () => {
  expect(leftOverWords([])).toBe('')
  expect(leftOverWords([{ name: 'b.jpg' }])).toBe('A listing has one picture for now. “b.jpg” was not added.')
  expect(leftOverWords([{ name: 'b.jpg' }, { name: 'c.jpg' }])).toContain('“b.jpg” and 1 more were not added')
})
