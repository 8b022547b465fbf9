import { Button, Card, Group, Select, Text, TextInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { grades } from '#contract/listing/listing-rules.ts'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import { gradeWords } from '#web/site/card/listing-words.ts'
import { canBeSet, nameOf, type ProblemGroup, setFix } from './column-fixes.ts'
import type { AppliedFix, ColumnFixes } from './use-column-fixes.ts'

/** The fixes for all rows of a problem at once, and those already applied. */
export function KindFixes({ fixes, group }: { fixes: ColumnFixes; group: ProblemGroup }) {
  const pending = fixes.pendingOf(group.key)
  const isWorking = fixes.working === group.key
  return (
    <div>
      {fixes.appliedTo(group.key).map((fix) => (
        <Applied key={fix.number} fix={fix} onUndo={fixes.undo} />
      ))}
      {pending.length > 0 && (
        <Group gap="xs" mt={4} role="group" aria-label={`Fixes for ${placeOf(group)}`}>
          {fixes.fixesOf(group).map((fix, place) => (
            <Button
              key={fix.id}
              size="xs"
              variant={place === 0 && fix.id === 'mend' ? 'filled' : 'default'}
              loading={isWorking}
              onClick={() => fixes.apply(group, fix)}
            >
              {fix.label}
            </Button>
          ))}
          {canBeSet(group) && <SetValue fixes={fixes} group={group} />}
        </Group>
      )}
    </div>
  )
}

const placeOf = (group: ProblemGroup): string => {
  if (group.column === '') return 'whole rows'
  return group.at >= 0 ? group.column : nameOf(group)
}

function Applied({ fix, onUndo }: { fix: AppliedFix; onUndo: (fix: AppliedFix) => void }) {
  return (
    <Group gap="xs">
      <IconCheck size={16} stroke={2.4} aria-hidden />
      <Text size="sm">
        {fix.label} ({rowsInWords(fix.mended.size)})
      </Text>
      <Button
        size="compact-xs"
        variant="subtle"
        aria-label={`Undo: ${fix.label}`}
        onClick={() => onUndo(fix)}
      >
        Undo
      </Button>
    </Group>
  )
}

/** Fixes from before the last check. Their problems may be gone, but they can still be undone. */
export function EarlierFixes({ fixes }: { fixes: ColumnFixes }) {
  if (fixes.earlier.length === 0) return null
  return (
    <Card component="section" aria-label="Fixes in use">
      <Text fw={600}>Fixes in use</Text>
      {fixes.earlier.map((fix) => (
        <Applied key={fix.number} fix={fix} onUndo={fixes.undo} />
      ))}
    </Card>
  )
}

/** "Set price to …" for all rows that are left. */
function SetValue({ fixes, group }: { fixes: ColumnFixes; group: ProblemGroup }) {
  const [text, setText] = useState('')
  const pending = fixes.pendingOf(group.key)
  const label = `Set ${nameOf(group)} in ${rowsInWords(pending.length)} to`

  function submit(event: FormEvent): void {
    event.preventDefault()
    event.stopPropagation()
    const fix = setFix(group, pending, text.trim())
    if (fix && text.trim() !== '') fixes.apply(group, fix)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Group gap={4} wrap="nowrap">
        {group.field === 'partgrade' ? (
          <Select
            size="xs"
            aria-label={label}
            placeholder={`Set ${nameOf(group)} to…`}
            data={grades.map((grade) => ({ value: grade, label: `${grade} ${gradeWords[grade]}` }))}
            value={text || null}
            onChange={(grade) => setText(grade ?? '')}
          />
        ) : (
          <TextInput
            size="xs"
            aria-label={label}
            placeholder={`Set ${nameOf(group)} to…`}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <Button
          type="submit"
          size="xs"
          variant="default"
          disabled={text.trim() === ''}
          aria-label={`Set ${nameOf(group)}`}
        >
          Set
        </Button>
      </Group>
    </form>
  )
}
