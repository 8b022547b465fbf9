import { expect, test } from 'vitest'
import { furtherPictureColumns } from './import-fields.ts'
import { splitAddresses, withFurtherPictures } from './picture-addresses.ts'

test.each([
  ['', []],
  ['https://a.example/1.jpg', ['https://a.example/1.jpg']],
  ['no address', ['no address']],
  [
    'front.jpg (https://a.example/1.jpg),side.jpg (https://a.example/2.jpg)',
    ['https://a.example/1.jpg', 'https://a.example/2.jpg'],
  ],
  ['https://a.example/1.jpg|https://a.example/2.jpg', ['https://a.example/1.jpg', 'https://a.example/2.jpg']],
  [
    ' HTTP://a.example/1.jpg ;\r\n https://a.example/2.jpg, ',
    ['HTTP://a.example/1.jpg', 'https://a.example/2.jpg'],
  ],
  ['https://a.example/1.jpg https://a.example/1.jpg', ['https://a.example/1.jpg']],
  ['https://a.example/w_4,h_3;q/1.jpg', ['https://a.example/w_4,h_3;q/1.jpg']],
  ['https://a.example/?from=https://b.example/1.jpg', ['https://a.example/?from=https://b.example/1.jpg']],
])('%j is %j', (cell, addresses) => {
  expect(splitAddresses(cell)).toEqual(addresses)
})

test.each<[mapped: string, header: string[], joined: string[]]>([
  ['Image 1', ['Stock', 'Image 1', 'Image 2', 'Image 3', 'Notes'], ['Image 2', 'Image 3']],
  ['photo', ['Photo', 'Photo2', 'photo_3', 'Photo (2)'], ['Photo2', 'photo_3', 'Photo (2)']],
  ['image_link', ['image_link', 'additional_image_link', 'image alt text'], ['additional_image_link']],
  [
    'Main Image URL',
    ['Main Image URL', 'More pictures', 'Image position', 'Number of photos'],
    ['More pictures'],
  ],
  ['Media 1', ['Media 1', 'Media 2', 'Medium'], ['Media 2']],
  ['Column 2', ['Column 1', 'Column 2', 'Column 3'], []],
  ['Image Src', ['Image Src', 'Variant Image', 'Thumbnail'], []],
])('the pictures of %j are joined, of %j, by %j', (imageUrl, header, joined) => {
  expect(furtherPictureColumns(header, { imageUrl })).toEqual(joined)
  expect(furtherPictureColumns(header, { imageUrl, h1: joined[0] ?? '' })).toEqual(joined.slice(1))
  expect(furtherPictureColumns(header, {})).toEqual([])
})

test('only addresses join a cell', () => {
  const [one, two] = ['https://a.example/1.jpg', 'https://a.example/2.jpg']
  expect(withFurtherPictures(one, ['', '5', two])).toBe(`${one} | ${two}`)
  expect(withFurtherPictures('N/A', [two])).toBe(two)
  expect(withFurtherPictures('N/A', ['5'])).toBe('N/A')
})
