import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { MAX_PICTURE_BYTES } from '#contract/listing/listing-rules.ts'
import { AppError } from '#server/platform/errors.ts'
import { BrokenJson } from './error-boundary.ts'
import type { SpooledFile, UploadedFile } from './handler.ts'
import { UploadSlots, uploaderOf } from './limits/upload-slots.ts'
import { disconnectIfStalled, drain, readUpload, type UploadRules } from './uploads.ts'

// A description of 10,000 characters is at most 40 kB; forms have about 25 fields.
const MAX_FIELD_BYTES = 64 * 1024
const MAX_FIELDS = 60

/** Pictures are in memory while they upload: at most 24 × 10 MB per process, half of it for one address. */
const picturePlaces = new UploadSlots({ all: 24, perCaller: 4, perNetwork: 12 })

export const multipartLimits = {
  fileSize: MAX_PICTURE_BYTES,
  files: 1,
  fields: MAX_FIELDS,
  fieldSize: MAX_FIELD_BYTES,
  parts: MAX_FIELDS + 1,
}

export type RawBody = {
  body: unknown
  file?: UploadedFile
  upload?: SpooledFile
  /** Releases resources; to be called when the call has ended. */
  close?: () => Promise<void>
}

/**
 * Reads the raw body, JSON or multipart. Checks only its size; its text still has to go through `refuseUnreadableText`.
 */
export async function readRawBody(
  request: FastifyRequest,
  endpoint: Endpoint,
  rules: UploadRules,
): Promise<RawBody> {
  if (endpoint.upload) return readUpload(request, endpoint.upload, rules)
  if (request.isMultipart()) return readMultipart(request, endpoint, rules)
  if (request.body instanceof BrokenJson) throw request.body.reason
  return { body: request.body }
}

async function readMultipart(
  request: FastifyRequest,
  endpoint: Endpoint,
  rules: UploadRules,
): Promise<RawBody> {
  if (!endpoint.file) throw new AppError('WRONG_TYPE', 'This call does not accept form data. Send JSON.')
  const place = picturePlaces.take(uploaderOf(request))
  const stopWatching = disconnectIfStalled(request, rules.stalledAfterMs)
  const form: Form = { fields: new Map() }
  try {
    await Promise.race([readParts(request, form, endpoint.file), place.lost])
    const { fields, file } = form
    return { body: Object.fromEntries(fields), ...(file && { file }) }
  } catch (error) {
    form.arriving?.destroy()
    drain(request)
    if (error instanceof AppError || hasStatus(error)) throw error
    throw new AppError('MALFORMED', 'The form could not be read: it is incomplete or malformed.', {
      cause: error,
    })
  } finally {
    stopWatching()
    place.leave()
  }
}

/** Exceeded limits have a status, other errors of the form parser do not. */
const hasStatus = (error: unknown) => error instanceof Error && 'statusCode' in error

type Form = {
  fields: Map<string, string>
  /** The picture while it arrives. */
  arriving?: Readable
  file?: UploadedFile
}

async function readParts(request: FastifyRequest, form: Form, fileField: string): Promise<void> {
  for await (const part of request.parts({ limits: multipartLimits })) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw new AppError('TOO_LARGE', `The field ${part.fieldname} is too long.`)
      form.fields.set(part.fieldname, String(part.value))
      continue
    }
    if (part.fieldname !== fileField) {
      throw new AppError('VALIDATION_FAILED', `This call accepts no file named “${part.fieldname}”.`)
    }
    form.arriving = part.file
    const bytes = await part.toBuffer()
    // Browsers send an empty part for an empty file input.
    if (bytes.length > 0) form.file = { filename: part.filename, mimeType: part.mimetype, bytes }
  }
}

/** @throws AppError VALIDATION_FAILED with a message for the toast and one per invalid field */
export function parseBody(schema: z.ZodType, body: unknown): unknown {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw new AppError('MALFORMED', 'The body must be a JSON object.')
  }
  const parsed = schema.safeParse(body ?? {}, { error: issueSentence('The request') })
  if (parsed.success) return parsed.data
  const fields: Record<string, string> = {}
  for (const issue of parsed.error.issues) {
    fields[issue.path.join('.') || 'body'] ??= issue.message
  }
  const sentence = parsed.error.issues[0]?.message ?? 'Something in the request is not allowed.'
  throw new AppError('VALIDATION_FAILED', sentence, { fields })
}

/**
 * A sentence for a rule without one of its own, to be given to zod as `error`: its default messages are written for
 * programmers. `whole` names the input if no field is to blame, such as “The payload”.
 */
export const issueSentence =
  (whole: string) =>
  (issue: z.core.$ZodRawIssue): string => {
    const name = issue.path?.join('.') || whole
    switch (issue.code) {
      case 'invalid_type':
        return issue.input === undefined ? `${name} is missing` : `${name} must be of type ${issue.expected}`
      case 'unrecognized_keys':
        return `${whole} cannot have ${issue.keys.join(', ')}`
      case 'invalid_value':
        return `${name} must be ${anyOf(issue.values.map(String))}`
      case 'too_small':
        return `${name} must be at least ${issue.minimum}${lengthOf(issue.origin)}`
      case 'too_big':
        return `${name} must be at most ${issue.maximum}${lengthOf(issue.origin)}`
      case 'invalid_format':
        return `${name} is not a valid ${issue.format}`
      default:
        return `${name} is not valid`
    }
  }

const anyOf = (values: readonly string[]) =>
  new Intl.ListFormat('en-US', { type: 'disjunction' }).format(values)
const lengthOf = (origin: string) => (origin === 'string' ? ' characters long' : '')
