import { z } from 'zod'
import { stagingRoots } from '#contract/staging.ts'
import type { Db } from '#server/platform/database.ts'
import type { OnUnreadable } from '#server/platform/http/mount.ts'
import { isReadable } from '#server/platform/http/readable-text.ts'
import { writeRefusedPath } from './write-refused-path.ts'

const text = z.string().optional().catch(undefined)
const sentPaths = z.looseObject({
  root: z.enum(stagingRoots).catch('ecomm'),
  path: text,
  paths: z.array(text).catch([]),
})
/** Of a job that is to be enqueued. */
const sentJob = z.object({ payload: z.object({ source: sentPaths }) })

/**
 * Writes down who sent a path with a NUL or half a character. Such a request is refused before anybody asks what it means,
 * and what is tried with it is what is tried with `..`.
 */
export function noteUnreadablePath(db: Db): OnUnreadable {
  return async ({ sent, actor, ip, requestId }) => {
    const data = sentJob.safeParse(sent).data?.payload.source ?? sentPaths.safeParse(sent).data
    if (!data || !actor) return
    for (const typed of [data.path, ...data.paths]) {
      if (typed === undefined || isReadable(typed)) continue
      const sentence = 'A path holds no characters that cannot be stored.'
      await writeRefusedPath(db, { root: data.root, typed, sentence, caller: { actor, ip, requestId } })
    }
  }
}
