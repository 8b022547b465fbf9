import { expect, test } from 'vitest'
import type { User } from '#contract/accounts.ts'
import { ApiError, NetworkError } from '#web/api/failures.ts'
import { confirmPatiently } from './confirm-patiently.ts'

const user = { id: 'one' } as User
const confirmed = { ok: true, user }
const pending = { ok: false, user }
const refusal = (status: number) => new ApiError(new Response(null, { status }), { error: 'No' })

/** Answers in turn, the last one for ever; the clock moves by the pauses and by what an answer takes. */
function waiting(answers: (typeof confirmed | Error)[], answerTakesMs = 0) {
  let at = 0
  let asked = 0
  const pauses: number[] = []
  const heard: string[] = []
  const outcome = confirmPatiently({
    ask: async () => {
      const answer = answers[Math.min(asked++, answers.length - 1)]
      at += answerTakesMs
      if (answer === undefined || answer instanceof Error) throw answer
      return answer
    },
    signal: new AbortController().signal,
    onPending: () => heard.push('pending'),
    sleep: async (seconds) => {
      pauses.push(seconds)
      at += seconds * 1_000
    },
    now: () => at,
  })
  return { outcome, pauses, heard, asked: () => asked }
}

test('what is confirmed at once is asked once', async () => {
  const { outcome, pauses, heard } = waiting([confirmed])
  await expect(outcome).resolves.toBe(user)
  expect([pauses, heard]).toEqual([[], []])
})

test('C8 the return before the provider’s news: it waits, says so, and asks again', async () => {
  const { outcome, pauses, heard } = waiting([pending, pending, confirmed])
  await expect(outcome).resolves.toBe(user)
  expect(pauses).toEqual([1, 2])
  expect(heard).toEqual(['pending', 'pending'])
})

test('what stays pending is given up after 30 s of growing pauses', async () => {
  const { outcome, pauses, asked } = waiting([pending])
  await expect(outcome).resolves.toBeUndefined()
  expect(pauses.reduce((sum, pause) => sum + pause)).toBe(30)
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b))
  expect(asked()).toBe(pauses.length + 1)
})

test('slow answers count as waiting', async () => {
  const { outcome, asked } = waiting([pending], 12_000)
  await expect(outcome).resolves.toBeUndefined()
  expect(asked()).toBeLessThanOrEqual(4)
})

test('C8 a checkout of somebody else is refused at once', async () => {
  const { outcome, asked } = waiting([refusal(404)])
  await expect(outcome).rejects.toMatchObject({ status: 404 })
  expect(asked()).toBe(1)
})

test('C10 a provider out of reach is asked again, and told of when it stays so', async () => {
  await expect(waiting([refusal(503), new NetworkError('No answer'), confirmed]).outcome).resolves.toBe(user)
  await expect(waiting([refusal(503)]).outcome).rejects.toMatchObject({ status: 503 })
})

test('leaving the page ends the waiting', async () => {
  const leaving = new AbortController()
  const outcome = confirmPatiently({
    ask: async () => pending,
    signal: leaving.signal,
    onPending: () => leaving.abort(),
  })
  await expect(outcome).rejects.toMatchObject({ name: 'AbortError' })
})
