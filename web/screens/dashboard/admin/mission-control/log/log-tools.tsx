import { Button, SegmentedControl, TextInput } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import { IconAlertTriangle, IconCopy, IconDownload } from '@tabler/icons-react'
import type { ReactNode, RefObject } from 'react'
import { automationEndpoints } from '#contract/admin/automation.ts'
import { call } from '#web/api/client.ts'
import type { JobLine } from '#web/components/job-stream/feed-log.ts'
import { MatchArrows } from '#web/components/pager.tsx'
import { copyText, useDownload } from '#web/screens/dashboard/admin/mission-control/download.ts'
import classes from './job-log.module.css'
import { type LogLevel, logText } from './log-line.ts'

type LogToolsProps = {
  search: RefObject<HTMLInputElement | null>
  level: LogLevel
  onLevel: (level: LogLevel) => void
  words: string
  onWords: (words: string) => void
  /** Number of matching lines, and the index of the current one, or -1. */
  found: { count: number; at: number }
  onFind: (backwards: boolean) => void
  onNextError: (() => void) | undefined
  lines: readonly JobLine[]
  children?: ReactNode
}

const levels: { value: LogLevel; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'errors', label: 'Errors' },
  { value: 'system', label: 'System' },
]

export function LogTools(props: LogToolsProps) {
  const { level, onLevel, lines, onNextError, children } = props
  return (
    <div className={classes.tools}>
      <SegmentedControl aria-label="Level" size="sm" data={levels} value={level} onChange={onLevel} />
      <Find {...props} />
      <Button
        variant="default"
        size="xs"
        leftSection={<IconAlertTriangle size={16} />}
        disabled={onNextError === undefined}
        onClick={onNextError}
      >
        Next error
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconCopy size={16} />}
        disabled={lines.length === 0}
        onClick={() => void copyText(logText(lines), copied)}
      >
        Copy
      </Button>
      {children}
    </div>
  )
}

function Find({ search, words, onWords, found, onFind }: LogToolsProps) {
  return (
    <div className={classes.find}>
      <TextInput
        ref={search}
        size="xs"
        type="search"
        aria-label="Search the log"
        placeholder="Search the log"
        value={words}
        onChange={(event) => onWords(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onFind(event.shiftKey)
          if (event.key === 'Escape') onWords('')
        }}
      />
      {words !== '' && (
        <>
          <span className={classes.found} role="status">
            {foundWords(found)}
          </span>
          <MatchArrows size={30} disabled={found.count === 0} onFind={onFind} />
        </>
      )}
    </div>
  )
}

function foundWords({ count, at }: LogToolsProps['found']): string {
  if (count === 0) return 'No match'
  const all = count.toLocaleString('en-US')
  return at === -1
    ? `${all} ${count === 1 ? 'line' : 'lines'}`
    : `${(at + 1).toLocaleString('en-US')} of ${all}`
}

const copied = { done: 'Log copied', instead: 'Download the log instead.' }

/** Downloads the whole log, including lines no longer kept here. */
export function DownloadLog({ jobId }: { jobId: string | undefined }) {
  const downloading = useDownload()
  const download = (id: string) =>
    downloading.mutate({
      name: `job-${id}.log`,
      read: () => call(automationEndpoints.downloadLog, { params: { id } }),
    })
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconDownload size={16} />}
      disabled={jobId === undefined}
      loading={downloading.isPending}
      onClick={() => jobId !== undefined && download(jobId)}
    >
      Download
    </Button>
  )
}
