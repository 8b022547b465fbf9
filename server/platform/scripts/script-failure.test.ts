import { expect, test } from 'vitest'
import { scriptFailure } from './run-script.ts'

// tests/api/scripts.test.ts covers a process ending this way and the job reporting it.
test.each<[code: number | null, signal: NodeJS.Signals | null, words: string]>([
  [0, null, 'The script ended with status 0 before its work was done.'],
  [3, null, 'The script ended with status 3; its last lines may say why.'],
  [13, null, 'The script ended with status 13: it waited for something that never happened.'],
  [143, null, 'The script ended with status 143; its last lines may say why.'],
  [null, 'SIGKILL', 'The script was killed (SIGKILL), as the system does where memory runs out.'],
  [null, 'SIGSEGV', 'The script crashed (SIGSEGV).'],
  [null, 'SIGUSR2', 'The script was ended by SIGUSR2.'],
])('status %s, signal %s: in words', (code, signal, words) => {
  expect(scriptFailure({ code, signal }, {}, 'job')?.message).toBe(words)
})

test('a script that reported its result and exited with 0 did not fail', () => {
  expect(scriptFailure({ code: 0, signal: null }, { result: null }, 'job')).toBeUndefined()
})
