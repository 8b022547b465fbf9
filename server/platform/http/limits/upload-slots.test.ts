import { expect, test } from 'vitest'
import { type UploadSlot, UploadSlots } from './upload-slots.ts'

/** A process with 24 places for pictures, and a clock that the test sets. */
function open() {
  let now = 0
  const places = new UploadSlots({ all: 24, perCaller: 4, perNetwork: 12 }, () => now)
  const left: string[] = []
  const take = (caller: string, network = 'one address', bytesPerSecond = 0): UploadSlot => {
    const began = now
    const place = places.take({ caller, network, bytes: () => ((now - began) * bytesPerSecond) / 1_000 })
    place.lost.catch(() => left.push(caller))
    return place
  }
  const takeFour = (caller: string, network?: string, bytesPerSecond?: number) =>
    [1, 2, 3, 4].map(() => take(caller, network, bytesPerSecond))
  const pass = (ms: number) => {
    now += ms
  }
  return { take, takeFour, pass, left }
}

const BUSY = expect.objectContaining({ code: 'BUSY', retryAfterSeconds: 2 })
const FAST = 1024 * 1024

test('nobody has more than four', () => {
  const { takeFour, take } = open()
  const [first] = takeFour('Ann')
  expect(() => take('Ann')).toThrow(BUSY)
  first?.leave()
  take('Ann')
})

test('six accounts that hold all places of an address lose one to a seventh, at once', async () => {
  const { takeFour, take, left } = open()
  for (const name of ['Ann', 'Ben', 'Cy']) takeFour(name)
  for (const name of ['Dee', 'Eli', 'Flo']) takeFour(name, 'another address')
  take('Gus')
  await Promise.resolve()
  expect(left).toHaveLength(1)
  expect(left[0]).toMatch(/Ann|Ben|Cy|Dee|Eli|Flo/)
  // And another one to somebody from elsewhere.
  take('Hal', 'a third address')
  await Promise.resolve()
  expect(left).toHaveLength(2)
})

test('one address has half of the places, which its accounts share', async () => {
  const { takeFour, take, left } = open()
  for (const name of ['Ann', 'Ben', 'Cy']) takeFour(name, 'one address', FAST)
  take('Dee', 'one address', FAST)
  await Promise.resolve()
  expect(left).toHaveLength(1)
  // Others are not asked: there are places left for their addresses.
  takeFour('Eli', 'another address', FAST)
  await Promise.resolve()
  expect(left).toHaveLength(1)
})

test('a slow upload gives way even to an account with as many places, a fast one does not', async () => {
  const { take, pass, left } = open()
  const names = Array.from({ length: 12 }, (_, at) => `caller ${at}`)
  for (const name of names) take(name, 'one address', name === 'caller 7' ? 1_000 : FAST)
  expect(() => take('Gus')).toThrow(BUSY)
  pass(3_000)
  take('Gus', 'one address', FAST)
  await Promise.resolve()
  expect(left).toEqual(['caller 7'])
  pass(3_000)
  expect(() => take('Hal')).toThrow(BUSY)
})

test('an upload that has arrived keeps its place', async () => {
  const { takeFour, take, left } = open()
  const places = ['Ann', 'Ben', 'Cy'].flatMap((name) => takeFour(name))
  for (const place of places) place.arrived()
  expect(() => take('Dee')).toThrow(BUSY)
  places[0]?.leave()
  take('Dee')
  await Promise.resolve()
  expect(left).toEqual([])
})
