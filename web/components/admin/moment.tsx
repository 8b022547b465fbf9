import { momentWords, timeAgo } from '#web/components/time-words.ts'

/** "3 days ago", with the moment itself under the pointer. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={momentWords(at)}>
      {timeAgo(at, new Date())}
    </time>
  )
}
