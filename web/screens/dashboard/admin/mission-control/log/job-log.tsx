import { Button, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { JobLine } from '#web/components/job-stream/feed-log.ts'
import classes from './job-log.module.css'
import {
  isError,
  type LogLevel,
  linesOfLevel,
  linesWith,
  linesWithErrors,
  nextPlace,
  spansOf,
} from './log-line.ts'
import { LogTools } from './log-tools.tsx'
import { breakLine, type LogView, lineAt, ROW, useLogView } from './log-view.ts'

const clock = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** "23:14:02", in the user's time zone. */
const clockTime = (iso: string): string => clock.format(new Date(iso))

/** "2026-11-21 23:14:02.125 UTC" */
const utcTime = (iso: string): string => new Date(iso).toISOString().replace('T', ' ').replace('Z', ' UTC')

type LogRowProps = {
  line: JobLine
  from: number
  to: number
  top: number
  words: string
  current: boolean
}

/** A line of the log, or a piece of a line too long for one row. The first piece shows the time. */
const LogRow = memo(function LogRow({ line, from, to, top, words, current }: LogRowProps) {
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

/** The piece with matches highlighted, including matches that continue in another piece. */
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

const EVERY_MS = 10_000
const LONGEST = 120

/** Announces to screen readers how many lines are new, and the last one, but not every line. */
function NewLines({ count, last }: { count: number; last: string }) {
  const [words, setWords] = useState('')
  const announced = useRef(count)
  const announce = useEffectEvent(() => {
    const came = count - announced.current
    announced.current = count
    if (came > 0) setWords(`${came} new ${came === 1 ? 'line' : 'lines'}. Last: ${last.slice(0, LONGEST)}`)
  })
  useEffect(() => {
    const timer = setInterval(announce, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return <VisuallyHidden role="status">{words}</VisuallyHidden>
}

type JobLogProps = {
  lines: readonly JobLine[]
  empty: string
  /** The number of lines before the first one kept here. */
  dropped: number
  actions?: ReactNode
}

/** A growing, searchable log of any length. Follows the end until the user scrolls up. */
export function JobLog({ lines, empty, dropped, actions }: JobLogProps) {
  const [level, setLevel] = useState<LogLevel>('all')
  const [words, setWords] = useState('')
  const [current, setCurrent] = useState<number>()
  const search = useRef<HTMLInputElement>(null)
  const shown = useMemo(() => linesOfLevel(lines, level), [lines, level])
  const found = useMemo(() => linesWith(shown, words), [shown, words])
  const view = useLogView(shown)

  const place = shown.findIndex(({ id }) => id === current)
  const here = place === -1 ? undefined : place
  const goTo = (next: number | undefined) => {
    if (next === undefined) return
    setCurrent(shown[next]?.id)
    view.show(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSearchKey(event)) return
    event.preventDefault()
    search.current?.focus()
  }
  const errors = linesWithErrors(shown)
  return (
    <Stack gap="sm">
      <LogTools
        search={search}
        level={level}
        onLevel={setLevel}
        words={words}
        onWords={setWords}
        found={{ count: found.length, at: here === undefined ? -1 : found.indexOf(here) }}
        onFind={(backwards) => goTo(nextPlace(found, here, backwards))}
        onNextError={errors.length > 0 ? () => goTo(nextPlace(errors, here)) : undefined}
        lines={shown}
      >
        {actions}
      </LogTools>
      {dropped > 0 && (
        <Text size="sm" className="second">
          The last {lines.length.toLocaleString('en-US')} lines; {dropped.toLocaleString('en-US')} before them{' '}
          {dropped === 1 ? 'is' : 'are'} in the download.
        </Text>
      )}
      <div className={classes.frame}>
        {/* Screen readers would read every line; NewLines summarizes them instead. */}
        <div
          ref={view.scroller}
          className={classes.log}
          role="log"
          aria-live="off"
          aria-label="Log"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access
          tabIndex={0}
          onScroll={view.onScroll}
          onKeyDown={onKeyDown}
        >
          {shown.length === 0 ? (
            <div className={classes.empty}>{lines.length === 0 ? empty : 'No lines at this level.'}</div>
          ) : (
            <Rows view={view} lines={shown} words={words} current={current} />
          )}
        </div>
        {!view.following && <FollowButton lines={shown} onFollow={view.follow} />}
      </div>
      <NewLines count={dropped + lines.length} last={lines.at(-1)?.text ?? ''} />
    </Stack>
  )
}

const isSearchKey = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key === '/' || (key === 'f' && (ctrlKey || metaKey))

type RowsProps = { view: LogView; lines: readonly JobLine[]; words: string; current: number | undefined }

function Rows({ view, lines, words, current }: RowsProps) {
  const { rows, ruler, first, last, size } = view
  const drawn: ReactNode[] = []
  for (let row = first; row <= last; ) {
    const place = lineAt(rows, row)
    const line = lines[place]
    if (!line) break
    const start = rows.starts[place] ?? 0
    const pieces = breakLine(line.text, ruler)
    for (; row <= last && row < start + pieces.length; row += 1) {
      const [from, to] = pieces[row - start] ?? [0, 0]
      // Rows that scroll into view reuse the elements of those that left.
      drawn.push(
        <LogRow
          key={row % size}
          {...{ line, from, to, words }}
          top={row * ROW}
          current={line.id === current}
        />,
      )
    }
  }
  return (
    <div className={classes.rows} style={{ height: rows.total * ROW }}>
      {drawn}
    </div>
  )
}

type FollowButtonProps = { lines: readonly JobLine[]; onFollow: () => void }

function FollowButton({ lines, onFollow }: FollowButtonProps) {
  const [paused] = useState(lines.at(-1)?.id)
  const at = lines.findLastIndex(({ id }) => id === paused)
  const count = lines.length - 1 - at
  return (
    <Button
      className={classes.follow ?? ''}
      size="xs"
      leftSection={<IconArrowDown size={16} />}
      onClick={onFollow}
    >
      {count === 0 ? 'Follow log' : `Follow log (${count.toLocaleString('en-US')} new)`}
    </Button>
  )
}
