import { type Db, openDatabase } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log.ts'
import { maintainDeliveries } from './deliveries.ts'
import { DirectConnection, WORKER_CONNECTION } from './direct-connection.ts'
import type { JobDefinition } from './job-definition.ts'
import { JOB_CONTROL } from './job-events.ts'
import { JobWorker } from './job-worker.ts'
import { Reconciler } from './reconciler.ts'
import type { EnqueueScheduled, PeriodicJob } from './schedules.ts'

export type JobEngineOptions = {
  readonly url: string
  /** Bypasses a pooler, for LISTEN and the leader's lock. */
  readonly directUrl: string
  /** For the handlers' own transactions. */
  readonly db: Db
  readonly log: Log
  readonly definitions: readonly JobDefinition[]
  readonly periodic: readonly PeriodicJob[]
  /** Enqueues the job of a schedule; without it schedules do not run. */
  readonly enqueueScheduled?: EnqueueScheduled
  /** Tests shorten these. */
  readonly times?: Partial<EngineTimes>
}

export type EngineTimes = {
  /** How often an idle worker checks for jobs, which is also the longest delay of a start. */
  readonly pollMs: number
  readonly heartbeatMs: number
  readonly reconcileMs: number
  /** A run without a heartbeat for this long is lost. With a round of reconciling it must stay below 30 s. */
  readonly staleMs: number
  /** How long non-resumable jobs may take to finish when the worker stops; the process must end within 30 s. */
  readonly finishMs: number
  /** How long a resumable job keeps its slot while it waits for an answer. */
  readonly parkMs: number
}

const TIMES: EngineTimes = {
  pollMs: 1_000,
  heartbeatMs: 2_000,
  reconcileMs: 5_000,
  staleMs: 10_000,
  finishMs: 18_000,
  parkMs: 300_000,
}

// For heartbeats, events, outcomes and pg-boss, separate from the connections that handlers use.
const CONTROL_CONNECTIONS = 3

/** Runs jobs in this process until `close`. The queues must exist. */
export async function startJobEngine(options: JobEngineOptions): Promise<{ close(): Promise<void> }> {
  const { url, directUrl, db, log, definitions, periodic, enqueueScheduled } = options
  const times = { ...TIMES, ...options.times }
  const control = openDatabase(url, { max: CONTROL_CONNECTIONS, applicationName: 'worker-control', log })
  let worker: JobWorker | undefined
  try {
    const deliveries = await maintainDeliveries(control.pool, log)
    const direct = await DirectConnection.open({
      url: directUrl,
      applicationName: WORKER_CONNECTION,
      channel: JOB_CONTROL,
      onNotice: (jobId) => worker?.onControl(jobId),
      onConnect: () => worker?.lookNow(),
      log,
    })
    const wasAwaySince = (time: number) => direct.wasAwaySince(time)
    const running = new JobWorker({
      definitions,
      db,
      control: control.db,
      log,
      wasAwaySince,
      ...times,
    })
    worker = running
    const onRequeued = () => running.lookNow()
    const reconciler = new Reconciler({
      db: control.db,
      direct,
      periodic,
      enqueueScheduled,
      log,
      onRequeued,
      ...times,
    })
    return {
      async close() {
        await running.stop(times.finishMs)
        await reconciler.close()
        await direct.close()
        await deliveries.close()
        await control.close()
      },
    }
  } catch (error) {
    await control.close()
    throw error
  }
}
