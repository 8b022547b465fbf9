import { expect, test } from 'vitest'
import { articleFor } from './article.ts'

test.each([
  ['alternator', 'an'],
  ['bumper', 'a'],
  ['2014 Ford Focus', 'a'],
  ['1998 Acura', 'a'],
  ['8-speed gearbox', 'an'],
  ['11 inch rotor', 'an'],
  ['18 in wheel', 'an'],
  ['110 amp unit', 'a'],
  ['F150', 'an'],
  ['F-150 tailgate', 'an'],
  ['MKZ', 'an'],
  ['RX mirror', 'an'],
  ['X5', 'an'],
  ['CV axle', 'a'],
  ['ABS pump', 'an'],
  ['EGR valve', 'an'],
  ['A/C compressor', 'an'],
  ['DEF tank', 'a'],
  ['used hood', 'a'],
  ['upper arm', 'an'],
  ['hour meter', 'an'],
  ['hood', 'a'],
  ['universal joint', 'a'],
  ['MAZDA CX-5', 'a'],
  ['MINI Cooper', 'a'],
  ['INFINITI G35', 'an'],
  ['Isuzu', 'an'],
  ['Honda', 'a'],
  ['outside handle', 'an'],
  ['one-piece shaft', 'a'],
])('%s takes %s', (phrase, article) => {
  expect(articleFor(phrase)).toBe(article)
})
