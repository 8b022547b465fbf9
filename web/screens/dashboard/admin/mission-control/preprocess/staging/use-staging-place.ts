import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { type StagingRoot, stagingRoots } from '#contract/staging.ts'

export type StagingPlace = {
  root: StagingRoot
  /** As it stands in the box. */
  path: string
  setRoot: (root: StagingRoot) => void
  setPath: (path: string) => void
  /** The file that the address names, so that a link from an import opens it. */
  linked: string
  /** Remembers in the address which file is open. */
  keep: (root: StagingRoot, path: string) => void
}

/** Which staged file the tools are about. */
export function useStagingPlace(): StagingPlace {
  const [params, setParams] = useSearchParams()
  const linked = params.get('path') ?? ''
  const [path, setPath] = useState(linked)
  const [root, setRoot] = useState<StagingRoot>(
    () => stagingRoots.find((name) => name === params.get('root')) ?? 'ecomm',
  )
  const keep = (keptRoot: StagingRoot, keptPath: string) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        next.set('root', keptRoot)
        next.set('path', keptPath)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  return { root, path, setRoot, setPath, linked, keep }
}
