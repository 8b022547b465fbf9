import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import type { GuardedFetch } from '#server/platform/net/guarded-fetch.ts'
import { fetchPictures } from './fetch-pictures.ts'
import {
  fetchPicturesQueue,
  makePictureSizes,
  pictureSizesQueue,
  sweepPicturesQueue,
} from './store-picture.ts'
import { sweepPictures } from './sweep-pictures.ts'

type Deps = { db: Db; files: FileStore; web: GuardedFetch; now: () => Date }

export function pictureJobs({ db, files, web, now }: Deps): JobDefinition[] {
  return [
    defineJob(pictureSizesQueue, (job) => makePictureSizes({ db, files }, job)),
    defineJob(fetchPicturesQueue, (job) => fetchPictures({ db, files, web }, job)),
    defineJob(sweepPicturesQueue, ({ signal }) => sweepPictures(db, files, { now: now(), signal })),
  ]
}
