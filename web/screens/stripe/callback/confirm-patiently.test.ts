import { expect, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import { ApiError, NetworkError } from '#web/api/failures.ts'
import { confirmPatiently } from './confirm-patiently.ts'

const user = { id: 'one' } as User
const confirmed = { ok: true, user }
const pending = { ok: false, user }
const refusal = (status: number) => new ApiError(new Response(null, { status }), { error: 'No' })

/** Gives one answer per call and repeats the last; the clock moves by the pauses and by the time an answer takes. */
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

test('a checkout that is confirmed right away is asked about once', async () => {
  const { outcome, pauses, heard } = waiting([confirmed])
  await expect(outcome).resolves.toBe(user)
  expect([pauses, heard]).toEqual([[], []])
})

test('a buyer who returns before the provider’s event waits, is informed, and the check repeats', async () => {
  const { outcome, pauses, heard } = waiting([pending, pending, confirmed])
  await expect(outcome).resolves.toBe(user)
  expect(pauses).toEqual([1, 2])
  expect(heard).toEqual(['pending', 'pending'])
})

test('a checkout that stays pending is abandoned after 30 s of growing pauses', async () => {
  const { outcome, pauses, asked } = waiting([pending])
  await expect(outcome).resolves.toBeUndefined()
  expect(pauses.reduce((sum, pause) => sum + pause)).toBe(30)
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b))
  expect(asked()).toBe(pauses.length + 1)
})

test('slow replies count toward the wait', async () => {
  const { outcome, asked } = waiting([pending], 12_000)
  await expect(outcome).resolves.toBeUndefined()
  expect(asked()).toBeLessThanOrEqual(4)
})

test('another user’s checkout is refused right away', async () => {
  const { outcome, asked } = waiting([refusal(404)])
  await expect(outcome).rejects.toMatchObject({ status: 404 })
  expect(asked()).toBe(1)
})

test('an unreachable provider is retried, and reported if it stays unreachable', async () => {
  await expect(waiting([refusal(503), new NetworkError('No answer'), confirmed]).outcome).resolves.toBe(user)
  await expect(waiting([refusal(503)]).outcome).rejects.toMatchObject({ status: 503 })
})

test('leaving the page ends the wait', async () => {
  const leaving = new AbortController()
  const outcome = confirmPatiently({
    ask: async () => pending,
    signal: leaving.signal,
    onPending: () => leaving.abort(),
  })
  await expect(outcome).rejects.toMatchObject({ name: 'AbortError' })
})
