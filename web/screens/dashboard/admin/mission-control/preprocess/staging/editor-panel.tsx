import { Button, Group, SegmentedControl, Skeleton, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import { CsvEditor } from './csv-editor.tsx'
import classes from './staging.module.css'
import { useIsChanged } from './use-is-changed.ts'
import type { StagedFileDesk } from './use-staged-file.ts'
import { WindowTurner } from './window-turner.tsx'

// The editor is larger than the rest of the screen.
const JsonEditor = lazy(async () => ({ default: (await import('./json-editor.tsx')).JsonEditor }))

type EditorPanelProps = { desk: StagedFileDesk; onVersions: () => void }

/** The open file, as text or as a grid. */
export function EditorPanel({ desk, onVersions }: EditorPanelProps) {
  const { open, draft, setDraft, switchTo, shownAs, isFixed } = desk
  const changed = useIsChanged(draft)
  const onSave = () => void desk.save()
  return (
    <section aria-label="Editor">
      <Group justify="space-between" gap="xs" mb="xs">
        <Group gap="sm">
          <SegmentedControl
            aria-label="Edit as"
            size="xs"
            data={[
              { value: 'json', label: 'JSON', disabled: open.kind === 'window' },
              { value: 'csv', label: 'CSV' },
            ]}
            value={draft.mode}
            onChange={(mode) => switchTo(mode === 'csv' ? 'csv' : 'json')}
          />
          <Text size="sm" className="second" role="status">
            {stateOf(open.version, open.rows)}
            {changed && <strong className={classes.unsaved}> · Unsaved changes</strong>}
          </Text>
        </Group>
        <Button size="xs" variant="default" disabled={open.version === undefined} onClick={onVersions}>
          Versions
        </Button>
      </Group>
      {open.kind === 'window' && <WindowTurner open={open} desk={desk} />}
      <div className={classes.editor} inert={isFixed}>
        {draft.mode === 'json' ? (
          <Suspense fallback={<Skeleton height="clamp(22rem, calc(100dvh - 14rem), 46rem)" radius="lg" />}>
            <JsonEditor
              key={shownAs}
              text={draft.text}
              onSave={onSave}
              onEdit={() => setDraft((now) => (now.isChanged ? now : { ...now, isChanged: true }))}
            />
          </Suspense>
        ) : (
          <CsvEditor key={shownAs} staged={draft.sheet} isPart={open.kind === 'window'} onSave={onSave} />
        )}
      </div>
    </section>
  )
}

function stateOf(version: number | undefined, rows: number): string {
  if (version === undefined) return 'New file: nothing is loaded'
  return `Version ${version} · ${rowsInWords(rows)}`
}
