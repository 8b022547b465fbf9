import { beforeEach, describe, expect, test, vi } from 'vitest'
import { MAX_COMPARED, MAX_SAVED, MAX_VEHICLES } from '#contract/pages/garage-limits.ts'
import {
  changeGarage,
  chooseVehicle,
  currentGarage,
  forgetGarage,
  type Kept,
  noteSeen,
  parseKept,
  removeVehicle,
  toggleCompared,
  toggleSaved,
} from './garage.ts'
import { changesOf, ownedBy, withAccount } from './garage-account.ts'

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const part = (n: number) => ({ id: idOf(n), title: `Part ${n}` })
const car = (year: number) => ({ year, manuId: idOf(1), make: 'Honda', modelId: idOf(2), model: 'Accord' })
const AT = Date.parse('2026-11-23T12:00:00Z')

/** A browser's storage, which other tabs share. */
let stored: Map<string, string>
let refuses: Error | undefined
beforeEach(() => {
  stored = new Map()
  refuses = undefined
  const touch = () => {
    if (refuses) throw refuses
  }
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, text: string) {
      touch()
      stored.set(key, text)
    },
    removeItem: (key: string) => stored.delete(key),
  })
  vi.useFakeTimers({ now: AT, toFake: ['Date'] })
  forgetGarage()
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

const nothing = parseKept(null)

describe('stored data', () => {
  test.each([
    '',
    'not json',
    'null',
    '[]',
    '7',
    '{}',
    '{"vehicles":{},"saved":"x","seen":7,"compared":null,"owner":9,"unsent":[]}',
    '{"vehicles":[null,7,{"year":2010}],"saved":[{"id":"x","title":"","at":1}],"unsent":{"x":1}}',
    JSON.stringify({ vehicles: [{ ...car(1492), at: AT }], saved: [{ ...part(1), at: Number.MAX_VALUE }] }),
    JSON.stringify({ saved: [{ ...part(1), at: 'noon' }], unsent: { [idOf(1)]: null } }),
  ])('%s counts as empty', (text) => {
    expect(parseKept(text)).toEqual(nothing)
  })

  test('is read as far as it is valid, each item once and within the limits', () => {
    const saved = Array.from({ length: 300 }, (_, n) => ({ ...part(n), at: AT - n }))
    const kept = parseKept(
      JSON.stringify({
        ...nothing,
        saved: [saved[0], 'junk', ...saved],
        vehicles: [{ ...car(2010), at: AT }],
      }),
    )
    expect(kept.saved).toEqual(saved.slice(0, MAX_SAVED))
    expect(kept.vehicles).toHaveLength(1)
  })
})

describe('keeping', () => {
  test('the vehicle chosen last is first, and listed once', () => {
    for (const year of [2004, 2010, 2004]) chooseVehicle(car(year))
    expect(currentGarage().vehicles.map(({ year }) => year)).toEqual([2004, 2010])
    const [first] = currentGarage().vehicles
    if (first) removeVehicle(first)
    expect(currentGarage().vehicles.map(({ year }) => year)).toEqual([2010])
  })

  test('a full list accepts no more until something is removed', () => {
    for (let n = 0; n < MAX_VEHICLES; n++) expect(chooseVehicle(car(1990 + n))).toBe(true)
    expect(chooseVehicle(car(2024))).toBe(false)
    expect(chooseVehicle(car(1990))).toBe(true)
    for (let n = 0; n < MAX_SAVED; n++) expect(toggleSaved(part(n))).toBe(true)
    expect(toggleSaved(part(999))).toBe(false)
    expect(toggleSaved(part(0))).toBe(true)
    expect(toggleSaved(part(999))).toBe(true)
    for (let n = 0; n < MAX_COMPARED; n++) expect(toggleCompared(part(n))).toBe(true)
    expect(toggleCompared(part(999))).toBe(false)
    expect(currentGarage().compared.map(({ id }) => id)).toEqual([0, 1, 2, 3].map(idOf))
    for (let n = 0; n < 30; n++) noteSeen(part(n))
    expect(currentGarage().seen).toHaveLength(24)
  })

  test('two tabs do not lose each other’s changes', () => {
    toggleSaved(part(1))
    const other = JSON.parse(stored.get('garage') ?? '{}')
    stored.set('garage', JSON.stringify({ ...other, saved: [{ ...part(2), at: AT }, ...other.saved] }))
    toggleSaved(part(3))
    expect(currentGarage().saved.map(({ id }) => id)).toEqual([3, 2, 1].map(idOf))
    // The other tab signed out.
    stored.delete('garage')
    expect(currentGarage()).toEqual(nothing)
  })

  test('without storage, changes last as long as the tab', () => {
    vi.stubGlobal('localStorage', undefined)
    toggleSaved(part(1))
    toggleSaved(part(2))
    expect(currentGarage().saved).toHaveLength(2)
    forgetGarage()
    expect(currentGarage()).toEqual(nothing)
  })

  test('with full storage, changes last as long as the tab and are stored once there is room', () => {
    toggleSaved(part(1))
    refuses = new DOMException('full', 'QuotaExceededError')
    toggleSaved(part(2))
    expect(currentGarage().saved).toHaveLength(2)
    expect(parseKept(stored.get('garage') ?? null).saved).toHaveLength(1)
    refuses = undefined
    toggleSaved(part(3))
    expect(parseKept(stored.get('garage') ?? null).saved).toHaveLength(3)
  })
})

describe('the account', () => {
  const ago = (minutes: number) => AT - minutes * 60_000

  test('gets what was saved before sign-in, and then what changed', () => {
    toggleSaved(part(1))
    chooseVehicle(car(2010))
    expect(currentGarage().unsent).toEqual({})
    changeGarage((kept) => ownedBy(kept, 'ada'))
    vi.setSystemTime(AT + 5_000)
    expect(changesOf(currentGarage(), Date.now())).toEqual({
      vehicles: [{ modelId: idOf(2), year: 2010, agoMs: 5_000, removed: false }],
      parts: [{ id: idOf(1), agoMs: 5_000, removed: false }],
    })
    changeGarage((kept) => ({ ...kept, unsent: {} }))
    toggleSaved(part(1))
    toggleSaved(part(2))
    expect(changesOf(currentGarage(), Date.now())).toEqual({
      vehicles: [],
      parts: [
        { id: idOf(1), agoMs: 0, removed: true },
        { id: idOf(2), agoMs: 0, removed: false },
      ],
    })
  })

  test('never gets what another person left behind', () => {
    toggleSaved(part(1))
    noteSeen(part(1))
    const adas = ownedBy(currentGarage(), 'ada')
    expect(ownedBy(adas, 'ada')).toBe(adas)
    expect(ownedBy(adas, 'bob')).toEqual({ ...nothing, owner: 'bob' })
  })

  test('replaces what is here, except for changes since the request', () => {
    const here: Kept = {
      ...nothing,
      owner: 'ada',
      saved: [
        { ...part(3), at: ago(0) },
        { ...part(1), at: ago(10) },
        { ...part(2), at: ago(20) },
      ],
      // 1 was sent, 3 came since, and 4 was removed since.
      unsent: { [idOf(1)]: ago(10), [idOf(3)]: ago(0), [idOf(4)]: ago(1) },
    }
    const sent = { [idOf(1)]: ago(10), [idOf(4)]: ago(30) }
    const savedAt = (minutes: number) => new Date(ago(minutes)).toISOString()
    const reply = {
      vehicles: [{ ...car(2010), usedAt: savedAt(7) }],
      parts: [
        { id: idOf(4), savedAt: savedAt(5) },
        { id: idOf(1), savedAt: savedAt(10) },
        { id: idOf(5), savedAt: savedAt(40) },
      ],
    }
    const kept = withAccount(here, { reply, sent })
    expect(kept.saved).toEqual([
      { ...part(3), at: ago(0) },
      { ...part(1), at: ago(10) },
      { id: idOf(5), title: '', at: ago(40) },
    ])
    expect(kept.vehicles).toEqual([{ ...car(2010), at: ago(7) }])
    expect(kept.unsent).toEqual({ [idOf(3)]: ago(0), [idOf(4)]: ago(1) })
    // The same reply twice changes nothing.
    expect(withAccount(kept, { reply, sent: {} })).toEqual(kept)
  })
})
