import { useState } from 'react'

/**
 * Code that a page loads only when it is needed; undefined until then. The second value loads it and returns whether that
 * worked: the connection may be down, or a new version may have removed the file.
 */
export function useLazily<Module>(
  fetchCode: () => Promise<Module>,
): [Module | undefined, () => Promise<boolean>] {
  const [code, setCode] = useState<Module>()
  return [
    code,
    async () => {
      const loaded = await fetchCode().catch(() => undefined)
      if (loaded) setCode(loaded)
      return loaded !== undefined
    },
  ]
}
