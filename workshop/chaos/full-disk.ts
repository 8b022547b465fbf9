/*
 * Disks that are full, as they are in earnest: small file systems in memory, filled to the last byte. Every call must
 * say so (507, or 503 while the database restarts), leave nothing half done, and work again by itself once there is room.
 */
import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { noise } from '#tests/support/image-fixtures.ts'
import { signalProcess } from '#tests/support/installation.ts'
import { csvOf, partMapping, partRows } from '#tests/support/make-imports.ts'
import { formOf } from '#tests/support/make-rows.ts'
import { descendantsOf } from '#tests/support/processes.ts'
import { startProgram } from '#tests/support/program.ts'
import { ask, listPart, signIn, statusesInWords } from '#workshop/attack/client.ts'

const run = promisify(execFile)

const RECOVERED_MS = 120_000
const PRO = { name: '', email: 'pro@partharbor.example', password: 'harbor-demo-1' }
const SENTENCE = /^The (disk|file store) is full, so nothing was saved\. Please try again later\.$/

type Scene = {
  url: string
  token: string
  fill: () => Promise<void>
  makeRoom: () => Promise<void>
  killDatabase: () => void
}
type Outcome = { problems: string[]; figure: string }
type Trial = {
  name: string
  megabytes: number
  mount: (dataDir: string) => string
  play: (scene: Scene) => Promise<Outcome>
}

/** Mounts a file system of this size; false without the right to. */
async function mountSmall(dir: string, megabytes: number): Promise<boolean> {
  await mkdir(dir, { recursive: true })
  return run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', dir]).then(
    () => true,
    () => false,
  )
}

async function fillUp(path: string): Promise<void> {
  const file = await open(path, 'a')
  try {
    for (const size of [1024 * 1024, 4096]) {
      for (let isFull = false; !isFull; ) {
        isFull = await file.write(randomBytes(size)).then(
          ({ bytesWritten }) => bytesWritten < size,
          () => true,
        )
      }
    }
  } finally {
    await file.close()
  }
}

type Sent = { status: number; error: string | undefined }

async function sendForm(
  url: string,
  token: string,
  [path, form]: [path: string, form: FormData],
): Promise<Sent> {
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  const body = (await reply.json().catch(() => ({}))) as { error?: string }
  return { status: reply.status, error: body.error }
}

const countOf = async ({ url, token }: Scene, q: string): Promise<number> => {
  const { body } = await ask(url, { path: `/api/seller/parts?${new URLSearchParams({ q })}`, token })
  return (body as { total?: number }).total ?? -1
}

/** The time until a call succeeds again, in ms; undefined if it does not. */
async function untilGood(attempt: () => Promise<number>): Promise<number | undefined> {
  const begin = performance.now()
  while (performance.now() - begin < RECOVERED_MS) {
    const status = await attempt().catch(() => 0)
    if (status >= 200 && status < 300) return Math.round(performance.now() - begin)
    await sleep(100)
  }
  return undefined
}

const readyz = (url: string) => fetch(`${url}/readyz`).then(({ status }) => status)

function chunk(key: string, index: number): [string, FormData] {
  const form = new FormData()
  const fields = { mapping: partMapping, idempotencyKey: key, chunkIndex: index, chunkCount: 2 }
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  form.append(
    'file',
    new Blob([csvOf(partRows(2_000, index * 2_000 + 1))], { type: 'text/csv' }),
    'parts.csv',
  )
  return ['/api/pro/bulk/parts/csv', form]
}

const aPart = {
  partname: 'Headlamp assembly',
  partdescription: 'Left side, halogen, no cracks.',
  partyear: '2014',
  partgrade: 'B',
  partprice: '149.99',
  partshipping: '20',
  partcity: 'Tulsa',
  partstate: 'OK',
  dealername: 'Whitfield Auto Salvage',
  dealerphone: '(918) 555-0142',
}

/** Pictures and chunks of an import, while files cannot be stored. */
async function playFiles(scene: Scene): Promise<Outcome> {
  const { url, token } = scene
  const problems: string[] = []
  const expect = (what: string, { status, error = '' }: Sent, wanted: number) => {
    if (status !== wanted) problems.push(`${what}: ${status} ${error}`)
    if (wanted === 507 && !SENTENCE.test(error)) problems.push(`${what}: “${error}”`)
  }
  const partnum = `FULL-${randomUUID().slice(0, 8)}`
  const quick = (await listPart(url, token)).body as Record<string, string>
  const { partcategoryId, partmanuId, partmanuname, partmodel } = quick
  const bytes = await noise({ width: 1_200, height: 900 })
  const listing = (): [string, FormData] => {
    const lookups = { partcategoryId, partmanuId, partmanuname, partmodel }
    return ['/api/seller/parts', formOf({ ...aPart, ...lookups, partnum }, { bytes })]
  }
  const key = `bulk_${randomUUID()}`
  expect('the first chunk', await sendForm(url, token, chunk(key, 0)), 200)
  await scene.fill()
  expect('a picture', await sendForm(url, token, listing()), 507)
  expect('a chunk', await sendForm(url, token, chunk(key, 1)), 507)
  if ((await countOf(scene, partnum)) !== 0) problems.push('a listing without its picture was left')
  if ((await ask(url, { path: '/api/seller/parts', token })).status !== 200) problems.push('reading stopped')
  await scene.makeRoom()
  const readyMs = await untilGood(() => readyz(url))
  expect('the chunk again', await sendForm(url, token, chunk(key, 1)), 200)
  expect('the picture again', await sendForm(url, token, listing()), 201)
  if ((await countOf(scene, partnum)) !== 1) problems.push('the listing is not there once')
  if (readyMs === undefined) problems.push('not ready again')
  return { problems, figure: `ready again after ${readyMs} ms` }
}

const WRITES = 4_000
const AT_ONCE = 4
const REFUSED = 300
/** Longer than a restart takes where there is room. */
const AWAY_MS = 5_000

/** Listings, until the database can store no more; then it is killed, and cannot recover before there is room. */
async function playDatabase(scene: Scene): Promise<Outcome> {
  const { url, token } = scene
  const mark = `D${randomUUID().slice(0, 6)}`
  const sent: { partnum: string; status: number; text: string }[] = []
  const list = async (name: string) => {
    const partnum = `${mark}-${name}`
    const partdesc = randomBytes(3_000).toString('hex')
    const { status, text } = await listPart(url, token, { partnum, partname: mark, partdesc })
    sent.push({ partnum, status, text })
    return status
  }
  await list('first')
  await scene.fill()
  let refused = 0
  const lane = async (name: number) => {
    for (let n = 0; n < WRITES / AT_ONCE && refused < REFUSED; n += 1) {
      if ((await list(`${name}-${n}`)) !== 201) refused += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, name) => lane(name)))
  scene.killDatabase()
  const until = performance.now() + AWAY_MS
  while (performance.now() < until) {
    await list(`${sent.length}`)
    await sleep(200)
  }
  const problems = sent
    .filter(
      ({ status, text }) =>
        ![201, 503].includes(status) && !(status === 507 && text.includes('The disk is full')),
    )
    .map(({ status, text }) => `${status} ${text.slice(0, 120)}`)
  await scene.makeRoom()
  const readyMs = await untilGood(() => readyz(url))
  const writesMs = await untilGood(() => list('last'))
  if (readyMs === undefined || writesMs === undefined) problems.push('it did not recover')
  const kept = sent.filter(({ status }) => status === 201).length
  const found = await countOf(scene, mark)
  // A connection that broke may have been committed: at most those without a reply are there beyond the acknowledged.
  const unknown = sent.filter(({ status }) => status === 0 || status === 503).length
  if (found < kept || found > kept + unknown) problems.push(`${kept} were acknowledged, ${found} are there`)
  const statuses = statusesInWords(sent.map(({ status }) => status))
  const figure = `${statuses}; ready again after ${readyMs} ms; ${kept} acknowledged, ${found} there`
  return { problems: [...new Set(problems)].slice(0, 5), figure }
}

const trials: readonly Trial[] = [
  { name: 'the disk of the files', megabytes: 12, mount: (dir) => join(dir, 'files'), play: playFiles },
  { name: 'the disk of the database', megabytes: 700, mount: (dir) => dir, play: playDatabase },
]

function killDatabaseOf(supervisor: number): void {
  const server = descendantsOf(supervisor).find(({ command }) => /postgres .*-D /.test(command))
  if (!server) throw new Error('the database is not running')
  signalProcess(server.pid, 'SIGKILL')
}

async function runTrial({ name, megabytes, mount, play }: Trial): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partharbor-disk-'))
  const disk = mount(dataDir)
  if (!(await mountSmall(disk, megabytes))) {
    console.log(`skipped: ${name} (mounting a small file system needs root)`)
    await rm(dataDir, { recursive: true, force: true })
    return true
  }
  const program = startProgram({ settings: { DATA_DIR: dataDir, PORT: '0' } })
  try {
    const url = await program.ready
    const { token } = (await signIn(url, PRO)).body as { token: string }
    const filler = join(disk, 'filler')
    const { problems, figure } = await play({
      url,
      token,
      fill: () => fillUp(filler),
      makeRoom: () => rm(filler),
      killDatabase: () => killDatabaseOf(program.child.pid ?? 0),
    })
    console.log(`${problems.length > 0 ? 'FAILED' : 'ok    '} ${name}: ${figure}`)
    for (const problem of problems) console.log(`  ${problem}`)
    if (problems.length > 0) console.log(program.output().slice(-3_000))
    return problems.length === 0
  } finally {
    program.child.kill('SIGTERM')
    await program.ended
    await run('umount', [disk])
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Prints a line for each disk, or each with this word; returns whether all held or were skipped. */
export async function chaosFullDisk([only = '']: string[]): Promise<boolean> {
  let isGood = true
  for (const trial of trials.filter(({ name }) => name.includes(only)))
    isGood = (await runTrial(trial)) && isGood
  return isGood
}
