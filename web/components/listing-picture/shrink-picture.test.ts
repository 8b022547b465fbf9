import { expect, test } from 'vitest'
import { MAX_PICTURE_BYTES } from '#contract/listing/listing-rules.ts'
import { fitted } from './draw-picture.ts'
import { sourceProblem, undecodedProblem } from './shrink-picture.ts'

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const jpeg = bytes('\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01')
const png = bytes('\x89PNG\r\n\x1a\n\x00\x00\x00\r')
const webp = bytes('RIFF\x24\x00\x00\x00WEBP')
const heic = bytes('\x00\x00\x00\x18ftypheic')
const avif = bytes('\x00\x00\x00\x18ftypavif')
const gif = bytes('GIF89a\x01\x00\x01\x00\x00\xff')

test.each([
  ['JPEG', 'a.jpg', jpeg],
  ['PNG', 'a.png', png],
  ['WebP', 'a.webp', webp],
  ['JPEG under another name', 'a.dat', jpeg],
  ['HEIC', 'a.heic', heic],
  ['AVIF', 'a.avif', avif],
  ['GIF', 'a.gif', gif],
])('%s may be a picture, even above the server’s limit', (_, name, content) => {
  expect(sourceProblem({ name, size: 2 * MAX_PICTURE_BYTES }, content)).toBeUndefined()
})

test.each([
  ['an SVG renamed to PNG', 5_000, bytes('<svg xmlns="'), /“a.png” is not a picture/],
  ['RIFF that is sound', 5_000, bytes('RIFF\x24\x00\x00\x00WAVE'), /not a picture/],
  ['an empty file', 0, bytes(''), /“a.png” is empty/],
  ['a huge file', 80 * 1024 * 1024, jpeg, /is 80\.0 MB\. Pictures can be up to 60 MB/],
])('%s is refused', (_, size, content, sentence) => {
  expect(sourceProblem({ name: 'a.png', size }, content)).toMatch(sentence)
})

test('what the browser cannot decode is sent as is only if the server reads it', () => {
  const problem = (name: string, content: Uint8Array, size = 5_000) =>
    undecodedProblem({ name, size }, content)
  expect([problem('a.jpg', jpeg), problem('a.png', png), problem('a.webp', webp)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(problem('IMG_1.HEIC', heic)).toMatch(/“IMG_1.HEIC” is a HEIC photo.+Save it as JPEG/)
  expect(problem('a.avif', avif)).toMatch(/This browser can’t open “a.avif”/)
  expect(problem('a.jpg', jpeg, MAX_PICTURE_BYTES + 200_000)).toBe(
    '“a.jpg” is 10.2 MB, and this browser can’t make it smaller. Pictures can be up to 10 MB.',
  )
})

test.each([
  ['wide', [4000, 3000], [2000, 1500]],
  ['tall', [3024, 4032], [1500, 2000]],
  ['small, which stays', [800, 600], [800, 600]],
  ['a line, which keeps a pixel', [9000, 1], [2000, 1]],
])('a picture that is %s', (_, [width = 0, height = 0], [toWidth, toHeight]) => {
  expect(fitted({ width, height }, 2000)).toEqual({ width: toWidth, height: toHeight })
})
