import type { stagingDeskEndpoints } from '#contract/admin/staging.ts'
import type { Answer, ErrorReply } from '#contract/endpoint.ts'
import type { ApiClient, Answer as Got } from './api-client.ts'

type Desk = typeof stagingDeskEndpoints
type Name = keyof Desk
/** What a call answers, or the error it answers instead. */
type Either<N extends Name> = Omit<Answer<Desk[N]>, 'ok'> & Partial<Omit<ErrorReply, 'ok'>>
type Reply<N extends Name> = Promise<Got<Either<N>>>

type Query = Record<string, string | number | undefined>
export type Row = { id: string; row?: number }
export type Cell = Row & { field: string; old?: unknown; new?: unknown }
export type SentPatch = {
  path: string
  version: number
  message?: string
  cells?: Cell[]
  deleteRows?: Row[]
  addRows?: Record<string, unknown>[]
}

const BASE = '/admin/automation/staging'

/** The calls of the desk of staged files, in root ecomm unless another is named. */
export function stagingDesk(api: ApiClient) {
  const get = <N extends Name>(part: string, query: Query): Reply<N> => {
    const said = Object.entries({ root: 'ecomm', ...query }).filter(([, value]) => value !== undefined)
    const text = new URLSearchParams(said.map(([name, value]): [string, string] => [name, String(value)]))
    return api.get(`${BASE}/${part}?${text}`)
  }
  const post = <N extends Name>(part: string, body: object): Reply<N> =>
    api.post(`${BASE}/${part}`, { root: 'ecomm', ...body })
  return {
    list: (query: Query = {}) => get<'listStagingFiles'>('files', query),
    window: (query: Query) => get<'readStagingWindow'>('rows', query),
    patch: (body: SentPatch) => post<'patchStagingFile'>('patch', body),
    versions: (query: Query) => get<'listStagingVersions'>('versions', query),
    diff: (query: Query) => get<'diffStagingVersions'>('diff', query),
    restore: (body: object) => post<'restoreStagingVersion'>('restore', body),
    plan: (path: string) => post<'planStagingFile'>('plan', { path }),
    readPlan: (path: string) => get<'readStagingPlan'>('plan', { path }),
    rows: (query: Query) => get<'listPlannedRows'>('plan/rows', query),
    undo: (path: string) => post<'undoStagingFile'>('undo', { path }),
  }
}
