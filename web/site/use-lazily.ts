import { useState } from 'react'

/** Code that a page loads only when someone turns to what it is for; undefined until then, or without a connection. */
export function useLazily<Module>(
  fetchCode: () => Promise<Module>,
): [Module | undefined, () => Promise<void>] {
  const [code, setCode] = useState<Module>()
  return [
    code,
    async () => {
      // What the server wrote stays, and the next try may find a connection.
      const loaded = await fetchCode().catch(() => undefined)
      if (loaded) setCode(loaded)
    },
  ]
}
