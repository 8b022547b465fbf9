import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { openStreamSlots } from './stream-slots.ts'

const stream = () => Readable.from(['text'])
const closed = (one: Readable) => new Promise((resolve) => one.destroy().once('close', resolve))

test('a caller has some of the places, all callers together no more than there are', async () => {
  const open = openStreamSlots({ all: 3, perCaller: 2, busy: 'Busy.' })
  const first = open('ann', stream)
  open('ann', stream)
  expect(() => open('ann', stream)).toThrow('Busy.')
  open('ben', stream)
  expect(() => open('cal', stream)).toThrow('Busy.')
  await closed(first)
  const again = open('cal', stream)
  expect(() => open('dee', stream)).toThrow('Busy.')
  await closed(again)
  open('dee', stream)
})
