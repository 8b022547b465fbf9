/** Reads of which one statement answers many. */
export type GatheredReads<Asked, Found> = (
  key: string,
  asked: Asked,
  read: (all: readonly Asked[]) => Promise<readonly Found[]>,
) => Promise<Found>

type Waiting<Asked, Found> = {
  asked: Asked
  resolve: (found: Found) => void
  reject: (error: unknown) => void
}

/**
 * Whoever asks while a read of the same key runs waits for its end and is read together with the others who wait, at most
 * so many, by one read that begins after they asked: nobody is answered with what was true before. `read` answers in the
 * order in which it is asked.
 */
export function openGatheredReads<Asked, Found>(mostAtOnce: number): GatheredReads<Asked, Found> {
  const lines = new Map<string, Waiting<Asked, Found>[]>()
  return (key, asked, read) =>
    new Promise((resolve, reject) => {
      const waiting = { asked, resolve, reject }
      const line = lines.get(key)
      if (line) {
        line.push(waiting)
        return
      }
      const own = [waiting]
      lines.set(key, own)
      void readAll(own, { read, mostAtOnce, ended: () => lines.delete(key) })
    })
}

type Reading<Asked, Found> = {
  read: (all: readonly Asked[]) => Promise<readonly Found[]>
  mostAtOnce: number
  ended: () => void
}

async function readAll<Asked, Found>(
  line: Waiting<Asked, Found>[],
  { read, mostAtOnce, ended }: Reading<Asked, Found>,
): Promise<void> {
  while (line.length > 0) {
    const served = line.splice(0, mostAtOnce)
    try {
      const found = await read(served.map(({ asked }) => asked))
      if (found.length !== served.length) throw new Error('a read of many answered another number')
      for (const [at, { resolve }] of served.entries()) resolve(found[at] as Found)
    } catch (error) {
      for (const { reject } of served) reject(error)
    }
  }
  ended()
}
