import { describe, expect, test } from 'vitest'
import { isFileKey } from '#server/platform/files/file-store.ts'
import { chooseWidth, pictureKey, pictureUrl, sha256InKey, smallerWidths } from './picture-files.ts'

const SHA = '3fa1b2'.padEnd(64, '0')

describe('the files of a picture', () => {
  test.each([
    [1600, [440, 900]],
    [901, [440, 900]],
    [900, [440]],
    [441, [440]],
    [440, []],
    [1, []],
  ])('a picture %i wide also gets the widths %j', (width, widths) => {
    expect(smallerWidths(width)).toEqual(widths)
  })

  test.each([
    [undefined, `images/3f/${SHA}.webp`],
    [440, `images/3f/${SHA}-440.webp`],
  ])('the key for width %j is built from the hash alone', (width, key) => {
    expect(pictureKey(SHA, width)).toBe(key)
    expect(isFileKey(key)).toBe(true)
    expect(sha256InKey(key)).toBe(SHA)
  })

  test.each([
    `images/3f/${SHA}.webp.bak`,
    `images/3f/${SHA}.jpg`,
    'images/logo.webp',
    `other/3f/${SHA}.webp`,
  ])('%s is not the key of a picture file', (key) => {
    expect(sha256InKey(key)).toBeUndefined()
  })
})

describe('the width to send', () => {
  test.each([
    [[440, 900], 440, 440],
    [[900, 440], 100, 440],
    [[440, 900], 441, 900],
    [[440, 900], 901, undefined],
    [[440, 900], undefined, undefined],
    [[440, 900], 0, undefined],
    [[440, 900], -5, undefined],
    [[440, 900], Number.NaN, undefined],
    [[], 440, undefined],
  ])('from %j for %j is %j', (stored, asked, chosen) => {
    expect(chooseWidth(stored, asked)).toBe(chosen)
  })
})

test('the address of a picture contains its content hash', () => {
  expect(pictureUrl('0199-id', SHA)).toBe('/api/auto-part/image/0199-id?v=3fa1b2000000')
})
