import { describe, expect, test } from 'vitest'
import type { JobDetail } from '#contract/admin/automation.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp({ PAYMENTS: 'off' })
const { api } = await app.signUp({ role: 'admin' })
const seller = await app.signUp()

const NOBODY = '00000000-0000-7000-8000-000000000000'
const JOBS = '/admin/automation/jobs'

async function makeJob(): Promise<string> {
  const row = { queue: 'preprocess', status: 'completed', ended_at: new Date() }
  const { id } = await app.db.insertInto('job').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

type Line = { kind: string; message: string; stream?: string; at?: Date }
async function tell(jobId: string, lines: readonly Line[]): Promise<void> {
  const rows = lines.map((line, n) => ({ ...line, job_id: jobId, seq: n + 1 }))
  await app.db.insertInto('job_event').values(rows).execute()
  await app.db.updateTable('job').set({ last_seq: rows.length }).where('id', '=', jobId).execute()
}

describe('GET /admin/automation/jobs/{id}/artifacts/{artifactId}', () => {
  async function leave(name: string, content = 'a,b\n1,2\n') {
    const jobId = await makeJob()
    const fileKey = `artifacts/${jobId}`
    await app.files.put(fileKey, Buffer.from(content))
    const { id } = await app.db
      .insertInto('job_artifact')
      .values({ job_id: jobId, name, file_key: fileKey, bytes: content.length })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { jobId, id, fileKey, path: `${JOBS}/${jobId}/artifacts/${id}` }
  }

  test('serves the file as the job left it and lists it on the job', async () => {
    const { jobId, id, path } = await leave('report.csv')
    const { status, bytes, headers } = await api.get(path)
    expect([status, bytes.toString()]).toEqual([200, 'a,b\n1,2\n'])
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="report.csv"; filename*=UTF-8''report.csv`,
      'x-content-type-options': 'nosniff',
    })
    const { body } = await api.get<JobDetail>(`${JOBS}/${jobId}`)
    expect(body.artifacts).toEqual([{ id, name: 'report.csv', bytes: 8, createdAt: expect.any(String) }])
    expect(body._count.artifacts).toBe(1)
  })

  test('an HTML file from a script is downloaded, never shown, and its name cannot break the header', async () => {
    const { path } = await leave('<x>"\r\nset-cookie: a=b.html', '<script>alert(1)</script>')
    const { headers } = await api.get(path)
    expect(headers['content-type']).toBe('application/octet-stream')
    expect(headers['content-disposition']).toMatch(/^attachment; filename="_x____set-cookie_ a_b\.html"; /)
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('404 under another job, for an unknown file and for a missing one; 403 for sellers', async () => {
    const { id, jobId, fileKey, path } = await leave('a.txt')
    expect((await seller.api.get(path)).status).toBe(403)
    expect((await api.get(`${JOBS}/${await makeJob()}/artifacts/${id}`)).status).toBe(404)
    expect((await api.get(`${JOBS}/${jobId}/artifacts/${NOBODY}`)).status).toBe(404)
    await app.files.delete(fileKey)
    expect((await api.get(path)).status).toBe(404)
  })
})

describe('GET /admin/automation/jobs/{id}/log', () => {
  test('lists time, stream and line in order, and leaves out events that are not lines', async () => {
    const jobId = await makeJob()
    const at = new Date('2026-11-20T10:00:00.123Z')
    await app.db.updateTable('job').set({ created_at: at }).where('id', '=', jobId).execute()
    await tell(jobId, [
      { kind: 'status', message: 'running', at },
      { kind: 'log', stream: 'stdout', message: 'hello', at },
      { kind: 'progress', message: 'half', at },
      { kind: 'log', stream: 'stderr', message: 'careful', at },
      { kind: 'error', message: 'it broke', at },
      { kind: 'done', message: 'failed', at },
    ])
    const { status, bytes, headers } = await api.get(`${JOBS}/${jobId}/log`)
    expect(status).toBe(200)
    expect(bytes.toString()).toBe(
      [
        '2026-11-20T10:00:00.123Z  system  the job is running',
        '2026-11-20T10:00:00.123Z  stdout  hello',
        '2026-11-20T10:00:00.123Z  stderr  careful',
        '2026-11-20T10:00:00.123Z  system  it broke',
        '',
      ].join('\n'),
    )
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': expect.stringContaining(`filename="job-${jobId}.log"`),
    })
  })

  test('a log longer than a page loses and repeats no line', async () => {
    const jobId = await makeJob()
    const lines = Array.from({ length: 2_500 }, (_, n) => `line ${n}`)
    await tell(
      jobId,
      lines.map((message) => ({ kind: 'log', stream: 'stdout', message })),
    )
    const { bytes } = await api.get(`${JOBS}/${jobId}/log`)
    const said = bytes.toString().trimEnd().split('\n')
    expect(said.map((line) => line.split('  ')[2])).toEqual(lines)
  })

  test('is empty for a job without output; 404 for an unknown job', async () => {
    expect((await api.get(`${JOBS}/${await makeJob()}/log`)).bytes).toHaveLength(0)
    expect((await api.get(`${JOBS}/${NOBODY}/log`)).status).toBe(404)
  })
})

describe('GET /admin/automation/jobs/{id}', () => {
  test('returns the last 200 events, oldest first', async () => {
    const jobId = await makeJob()
    await tell(
      jobId,
      Array.from({ length: 250 }, (_, n) => ({ kind: 'log', stream: 'stdout', message: `line ${n}` })),
    )
    const { events, _count } = (await api.get<JobDetail>(`${JOBS}/${jobId}`)).body
    expect([events.length, events[0]?.id, events.at(-1)?.id, _count.events]).toEqual([200, 51, 250, 250])
  })
})
