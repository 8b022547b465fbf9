import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const CHAOS = join(import.meta.dirname, '../../chaos/main.ts')

/** One short course of events; `npm run chaos -- jobs` runs a thousand jobs through a long one. */
test('D1 D2 D3 whatever is killed and stopped, no job is lost, and none leaves an effect twice', async () => {
  const args = ['jobs', '--seed', '1', '--jobs', '40', '--seconds', '8', '--quick']
  const brief = ['--worker-kills', '2', '--api-kills', '1', '--database-kills', '1']
  const stops = ['--stops', '1', '--stop-seconds', '5']
  const chaos = spawn(process.execPath, [CHAOS, ...args, ...brief, ...stops], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [told, [status]] = await Promise.all([text(chaos.stdout), once(chaos, 'exit')])
  expect(told).toMatch(/^jobs 40, lost 0, stuck longer than 30 s 0, effects doubled 0, effects missing 0, /m)
  expect(status, told).toBe(0)
}, 300_000)
