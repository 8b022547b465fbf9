import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { makePictureSizes } from './make-picture-sizes.ts'
import { pictureSizesQueue, sweepPicturesQueue } from './picture-queues.ts'
import { sweepPictures } from './sweep-pictures.ts'

type Deps = { db: Db; files: FileStore; now: () => Date }

export function pictureJobs({ db, files, now }: Deps): JobDefinition[] {
  return [
    defineJob(pictureSizesQueue, (job) => makePictureSizes({ db, files }, job)),
    defineJob(sweepPicturesQueue, ({ signal }) => sweepPictures(db, files, { now: now(), signal })),
  ]
}
