import { memo, type ReactNode } from 'react'
import type { JobLine } from '#web/components/job-stream/feed-log.ts'
import { clockTime, utcTime } from './clock-time.ts'
import classes from './job-log.module.css'
import { isError, spansOf } from './log-line.ts'

type LogRowProps = {
  line: JobLine
  from: number
  to: number
  top: number
  /** Words to mark. */
  words: string
  /** The line that a search or a jump has arrived at. */
  current: boolean
}

/** A row of a log: a line, or a piece of one that is longer than the log is wide. The first has the time. */
export const LogRow = memo(function LogRow({ line, from, to, top, words, current }: LogRowProps) {
  return (
    <div
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
      data-stream={toneOf(line)}
      data-current={current || undefined}
    >
      {from === 0 ? (
        <time className={classes.time} dateTime={line.at} title={utcTime(line.at)}>
          {clockTime(line.at)}
        </time>
      ) : (
        <span className={classes.time} />
      )}
      <span className={classes.text}>{marked(line.text, from, to, words)}</span>
    </div>
  )
})

const toneOf = (line: JobLine) => (isError(line) && line.stream !== 'stderr' ? 'error' : line.stream)

/** The piece, with the words marked that begin, go on or end in it. */
function marked(text: string, from: number, to: number, words: string): ReactNode {
  if (words === '') return text.slice(from, to)
  const parts: ReactNode[] = []
  let at = from
  for (const [begin, end] of spansOf(text, words)) {
    if (end <= from || begin >= to) continue
    const start = Math.max(begin, from)
    const stop = Math.min(end, to)
    parts.push(text.slice(at, start), <mark key={begin}>{text.slice(start, stop)}</mark>)
    at = stop
  }
  return [...parts, text.slice(at, to)]
}
