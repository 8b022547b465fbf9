import { describe, expect, it } from 'vitest'
import { readModelFamilies, readPartTypes, readVehicles } from './read-data.ts'

const partTypes = readPartTypes()
const vehicles = readVehicles()

/** Stricter than the database's rule (case and spaces), so that "A/C pump" and "AC pump" are one word too. */
const wordKey = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

const duplicates = (keys: string[]) => keys.filter((key, at) => keys.indexOf(key) !== at)

describe('part-types.csv', () => {
  it('holds a tree as a salvage yard knows it: at least 14 groups and 150 part types', () => {
    expect(new Set(partTypes.map((type) => type.group)).size).toBeGreaterThanOrEqual(14)
    expect(partTypes.length).toBeGreaterThanOrEqual(150)
  })

  it('keeps the types of a group together, each group with enough to be worth a heading', () => {
    const runs = partTypes.map((type) => type.group).filter((group, at, all) => group !== all[at - 1])
    expect(duplicates(runs)).toEqual([])
    for (const group of runs) {
      expect(partTypes.filter((type) => type.group === group).length, group).toBeGreaterThanOrEqual(5)
    }
  })

  it('names every type once, ignoring case and spaces', () => {
    expect(duplicates(partTypes.map((type) => wordKey(type.name)))).toEqual([])
  })

  it('gives an alias to one type only, and never one that is a type or a group itself', () => {
    const owners = new Map(partTypes.map((type) => [wordKey(type.name), type.name]))
    for (const type of partTypes) {
      for (const alias of type.aliases) {
        const owner = owners.get(wordKey(alias))
        expect(owner === undefined || owner === type.name, `"${alias}": ${owner} and ${type.name}`).toBe(true)
        expect(alias.toLowerCase(), `${type.name} repeats its own name`).not.toBe(type.name.toLowerCase())
        owners.set(wordKey(alias), type.name)
      }
      expect(duplicates(type.aliases.map((alias) => alias.toLowerCase())), type.name).toEqual([])
    }
  })

  it('names no make: categories hold parts of every manufacturer ("smart key" is the word, not the make)', () => {
    const makes = new Set(vehicles.map((vehicle) => vehicle.manufacturer.toLowerCase()))
    makes.delete('smart')
    for (const type of partTypes) {
      const words = [type.name, ...type.aliases].join(' ').toLowerCase().split(/\W+/)
      expect(
        words.filter((word) => makes.has(word)),
        type.name,
      ).toEqual([])
    }
  })

  it.each([
    ['taillight', 'Tail Lamp Assembly'],
    ['tail lamp', 'Tail Lamp Assembly'],
    ['rear light', 'Tail Lamp Assembly'],
    ['PCM', 'Engine Control Module'],
    ['engine computer', 'Engine Control Module'],
    ['A/C pump', 'A/C Compressor'],
    ['gas tank', 'Fuel Tank'],
    ['sway bar', 'Stabilizer Bar'],
    ['rim', 'Alloy Wheel'],
  ])('knows what people type: "%s" is %s', (typed, name) => {
    const found = partTypes.filter((type) => type.aliases.some((alias) => wordKey(alias) === wordKey(typed)))
    expect(found.map((type) => type.name)).toEqual([name])
  })
})

describe('vehicles.csv', () => {
  it('holds manufacturers with models, each once', () => {
    expect(new Set(vehicles.map((vehicle) => vehicle.manufacturer)).size).toBe(66)
    const names = vehicles.map((vehicle) => `${vehicle.manufacturer}/${vehicle.model}`.toLowerCase())
    expect(duplicates(names.map((name) => name.replaceAll(' ', '')))).toEqual([])
  })

  it.each([
    [
      'Trailblazer',
      [
        [2002, 2009],
        [2021, 2024],
      ],
    ],
    ['Hummer EV Pickup', [[2022, 2024]]],
    [
      'Ranger',
      [
        [1992, 2011],
        [2019, 2024],
      ],
    ],
  ])('makes one model of several spellings, cabs and bodies: %s', (model, years) => {
    const found = vehicles.filter((vehicle) => vehicle.model.toLowerCase() === model.toLowerCase())
    expect(found.map((vehicle) => vehicle.years)).toEqual([years])
  })

  it('reads broken runs of model years, single years and body styles', () => {
    const integra = vehicles.find((vehicle) => vehicle.model === 'Integra')
    expect(integra).toEqual({
      manufacturer: 'Acura',
      model: 'Integra',
      years: [
        [1992, 2001],
        [2023, 2024],
      ],
      bodyStyles: ['Coupe', 'Hatchback', 'Sedan'],
      otherNames: [],
    })
    for (const vehicle of vehicles) {
      const ends = vehicle.years.flat()
      expect(ends, vehicle.model).toEqual([...ends].sort((a, b) => a - b))
      expect(
        ends.every((year) => year >= 1992 && year <= 2026),
        vehicle.model,
      ).toBe(true)
    }
  })

  it('has no cab or bed in a model name; all other names lead to one model each', () => {
    const named = [...vehicles, ...readModelFamilies()]
    for (const { model } of named)
      expect(model).not.toMatch(/ (Cab|SuperCab|SuperCrew|XtraCab|CrewMax|Bed)$/i)
    const keys = named.flatMap(({ manufacturer, model, otherNames }) =>
      [model, ...otherNames.map(({ name }) => name)].map((name) => `${manufacturer}/${name}`.toLowerCase()),
    )
    expect(duplicates(keys.map((key) => key.replaceAll(' ', '')))).toEqual([])
  })

  it('gives F150 Regular Cab, 328i and Silverado the names that people say', () => {
    const other = (manufacturer: string, typed: string) =>
      vehicles.flatMap((vehicle) =>
        vehicle.manufacturer === manufacturer && vehicle.otherNames.some(({ name }) => name === typed)
          ? [{ model: vehicle.model, ...vehicle.otherNames.find(({ name }) => name === typed) }]
          : [],
      )
    expect(other('Ford', 'F150 Regular Cab')).toEqual([
      { model: 'F-150', name: 'F150 Regular Cab', bodyStyle: 'Regular Cab', trim: '' },
    ])
    expect(other('BMW', '328i')).toEqual([{ model: '3 Series', name: '328i', bodyStyle: '', trim: '328i' }])
    expect(readModelFamilies().map(({ model }) => model)).toContain('Silverado')
  })
})
