import { type automationEndpoints, hasEnded, type jobScheduleEndpoints } from '#contract/admin/automation.ts'
import { isId } from '#contract/endpoint.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { startJob } from '#server/platform/jobs/enqueue-job.ts'
import type { OpenAiAccess } from '#server/platform/scripts/script-program.ts'
import { bulkStatuses, countBulk, startBulk } from './bulk-jobs.ts'
import { everyId, findJobs, type JobFilter, readJobFilter } from './find-jobs.ts'
import { cancelJob, notEnded, retryJob, sendLine } from './job-actions.ts'
import {
  findJob,
  type JobDetailRow,
  listArtifacts,
  listLastEvents,
  listStatuses,
  presentJob,
  presentJobDetail,
  readJobs,
  readRepeatedJobs,
} from './job-details.ts'
import { downloadHeaders, openJobLog } from './job-log.ts'
import {
  changedSchedule,
  changeSchedule,
  checkSchedule,
  createSchedule,
  deleteSchedule,
  findSchedule,
  listSchedules,
  presentSchedule,
  type ScheduleRow,
} from './job-schedules.ts'
import { checkDataset, checkJobRequest, findQueue, type Queues } from './new-job.ts'
import type { JobStreams } from './open-job-streams.ts'
import { changeQueue, openQueueReader } from './queues.ts'

export type AutomationDeps = {
  /** Every queue that this version knows. */
  queues: Queues
  files: FileStore
  streams: JobStreams
  openai: OpenAiAccess
}

type Routes = Handlers<typeof automationEndpoints>

/** Mission Control, for administrators only. */
export function automationRoutes(deps: AutomationDeps): Routes {
  return {
    ...queueRoutes(deps),
    ...listRoutes(),
    readScriptSettings: async () => ({ model: deps.openai.model, hasKey: deps.openai.apiKey !== undefined }),
    ...jobRoutes(deps),
    ...startRoutes(deps),
    ...downloadRoutes(deps),
  }
}

const byOf = ({ actor, ip, requestId }: { actor: Actor; ip: string; requestId: string }) => ({
  actorUserId: actor.userId,
  ip,
  requestId,
})

function queueRoutes({ queues }: AutomationDeps): Pick<Routes, 'listQueues' | 'changeQueue'> {
  const read = openQueueReader(queues)
  return {
    listQueues: ({ db }) => read(db),

    async changeQueue(request) {
      const { db, params } = request
      const { key } = params
      if (!findQueue(queues, key)) throw new AppError('NOT_FOUND', 'There is no such queue.')
      const { paused } = await request.body()
      await changeQueue(db, { key, paused, by: byOf(request) })
      const changed = (await read(db)).queues.find((queue) => queue.key === key)
      if (!changed) throw new Error('a queue is not in the list of queues')
      return changed
    },
  }
}

// A person waits for the search. It returns what it found by then, and the next page continues.
const SEARCH_MS = 1_500

function listRoutes(): Pick<Routes, 'listJobs'> {
  return {
    async listJobs({ db, query }) {
      const { cursor, limit } = query
      const filter = readJobFilter(query)
      if (typeof filter === 'string') throw new AppError('MALFORMED', filter, { fields: { status: filter } })
      if (cursor !== undefined && !isId(cursor)) {
        throw new AppError('MALFORMED', 'The cursor is not valid. Use the nextCursor of the previous page.')
      }
      const found = await findJobs(db, {
        choice: filter,
        words: filter.words,
        walk: { range: { ...everyId, ...(cursor && { below: cursor }) }, oldestFirst: false, limit },
        until: performance.now() + SEARCH_MS,
      })
      const rows = await readJobs(db, found.ids)
      const searchedBackTo = found.searchedBackTo?.toISOString() ?? null
      return { items: rows.map(presentJob), pageInfo: { nextCursor: found.nextCursor, searchedBackTo } }
    },
  }
}

type JobRoutes = Pick<Routes, 'readJob' | 'cancelJob' | 'controlJob' | 'streamJob'>

function jobRoutes({ queues, streams }: AutomationDeps): JobRoutes {
  return {
    async readJob({ db, params }) {
      const job = await getJob(db, params.id)
      const events = await listLastEvents(db, job)
      const artifacts = await listArtifacts(db, job.id)
      const statuses = await listStatuses(db, job)
      return presentJobDetail(job, { events, artifacts, statuses }, queues)
    },

    async cancelJob(request) {
      const status = await cancelJob(request.db, request.params.id, byOf(request))
      if (!status) throw noSuchJob()
      return { ok: true, status }
    },

    async controlJob(request) {
      const { db, params } = request
      const { id: jobId } = await getJob(db, params.id)
      const { data, question } = await request.body()
      const line = { jobId, line: data, question: question ?? undefined, by: byOf(request) }
      return { ok: true, status: await sendLine(db, line) }
    },

    streamJob: ({ params, actor, headers }) =>
      streams.open({ jobId: params.id, actor, lastEventId: headers['last-event-id'] }),
  }
}

type StartRoutes = Pick<Routes, 'enqueueJob' | 'retryJob' | 'bulkJobs'>

function startRoutes({ queues }: AutomationDeps): StartRoutes {
  return {
    async enqueueJob(request) {
      const job = await request.body()
      const checked = await checkJobRequest(request.db, queues, { request: job, caller: request })
      checkDataset(checked)
      return async (db) => ({ jobId: await startJob(db, checked, byOf(request)) })
    },

    async retryJob(request) {
      const [original] = await readRepeatedJobs(request.db, [request.params.id])
      if (!original) throw noSuchJob()
      const edit = (await request.body()) ?? {}
      if (!hasEnded(original.status)) throw new AppError('CONFLICT', notEnded(original.status))
      const { queue, maxAttempts } = original
      const payload = edit.payload ?? original.payload
      const options = edit.options ?? { ...original.options, attempts: maxAttempts }
      const job = { queue, payload, options }
      const checked = await checkJobRequest(request.db, queues, { request: job, caller: request })
      const edited = edit.payload !== undefined
      return async (db) => ({ jobId: await retryJob(db, { original, checked, edited, by: byOf(request) }) })
    },

    async bulkJobs(request) {
      const { action, count, ...typed } = await request.body()
      const { queues: names, words, ...filter } = readBulkFilter(typed)
      const bulk = { action, queues: names, words, statuses: bulkStatuses(action, filter) }
      const counted = await countBulk(request.db, bulk)
      return async (db) => {
        const { matching, matchingIsAtLeast } = counted
        // A search that ran out of time may still find some.
        const isNone = matching === 0 && !matchingIsAtLeast
        if (count || isNone) return { ...counted, jobId: null }
        return { ...counted, jobId: await startBulk(db, { ...bulk, matching }, byOf(request)) }
      }
    },
  }
}

function readBulkFilter(typed: Parameters<typeof readJobFilter>[0]): JobFilter {
  const filter = readJobFilter(typed)
  if (typeof filter !== 'string') return filter
  throw new AppError('VALIDATION_FAILED', filter, { fields: { status: filter } })
}

function downloadRoutes({ files }: AutomationDeps): Pick<Routes, 'readArtifact' | 'downloadLog'> {
  return {
    async readArtifact({ db, params }) {
      const artifact = (await listArtifacts(db, params.id)).find(({ id }) => id === params.artifactId)
      const stream = artifact && (await files.get(artifact.fileKey))
      if (!artifact || !stream) throw new AppError('NOT_FOUND', 'There is no such file.')
      return { stream, headers: downloadHeaders(artifact.name) }
    },

    async downloadLog({ db, params }) {
      const job = await getJob(db, params.id)
      return { stream: openJobLog(db, job), headers: downloadHeaders(`job-${job.id}.log`) }
    },
  }
}

type ScheduleDeps = Pick<AutomationDeps, 'queues'> & { now: () => Date }

export function jobScheduleRoutes({ queues, now }: ScheduleDeps): Handlers<typeof jobScheduleEndpoints> {
  return {
    async listSchedules({ db }) {
      return { items: (await listSchedules(db)).map(presentSchedule) }
    },

    async createSchedule(request) {
      const schedule = checkSchedule(queues, await request.body(), now())
      return async (db) => presentSchedule(await createSchedule(db, schedule, byOf(request)))
    },

    async changeSchedule(request) {
      const { db, params } = request
      const { id } = params
      if (!(await findSchedule(db, id))) throw new AppError('NOT_FOUND', 'There is no such schedule.')
      const change = await request.body()
      const apply = (before: ScheduleRow) => checkSchedule(queues, changedSchedule(before, change), now())
      return presentSchedule(await changeSchedule(db, { id, apply, by: byOf(request) }))
    },

    async deleteSchedule(request) {
      await deleteSchedule(request.db, request.params.id, byOf(request))
      return { ok: true }
    },
  }
}

async function getJob(db: Db, id: string): Promise<JobDetailRow> {
  const job = await findJob(db, id)
  if (!job) throw noSuchJob()
  return job
}

const noSuchJob = () => new AppError('NOT_FOUND', 'There is no such job.')
