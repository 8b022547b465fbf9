import { Badge, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { type StagingFileEntry, type StagingRoot, stagingStates } from '#contract/admin/staging.ts'
import { Moment } from '#web/components/admin/records.tsx'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import { Waiting } from '#web/components/page/waiting.tsx'
import { QuietRetry } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import { LoadMore } from './changed-rows.tsx'
import classes from './staging.module.css'
import { type FileState, type StagedName, stateColors, useRecentFiles } from './staging-calls.ts'

type RecentFilesProps = {
  root: StagingRoot
  /** The open file's path. */
  current: string
  onChoose: (name: StagedName) => void
}

const noFilters = { q: '', state: '' as FileState }
const fileStates: readonly FileState[] = ['open', ...stagingStates]

/** Files of a root, last changed first; a click loads one. */
export function RecentFiles({ root, current, onChoose }: RecentFilesProps) {
  const [filters, setFilters] = useState(noFilters)
  const files = useRecentFiles(root, filters)
  const items = files.data?.pages.flatMap((page) => page.items)
  const isFiltered = filters.q !== '' || filters.state !== ''
  return (
    <section aria-label="Recent files" className={classes.recent}>
      <Text fw={650}>Recent files</Text>
      <SearchInput
        size="sm"
        aria-label="Search files"
        placeholder="Search path or seller"
        value={filters.q}
        onSearch={(q) => setFilters({ ...filters, q })}
      />
      <NativeSelect
        size="sm"
        aria-label="State of files"
        value={filters.state}
        data={[
          { value: '', label: 'All states' },
          ...stagingStates.map((state) => ({ value: state, label: state })),
          { group: 'In any state', items: [{ value: 'open', label: 'names need review' }] },
        ]}
        onChange={({ currentTarget: { value } }) =>
          setFilters({ ...filters, state: fileStates.find((state) => state === value) ?? '' })
        }
      />
      {files.isError && !items && <QuietRetry query={files} fallback="Failed to load" />}
      {files.isPending && <Waiting />}
      {items?.length === 0 && (
        <None isFiltered={isFiltered} root={root} onClear={() => setFilters(noFilters)} />
      )}
      {items && items.length > 0 && (
        <ul className={classes.files}>
          {items.map((file) => (
            <li key={file.path}>
              <FileButton file={file} isOpen={file.path === current} onChoose={() => onChoose(file)} />
            </li>
          ))}
          {files.hasNextPage && (
            <li>
              <LoadMore query={files} size="xs" variant="subtle" fullWidth />
            </li>
          )}
        </ul>
      )}
    </section>
  )
}

type FileButtonProps = { file: StagingFileEntry; isOpen: boolean; onChoose: () => void }

function FileButton({ file, isOpen, onChoose }: FileButtonProps) {
  return (
    <button
      type="button"
      className={classes.file}
      aria-current={isOpen || undefined}
      title={file.message}
      onClick={onChoose}
    >
      <span className={classes.fileName}>{file.path}</span>
      <Group gap="xs" justify="space-between" wrap="nowrap" component="span">
        <span className={classes.fileFacts}>
          {file.seller.name} · {rowsInWords(file.rows)} · <Moment at={file.updatedAt} />
          {file.openNames > 0 && ` · ${namesInWords(file.openNames)} to decide`}
        </span>
        <Badge component="span" size="sm" className={classes.state ?? ''} color={stateColors[file.state]}>
          {file.state}
        </Badge>
      </Group>
    </button>
  )
}

const namesInWords = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'name' : 'names'}`

type NoneProps = { isFiltered: boolean; root: StagingRoot; onClear: () => void }

function None({ isFiltered, root, onClear }: NoneProps) {
  if (!isFiltered) {
    return <Text className="second">No files in {root} yet. Bulk imports appear here.</Text>
  }
  return (
    <Stack gap="xs" align="flex-start">
      <Text className="second">No files match.</Text>
      <Button size="xs" variant="default" onClick={onClear}>
        Clear filters
      </Button>
    </Stack>
  )
}
