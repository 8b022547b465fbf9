import { expect, test } from 'vitest'
import { visibleNumber } from './no-value.ts'

test.each([
  ...[
    'N/A',
    'n.a.',
    '#N/A',
    'NA',
    'none',
    'Does not apply',
    "doesn't apply",
    '-',
    '--',
    '0',
    '000',
    'unknown',
  ],
  ...['No part number', 'Sin número', 'S/N', 'aucun', 'kein', 'null', 'not available'],
])('“%s” is no number', (text) => expect(visibleNumber(text)).toBe(''))

test.each([
  ['\u200b8E0\u200b-953\u200b-521', '8E0-953-521'],
  ['NA-100', 'NA-100'],
  ['None-5', 'None-5'],
  ['0012', '0012'],
  ['NO2', 'NO2'],
])('%j is the number %j', (typed, number) => expect(visibleNumber(typed)).toBe(number))
