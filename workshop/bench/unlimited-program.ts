/* The program as it is, but one client may request more in a second than a person in an hour. */
import { limits } from '#server/platform/http/limits/rate-limits.ts'

limits.read.most = 1_000_000_000
limits.write.most = 1_000_000
await import('#server/main.ts')
