import { expect, test } from 'vitest'
import { furtherPictureColumns, splitAddresses, withFurtherPictures } from './picture-addresses.ts'

test.each([
  ['', []],
  ['https://a.example/1.jpg', ['https://a.example/1.jpg']],
  ['no address', ['no address']],
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

test.each<[string[], number, number[]]>([
  [['Stock', 'Image 1', 'Image 2', 'Image 3', 'Notes'], 1, [2, 3]],
  [['Photo', 'Photo2', 'photo_3', 'Photo (2)'], 0, [1, 2, 3]],
  [['image_link', 'additional_image_link', 'image alt text'], 0, [1]],
  [['Main Image URL', 'More pictures', 'Image position', 'Number of photos'], 0, [1]],
  [['Media 1', 'Media 2', 'Medium'], 0, [1]],
  [['Column 1', 'Column 2', 'Column 3'], 1, []],
  [['Image Src', 'Variant Image', 'Thumbnail'], 0, []],
])('beside a column of %j (%d) there are more pictures in %j', (header, mapped, columns) => {
  expect(furtherPictureColumns(header, mapped)).toEqual(columns)
})

test('only addresses join a cell', () => {
  const [one, two] = ['https://a.example/1.jpg', 'https://a.example/2.jpg']
  expect(withFurtherPictures(one, ['', '5', two])).toBe(`${one} | ${two}`)
  expect(withFurtherPictures('N/A', [two])).toBe(two)
  expect(withFurtherPictures('N/A', ['5'])).toBe('N/A')
})
