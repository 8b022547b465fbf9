import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const CHAOS = join(import.meta.dirname, '../../chaos/main.ts')

/** One short course of events; `npm run chaos -- import` runs thirty long ones. */
test('A1 A2 A3 A6 D1 D2 D3 D17 an import whose processes are killed and paused ends as if nothing had happened', async () => {
  const args = ['import', '--seed', '2', '--rows', '400', '--chunks', '4']
  const brief = ['--disturbances', '3', '--stop-seconds', '4']
  const chaos = spawn(process.execPath, [CHAOS, ...args, ...brief], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [told, [status]] = await Promise.all([text(chaos.stdout), once(chaos, 'exit')])
  expect(told).toMatch(/^1 passed, 0 failed$/m)
  expect(status).toBe(0)
})
