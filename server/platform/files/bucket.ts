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

// A healthy store answers within milliseconds; a person's request must not hang on one that is not. The first time
// also holds the wait for one of the 50 connections.
const CONNECT_TIMEOUT_MS = 5_000
// A picture is below 1 MB. Also the longest pause in the middle of a file that is read.
const ANSWER_TIMEOUT_MS = 10_000
// So nobody waits for more than 20 s; jobs, and people who are asked to try again, come back anyway.
const ATTEMPTS = 2

export type BucketSettings = {
  readonly bucket: string
  readonly region: string
  /** Unset: Amazon's own. */
  readonly endpoint: string | undefined
  readonly forcePathStyle: boolean
  /** Unset: the credentials of the machine (role, profile). */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
  /** Tests that wait for it shorten it. */
  readonly answerTimeoutMs?: number
}

/** Files in a bucket of Amazon S3 or of another server that speaks S3. Writing an object is one step there. */
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
      throw new TypeError('The S3 client did not answer with a stream of Node')
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
            Prefix: `${folder}/`,
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
  const answerTimeoutMs = limits.answerTimeoutMs ?? ANSWER_TIMEOUT_MS
  return new S3Client({
    region,
    forcePathStyle,
    maxAttempts: ATTEMPTS,
    ...(credentials && { credentials }),
    // Other servers often do not know the checksums that Amazon's client sends since 2025.
    ...(endpoint && {
      endpoint,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: answerTimeoutMs,
      // Without this the client only warns of a late answer, and waits on.
      throwOnRequestTimeout: true,
      socketTimeout: answerTimeoutMs,
    },
  })
}

// The client's types allow every field to be absent; a server that leaves one out gives the oldest, emptiest file.
const storedFile = (key: string, modifiedAt = new Date(0), bytes = 0): StoredFile => ({
  key,
  modifiedAt,
  bytes,
})
