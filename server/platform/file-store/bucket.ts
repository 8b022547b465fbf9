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
const ANSWER_TIMEOUT_MS = 20_000

export type BucketSettings = {
  readonly bucket: string
  readonly region: string
  /** Unset: Amazon's own. */
  readonly endpoint: string | undefined
  readonly forcePathStyle: boolean
  /** Unset: the credentials of the machine (role, profile). */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
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

function openClient({ region, endpoint, forcePathStyle, credentials }: BucketSettings): S3Client {
  return new S3Client({
    region,
    forcePathStyle,
    ...(credentials && { credentials }),
    // Other servers often do not know the checksums that Amazon's client sends since 2025.
    ...(endpoint && {
      endpoint,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: ANSWER_TIMEOUT_MS },
  })
}

// The client's types allow every field to be absent; a server that leaves one out gives the oldest, emptiest file.
const storedFile = (key: string, modifiedAt = new Date(0), bytes = 0): StoredFile => ({
  key,
  modifiedAt,
  bytes,
})
