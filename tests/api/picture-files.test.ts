import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { pictureJobs } from '#server/features/market/pictures/jobs.ts'
import { pictureKey, smallerWidths } from '#server/features/market/pictures/picture-files.ts'
import { restorePictureLists, setFilePictures } from '#server/features/market/pictures/picture-lists.ts'
import { putPictures } from '#server/features/market/pictures/picture-queries.ts'
import {
  attachPicture,
  pictureSizesQueue,
  type StoredPicture,
  storePicture,
  storePictureWithSizes,
  sweepPicturesQueue,
} from '#server/features/market/pictures/store-picture.ts'
import { findMissingPictures, sweepPictures } from '#server/features/market/pictures/sweep-pictures.ts'
import { type Database, type Db, openDatabase } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { claimJob } from '#server/platform/jobs/claims.ts'
import { prepareJobQueues } from '#server/platform/jobs/deliveries.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { FenceLost, type JobQueue, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { EventWriter } from '#server/platform/jobs/job-events.ts'
import { openJobRun } from '#server/platform/jobs/job-run.ts'
import { openGuardedFetch } from '#server/platform/net/guarded-fetch.ts'
import { jpeg, png } from '#tests/support/image-fixtures.ts'
import { nobodyToAsk } from '#tests/support/job-bench.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'

// Which sizes a picture gets depends on its width; flat pictures are encoded in a tenth of the time.

let testDatabase: TestDatabase
let database: Database
let db: Db
let dir: string
let files: FileStore

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase(testDatabase.url, { max: 4, applicationName: 'picture files' })
  db = database.db
  await prepareJobQueues(database.pool, [pictureSizesQueue, sweepPicturesQueue])
})
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'partharbor-pictures-'))
  files = await openFileStore({ kind: 'fs', dir })
  await db.deleteFrom('listing_image').execute()
  await db.deleteFrom('job').execute()
  return () => rm(dir, { recursive: true, force: true })
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

/** A minimal listing. */
async function newListing(): Promise<string> {
  return withChangeSet(db, { actorKind: 'system', reason: 'test' }, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      with owner as (insert into seller (slug, name) values (uuidv7()::text, 'Yard') returning id)
      insert into listing (seller_id, kind, slug, name, manufacturer_name, model_name, year_from, year_to, price_cents)
      select id, 'ecommerce', uuidv7()::text, 'Alternator', 'Ford', 'F-150', 2014, 2014, 9550 from owner
      returning id`.execute(trx)
    return rows[0]?.id ?? ''
  })
}

const attach = (listingId: string, stored: StoredPicture, alt?: string) =>
  db.transaction().execute((trx) => attachPicture(trx, { listingId, stored, ...(alt && { alt }) }))

const picturesOf = (listingId: string) =>
  db.selectFrom('listing_image').selectAll().where('listing_id', '=', listingId).orderBy('position').execute()

const sizeJobs = async () =>
  (await db.selectFrom('job').select('payload').where('queue', '=', 'picture-sizes').execute()).map(
    ({ payload }) => payload,
  )

async function storedKeys(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of files.list('images')) keys.push(key)
  return keys.sort()
}

async function makeOlder(key: string, days: number): Promise<void> {
  const then = new Date(Date.now() - days * 86_400_000)
  await utimes(join(dir, key), then, then)
}

/** A run of a new job, as a worker’s claim starts it. */
async function startRun<Payload>(queue: JobQueue<Payload>, payload: Payload): Promise<JobRun<unknown>> {
  const claim = await claimJob(db, await enqueueJob(db, { queue, payload }))
  if (!claim || claim === 'busy') throw new Error('the job could not be claimed')
  const { signal } = new AbortController()
  const events = new EventWriter(db, claim, { onFailure: () => undefined, ending: signal })
  return openJobRun(claim, { db, events, dialogue: nobodyToAsk, signal })
}

function handle(queue: { name: string }, run: JobRun<unknown>): Promise<unknown> {
  const job = pictureJobs({ db, files, web: openGuardedFetch(), now: () => new Date() }).find(
    (each) => each.queue.name === queue.name,
  )
  if (!job) throw new Error(`no handler for ${queue.name}`)
  return job.run(run)
}

const makeSizes = async (sha256: string) =>
  handle(pictureSizesQueue, await startRun(pictureSizesQueue, { sha256 }))

describe('storing and attaching', () => {
  test('the file is stored under its hash; its row and its resize job are written together', async () => {
    const listingId = await newListing()
    const stored = await storePicture(files, await jpeg({ width: 1200, height: 120 }))
    expect(await storedKeys()).toEqual([pictureKey(stored.sha256)])
    const attached = await attach(listingId, stored, 'From the left')
    expect(attached).toMatchObject({ sha256: stored.sha256, replaced: undefined })
    expect(await picturesOf(listingId)).toMatchObject([
      {
        id: attached.id,
        position: 0,
        alt: 'From the left',
        sha256: stored.sha256,
        width: 1200,
        height: 120,
        widths: [],
        state: 'ready',
      },
    ])
    expect(await sizeJobs()).toEqual([{ sha256: stored.sha256 }])
  })

  test('a failed transaction leaves neither row nor job', async () => {
    const listingId = await newListing()
    const stored = await storePicture(files, await jpeg())
    const failing = db.transaction().execute(async (trx) => {
      await attachPicture(trx, { listingId, stored })
      throw new Error('something later failed')
    })
    await expect(failing).rejects.toThrow('something later failed')
    expect(await picturesOf(listingId)).toEqual([])
    expect(await sizeJobs()).toEqual([])
  })

  test('a small picture needs no job', async () => {
    await attach(await newListing(), await storePicture(files, await jpeg({ width: 440, height: 300 })))
    expect(await sizeJobs()).toEqual([])
  })

  test('a new picture replaces the first and reports which one it was', async () => {
    const listingId = await newListing()
    const first = await storePicture(files, await jpeg({ width: 300, height: 200 }))
    const second = await storePicture(files, await jpeg({ width: 320, height: 200 }))
    const before = await attach(listingId, first)
    const after = await attach(listingId, second)
    expect(after).toEqual({ id: before.id, sha256: second.sha256, replaced: first.sha256 })
    expect(await picturesOf(listingId)).toMatchObject([{ sha256: second.sha256, width: 320 }])
  })

  test('many rows are written in one statement, with their sizes', async () => {
    const stored = await storePictureWithSizes(files, await jpeg({ width: 1600, height: 160 }))
    expect(stored.widths).toEqual([440, 900])
    const listingIds = [await newListing(), await newListing(), await newListing()]
    await putPictures(
      db,
      listingIds.map((listingId, position) => ({ ...stored, listingId, position, alt: '' })),
    )
    for (const [position, listingId] of listingIds.entries()) {
      expect(await picturesOf(listingId)).toMatchObject([
        { position, sha256: stored.sha256, widths: [440, 900] },
      ])
    }
    expect(await storedKeys()).toHaveLength(3)
  })
})

describe('sizes', () => {
  test('the job makes them, records them, and leaves the listing’s version alone', async () => {
    const listingId = await newListing()
    const stored = await storePicture(files, await jpeg({ width: 1200, height: 120 }))
    await attach(listingId, stored)
    const [before] = await db.selectFrom('listing').selectAll().where('id', '=', listingId).execute()

    expect(await makeSizes(stored.sha256)).toEqual({ widths: [440, 900] })
    expect(await picturesOf(listingId)).toMatchObject([{ widths: [440, 900] }])
    for (const width of smallerWidths(stored.width)) {
      const stream = await files.get(pictureKey(stored.sha256, width))
      const { width: made, height } = await sharp(Buffer.concat((await stream?.toArray()) ?? [])).metadata()
      expect({ made, height }).toEqual({ made: width, height: width / 10 })
    }
    expect(await db.selectFrom('listing').selectAll().where('id', '=', listingId).execute()).toEqual([before])
  })

  test('running the job twice changes nothing', async () => {
    const stored = await storePicture(files, await jpeg({ width: 1200, height: 120 }))
    await attach(await newListing(), stored)
    await makeSizes(stored.sha256)
    const key = pictureKey(stored.sha256, 440)
    const first = await files.find(key)
    await makeSizes(stored.sha256)
    expect(await files.find(key)).toEqual(first)
  })

  test('a run whose job was taken over records nothing', async () => {
    const listingId = await newListing()
    const stored = await storePicture(files, await jpeg({ width: 1200, height: 120 }))
    await attach(listingId, stored)
    const run = await startRun(pictureSizesQueue, { sha256: stored.sha256 })
    await db
      .updateTable('job')
      .set({ run_no: run.runNo + 1 })
      .where('id', '=', run.jobId)
      .execute()
    await expect(handle(pictureSizesQueue, run)).rejects.toThrow(FenceLost)
    expect(await picturesOf(listingId)).toMatchObject([{ widths: [] }])
  })

  test('nothing is made for a picture that was replaced in the meantime', async () => {
    const stored = await storePicture(files, await jpeg({ width: 1200, height: 120 }))
    expect(await makeSizes(stored.sha256)).toEqual({ widths: [] })
    expect(await storedKeys()).toEqual([pictureKey(stored.sha256)])
  })

  test('a missing file ends the job and names the file', async () => {
    const stored = await storePicture(files, await jpeg({ width: 1200, height: 120 }))
    await attach(await newListing(), stored)
    await files.delete(pictureKey(stored.sha256))
    await expect(makeSizes(stored.sha256)).rejects.toThrow(stored.sha256)
  })
})

describe('sweeping', () => {
  const sweep = () => sweepPictures(db, files, { now: new Date(), signal: new AbortController().signal })

  test('a file without a row is removed after a day, one with a row never', async () => {
    const used = await storePictureWithSizes(files, await jpeg({ width: 1200, height: 120 }))
    const orphan = await storePictureWithSizes(files, await png({ width: 1000, height: 100 }))
    const young = await storePicture(files, await jpeg({ width: 60, height: 60 }))
    await attach(await newListing(), used)
    for (const key of await storedKeys()) if (key !== pictureKey(young.sha256)) await makeOlder(key, 2)

    expect(await sweep()).toMatchObject({ files: 3, parts: 0, bytes: expect.any(Number) })
    const kept = [used, young].flatMap(({ sha256, widths }) =>
      [undefined, ...widths].map((width) => pictureKey(sha256, width)),
    )
    expect(await storedKeys()).toEqual(kept.sort())
    expect(await files.exists(pictureKey(orphan.sha256))).toBe(false)
    expect(await sweep()).toMatchObject({ files: 0 })
  })

  test('a file shared by two listings is kept while one of them uses it', async () => {
    const [one, two] = [await newListing(), await newListing()]
    const shared = await storePicture(files, await jpeg({ width: 100, height: 100 }))
    await attach(one, shared)
    await attach(two, shared)
    await makeOlder(pictureKey(shared.sha256), 30)
    const other = await storePicture(files, await jpeg({ width: 101, height: 100 }))
    await attach(one, other)
    expect(await sweep()).toMatchObject({ files: 0 })
    await attach(two, other)
    expect(await sweep()).toMatchObject({ files: 1 })
    expect(await storedKeys()).toEqual([pictureKey(other.sha256)])
  })

  test('a deleted listing keeps its pictures so that Undo restores them', async () => {
    const listingId = await newListing()
    const stored = await storePicture(files, await jpeg({ width: 100, height: 100 }))
    await attach(listingId, stored)
    await withChangeSet(db, { actorKind: 'system', reason: 'test' }, (trx) =>
      sql`update listing set deleted_at = now() where id = ${listingId}`.execute(trx),
    )
    await makeOlder(pictureKey(stored.sha256), 30)
    expect(await sweep()).toMatchObject({ files: 0 })
  })

  test('a picture that a file replaced stays until its import can no longer be undone', async () => {
    const listingId = await newListing()
    const stored = await storePicture(files, await jpeg({ width: 1200, height: 120 }))
    const [mine, theirs] = [await attach(listingId, stored), ['https://yard.example/1.jpg']]
    await sql`update listing_image set source_url = 'https://yard.example/0.jpg' where id = ${mine.id}`.execute(
      db,
    )
    await setFilePictures(db, [{ listingId, addresses: theirs }])
    await makeOlder(pictureKey(stored.sha256), 30)
    expect(await sweep()).toMatchObject({ files: 0 })
    // Its smaller widths come while it waits.
    expect(await makeSizes(stored.sha256)).toEqual({ widths: [440, 900] })
    await restorePictureLists(db, [{ listingId, ids: [mine.id] }])
    expect(await picturesOf(listingId)).toMatchObject([{ id: mine.id, widths: [440, 900], state: 'ready' }])
    await setFilePictures(db, [{ listingId, addresses: theirs }])
    await sql`update removed_picture set removed_at = now() - interval '36 days'`.execute(db)
    for (const key of await storedKeys()) await makeOlder(key, 30)
    expect(await sweep()).toMatchObject({ files: 3 })
  })

  test('uploading the same picture again resets its age, in all its widths', async () => {
    const bytes = await jpeg({ width: 1200, height: 120 })
    await storePictureWithSizes(files, bytes)
    const keys = await storedKeys()
    for (const key of keys) await makeOlder(key, 30)
    await storePictureWithSizes(files, bytes)
    expect(await sweep()).toMatchObject({ files: 0 })
    expect([keys.length, await storedKeys()]).toEqual([3, keys])
  })

  test('files that are not pictures are kept', async () => {
    for (const key of ['images/logo.webp', 'images/3f/note.txt', 'staging/old']) {
      await files.put(key, new Uint8Array(3))
      await makeOlder(key, 30)
    }
    expect(await sweep()).toMatchObject({ files: 0 })
    expect(await files.exists('images/logo.webp')).toBe(true)
    expect(await files.exists('staging/old')).toBe(true)
  })

  test('the job sweeps, and stops when its worker stops', async () => {
    const { sha256 } = await storePicture(files, await jpeg({ width: 100, height: 100 }))
    await makeOlder(pictureKey(sha256), 2)
    await expect(sweepPictures(db, files, { now: new Date(), signal: AbortSignal.abort() })).rejects.toThrow(
      /abort/i,
    )
    expect(await handle(sweepPicturesQueue, await startRun(sweepPicturesQueue, {}))).toMatchObject({
      files: 1,
    })
  })
})

test('the file check names every missing file and its owner', async () => {
  const [one, two] = [await newListing(), await newListing()]
  const whole = await storePictureWithSizes(files, await jpeg({ width: 1200, height: 120 }))
  const hurt = await storePictureWithSizes(files, await png({ width: 1200, height: 120 }))
  await attach(one, whole)
  await attach(two, hurt)
  await files.delete(pictureKey(hurt.sha256))
  await files.delete(pictureKey(hurt.sha256, 900))
  const missing = []
  for await (const each of findMissingPictures(db, files)) missing.push(each)
  expect(missing).toEqual([
    { key: pictureKey(hurt.sha256), listingIds: [two] },
    { key: pictureKey(hurt.sha256, 900), listingIds: [two] },
  ])
})
