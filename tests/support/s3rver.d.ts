declare module 's3rver' {
  import type { AddressInfo } from 'node:net'

  /** The part of the package's interface that our tests use; it ships no types of its own. */
  class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      vhostBuckets: boolean
      configureBuckets: { name: string }[]
    })
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
  export = S3rver
}
