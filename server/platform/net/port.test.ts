import { expect, test } from 'vitest'
import { freePort, holdPort } from './port.ts'

test('a port in use is refused by its number, with another to choose', async () => {
  const held = await holdPort(0, '127.0.0.1')
  try {
    await expect(holdPort(held.port, '127.0.0.1')).rejects.toThrow(
      `Port ${held.port} is already in use by another program. Choose another, for example PORT=3001.`,
    )
  } finally {
    await held.release()
  }
})

test('a free port is none that an outgoing connection may get', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort('127.0.0.1')))
  for (const port of ports) expect(port).toBeLessThan(32_768)
})
