import { z } from 'zod'
import { byId, count, endpoints, okReply } from './endpoint.ts'
import { MAX_PICTURES } from './listing/listing-rules.ts'
import { isOneLine, notOneLine } from './text/one-line.ts'

/* A listing's pictures, in order; the first is the cover. */

export const MAX_MARKS = 10
export const MAX_ALT = 200
export const MAX_MARK_NOTE = 120

const place = z
  .number('A mark needs x and y from 0 to 1')
  .min(0, 'A mark needs x and y from 0 to 1')
  .max(1, 'A mark needs x and y from 0 to 1')

/** A mark for damage, by its distance from the left (x) and top (y) edge, 0 to 1. */
export const pictureMark = z.object({ x: place, y: place, note: z.string() })
export type PictureMark = z.infer<typeof pictureMark>

const sentMark = pictureMark.extend({
  note: z
    .string('Describe what the mark shows')
    .trim()
    .min(1, 'Describe what the mark shows')
    .max(MAX_MARK_NOTE, `A mark’s note can have at most ${MAX_MARK_NOTE} characters`)
    .refine(isOneLine, notOneLine('The note')),
})

const sentAlt = z
  .string('The description of a picture must be text')
  .trim()
  .max(MAX_ALT, `The description of a picture can have at most ${MAX_ALT} characters`)
  .refine((text) => text === '' || isOneLine(text), notOneLine('The description'))

/** A picture as its seller edits it. */
const ownPicture = z.object({
  id: z.uuid(),
  /** Null if there is nothing to show: it is still being fetched, or fetching failed (see `problem`). */
  url: z.string().nullable(),
  /** As written by a person; if empty, the listing’s title is used. */
  alt: z.string(),
  /** Pixels; 0 while there is nothing to show. */
  width: count,
  height: count,
  marks: z.array(pictureMark),
  /** Why it could not be fetched from the address in its file. */
  problem: z.string().nullable(),
})
export type OwnPicture = z.infer<typeof ownPicture>

const pictureList = z.object({ pictures: z.array(ownPicture), max: z.literal(MAX_PICTURES) })
export type PictureList = z.infer<typeof pictureList>

/** File names in one call of `matchPictures`; the client splits longer lists. */
export const MAX_MATCHED_NAMES = 1_000

const pictureMatch = z.object({
  /** As sent. */
  name: z.string(),
  /** The stock number in the name, as spelled in the listings; null without a match. */
  stock: z.string().nullable(),
  /** One listing, none, or several with the same stock number, of which a person must choose. */
  listings: z.array(z.object({ id: z.uuid(), title: z.string(), stock: z.string() })),
  /** Why there are several or none, and what to do; null for exactly one. */
  why: z.string().nullable(),
})
export type PictureMatch = z.infer<typeof pictureMatch>

export const pictureEndpoints = endpoints({
  listPictures: {
    summary: 'The pictures of a listing in order, the cover first; also those that could not be fetched',
    params: byId,
    reply: pictureList,
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
  addPicture: {
    summary: 'Add a picture at the end; one that the listing already has is returned, not added again',
    params: byId,
    body: z.object({ alt: sentAlt.optional() }),
    file: 'image',
    status: 201,
    reply: ownPicture,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  orderPictures: {
    summary: 'Put the pictures in this order; the first becomes the cover',
    params: byId,
    body: z.object({
      /** Every picture of the listing, each once. */
      ids: z
        .array(z.uuid('Each id is the id of a picture'), 'ids is required')
        .max(MAX_PICTURES, `A listing can have at most ${MAX_PICTURES} pictures`),
    }),
    reply: pictureList,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT'],
  },
  editPicture: {
    summary: 'Change a picture’s description or its damage marks; omitted fields do not change',
    params: byId,
    body: z.object({
      alt: sentAlt.optional(),
      marks: z.array(sentMark).max(MAX_MARKS, `A picture can have at most ${MAX_MARKS} marks`).optional(),
    }),
    reply: ownPicture,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED'],
  },
  removePicture: {
    summary: 'Remove a picture; after the cover, the next one becomes the cover',
    params: byId,
    reply: okReply,
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
  matchPictures: {
    summary: 'Which of the seller’s live listings picture files belong to, by the stock number in each name',
    body: z.object({
      /** File names, with their folders if they have any (`photos/A1234/IMG_001.jpg`). */
      names: z
        .array(z.string().max(500, 'A file name can have at most 500 characters'), 'names is required')
        .max(
          MAX_MATCHED_NAMES,
          `At most ${MAX_MATCHED_NAMES.toLocaleString('en-US')} names a call; split them`,
        ),
    }),
    /** One for each name, in the same order. */
    reply: z.object({ matches: z.array(pictureMatch) }),
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED'],
  },
})
