import { useState } from 'react'
import { MAX_RETURN_PHOTOS } from '#contract/order/returns/return-steps.ts'

type Added = { id: string; name: string }

/** Adds one photo; a sentence if it is refused. */
type Add = (file: File) => Promise<{ id: string } | { problem: string }>

/** Photos are sent one after the other, as soon as they are chosen; `before` counts those of an earlier answer. */
export function useAddedPhotos(addOne: Add, before = 0) {
  const [added, setAdded] = useState<Added[]>([])
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const add = async (files: readonly File[]) => {
    setProblem(undefined)
    if (before + added.length + files.length > MAX_RETURN_PHOTOS) {
      return setProblem(`At most ${MAX_RETURN_PHOTOS} photos.`)
    }
    setBusy(true)
    for (const file of files) {
      const outcome = await addOne(file)
      if ('problem' in outcome) {
        setProblem(`${file.name}: ${outcome.problem}`)
        break
      }
      setAdded((photos) => [...photos, { id: outcome.id, name: file.name }])
    }
    setBusy(false)
  }
  const remove = (id: string) => setAdded((photos) => photos.filter((photo) => photo.id !== id))
  return { added, isBusy, problem, add, remove, clear: () => setAdded([]) }
}

export type AddedPhotos = ReturnType<typeof useAddedPhotos>
