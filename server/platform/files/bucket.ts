import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { Drive, StoredFile } from './file-store.ts'

// A healthy store replies within milliseconds, and requests must not hang on a broken one. Includes the wait for one of
// the 50 connections.
const CONNECT_TIMEOUT_MS = 5_000
// Pictures are smaller than 1 MB. This is also the longest pause while reading a file.
const REPLY_TIMEOUT_MS = 10_000
// No request waits more than 20 s; jobs and users retry anyway.
const ATTEMPTS = 2

export type BucketSettings = {
  readonly bucket: string
  readonly region: string
  /** Unset: Amazon S3. */
  readonly endpoint: string | undefined
  readonly forcePathStyle: boolean
  /** Unset: the S3 client's default credentials (role, profile). */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
  /** Tests shorten it. */
  readonly answerTimeoutMs?: number
}

/** Files in a bucket of Amazon S3 or a compatible server, where writing an object is atomic. */
export function openBucket(settings: BucketSettings): Drive {
  const client = openClient(settings)
  const at = (key: string) => ({ Bucket: settings.bucket, Key: key })
  return {
    write: async (key, bytes) => {
      await client.send(new PutObjectCommand({ ...at(key), Body: bytes }))
    },
    read: async (key) => {
      const { Body } = await client.send(new GetObjectCommand(at(key)))
      if (Body instanceof Readable) return Body
      throw new TypeError('The S3 client did not return a Node stream')
    },
    look: async (key) => {
      const { LastModified, ContentLength } = await client.send(new HeadObjectCommand(at(key)))
      return storedFile(key, LastModified, ContentLength)
    },
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(at(key)))
    },
    list: async function* (folder) {
      let page: string | undefined
      do {
        const listed = await client.send(
          new ListObjectsV2Command({
            Bucket: settings.bucket,
            Prefix: folder === '' ? '' : `${folder}/`,
            ContinuationToken: page,
          }),
        )
        for (const { Key, LastModified, Size } of listed.Contents ?? []) {
          yield storedFile(Key ?? '', LastModified, Size)
        }
        page = listed.NextContinuationToken
      } while (page)
    },
    sweep: async () => 0,
  }
}

function openClient({ region, endpoint, forcePathStyle, credentials, ...limits }: BucketSettings): S3Client {
  const answerTimeoutMs = limits.answerTimeoutMs ?? REPLY_TIMEOUT_MS
  return new S3Client({
    region,
    forcePathStyle,
    maxAttempts: ATTEMPTS,
    ...(credentials && { credentials }),
    // Other servers often do not support the checksums that Amazon's client has sent since 2025.
    ...(endpoint && {
      endpoint,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: answerTimeoutMs,
      // Without this the client only warns about a late reply and keeps waiting.
      throwOnRequestTimeout: true,
      socketTimeout: answerTimeoutMs,
    },
  })
}

// The client's types make every field optional; a missing one becomes the oldest date or zero bytes.
const storedFile = (key: string, modifiedAt = new Date(0), bytes = 0): StoredFile => ({
  key,
  modifiedAt,
  bytes,
})
