import { expect, test } from 'vitest'
import { holdPort } from './port.ts'

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
