import { MAX_PICTURES } from '#contract/listing/listing-rules.ts'
import type { OwnPicture, PictureList, pictureEndpoints } from '#contract/pictures.ts'
import { storePicture } from '#server/features/market/pictures/store-picture.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import {
  addPicture,
  checkNotes,
  describePicture,
  getListing,
  getListingOfPicture,
  listPictures,
  orderPictures,
  removePicture,
} from './edit-pictures.ts'
import { matchPictures } from './match-pictures.ts'

export function pictureRoutes({ files }: { files: FileStore }): Handlers<typeof pictureEndpoints> {
  return {
    async listPictures({ db, actor, params }) {
      const listing = await getListing(db, actor, params.id)
      return listOf(await listPictures(db, listing.id))
    },

    async addPicture(request) {
      const listing = await getListing(request.db, request.actor, request.params.id)
      const { alt = '' } = await request.body()
      checkNotes({ alt })
      const file = await request.file()
      if (!file) throw noPicture()
      const stored = await storePicture(files, file.bytes)
      return (db: Db) => addPicture(db, { ...request, listing }, { stored, alt })
    },

    async orderPictures(request) {
      const listing = await getListing(request.db, request.actor, request.params.id)
      const { ids } = await request.body()
      return listOf(await orderPictures(request.db, { ...request, listing }, ids))
    },

    async editPicture(request) {
      const { db, actor, params } = request
      const listing = await getListingOfPicture(db, actor, params.id)
      const notes = await request.body()
      checkNotes(notes)
      return describePicture(db, { ...request, listing }, { id: params.id, notes })
    },

    async removePicture(request) {
      const { db, actor, params } = request
      const listing = await getListingOfPicture(db, actor, params.id)
      await removePicture(db, { ...request, listing }, params.id)
      return { ok: true }
    },

    async matchPictures({ db, actor, body }) {
      const { names } = await body()
      return { matches: await matchPictures(db, actor.sellerId, names) }
    },
  }
}

const listOf = (pictures: OwnPicture[]): PictureList => ({ pictures, max: MAX_PICTURES })

function noPicture(): AppError {
  const sentence = 'Choose a picture to add.'
  return new AppError('VALIDATION_FAILED', sentence, { fields: { image: sentence } })
}
