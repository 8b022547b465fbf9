import { describe, expect, test } from 'vitest'
import { readPartName, shownName } from './part-name.ts'

const named = (name: string, more: object = {}) => shownName({ identity: 'x', name, ...more })

describe('the name that may be repeated', () => {
  test.each([
    ['Headlamp, left', 'Headlamp, left'],
    ['HEADLIGHT ASSY LH', 'headlight assembly left'],
    ['ABS PUMP', 'ABS pump'],
    ['ALTERNATOR 130A', 'alternator 130A'],
    ['Headlight Assy RH', 'Headlight assembly right'],
  ])('%s is %s', (name, shown) => {
    expect(named(name)).toBe(shown)
  })

  test.each([
    'NEW Alternator!!',
    'Genuine OEM Alternator',
    'Alternator w/ lifetime warranty',
    'L@@K Alternator',
    'Alternator fits all Toyota',
    'Tested alternator $20',
  ])('%s advertises, so the category stands in', (name) => {
    expect(named(name, { category: 'Alternator' })).toBe('Alternator')
  })

  test('the car in it goes, since it stands beside it', () => {
    const car = { manufacturer: 'Ford', model: 'Focus', yearFrom: 2014, yearTo: 2014 }
    expect(named('2014 Ford Focus Alternator', car)).toBe('Alternator')
    expect(named('Alternator for Ford Focus', car)).toBe('Alternator')
    expect(named('Ford Focus', car)).toBe('Ford Focus')
  })
})

describe('a name taken apart', () => {
  test.each([
    ['Headlamp, left', { part: 'left headlamp', noun: 'headlamp', plural: false }],
    ['CV axle, left front', { part: 'left front CV axle', noun: 'CV axle' }],
    ['Alternator 130A', { part: 'alternator', spec: '130A' }],
    ['Engine 3.5L V6', { part: 'engine', spec: '3.5L V6' }],
    ['Alloy wheel 17 in', { part: 'alloy wheel', spec: '17 in' }],
    ['Hood, dark blue', { part: 'hood', detail: 'dark blue' }],
    ['Fuse box, engine bay', { part: 'fuse box', detail: 'engine bay' }],
    ['Automatic transmission, 4WD', { part: 'automatic transmission', spec: '4WD' }],
    ['Curtain Air Bag', { part: 'curtain air bag' }],
    ['Bose amplifier', { part: 'Bose amplifier' }],
    ['Brake Pads', { part: 'brake pads', plural: true }],
    ['Back Glass', { plural: false }],
    ['Fog lamp lens', { plural: false }],
    ['Ignition switch with keys', { plural: false }],
    ['A/C compressor', { part: 'A/C compressor' }],
    ['Headlamp (left)', { part: 'left headlamp' }],
  ])('%s', (name, expected) => {
    expect(readPartName(name)).toMatchObject(expected)
  })
})
