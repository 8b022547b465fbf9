import { ActionIcon, Button, Group, Stack, Textarea } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './leads.module.css'
import { useQuickReplies, useSaveQuickReplies } from './leads.ts'

const most = 10

/** Saved texts, added to the reply with one click and edited in place. */
export function QuickReplies({ onChoose }: { onChoose: (reply: string) => void }) {
  const { data } = useQuickReplies()
  const [isEditing, setEditing] = useState(false)
  if (!data) return null
  if (isEditing) return <Editor replies={data.replies} onClose={() => setEditing(false)} />
  return (
    <fieldset className={classes.replies} aria-label="Quick replies">
      {data.replies.map((reply) => (
        <button key={reply} type="button" className={classes.reply} onClick={() => onChoose(reply)}>
          {reply}
        </button>
      ))}
      <Button variant="subtle" size="compact-sm" onClick={() => setEditing(true)}>
        Edit quick replies
      </Button>
    </fieldset>
  )
}

type Row = { key: number; text: string }

function Editor({ replies, onClose }: { replies: readonly string[]; onClose: () => void }) {
  const [rows, setRows] = useState<Row[]>(() =>
    [...replies, ''].slice(0, most).map((text, key) => ({ key, text })),
  )
  const saving = useSaveQuickReplies(onClose)
  const nextKey = Math.max(-1, ...rows.map(({ key }) => key)) + 1
  return (
    <Stack gap="sm" role="group" aria-label="Edit quick replies">
      {rows.map(({ key, text }, at) => (
        <Group key={key} gap="xs" wrap="nowrap" align="flex-start">
          <Textarea
            aria-label={`Quick reply ${at + 1}`}
            autosize
            minRows={1}
            maxLength={500}
            value={text}
            style={{ flex: 1 }}
            onChange={(event) => {
              const { value } = event.currentTarget
              setRows(rows.map((row) => (row.key === key ? { key, text: value } : row)))
            }}
          />
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={`Remove quick reply ${at + 1}`}
            onClick={() => setRows(rows.filter((row) => row.key !== key))}
          >
            <IconTrash size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Group gap="sm">
        <Button
          size="xs"
          loading={saving.isPending}
          onClick={() => saving.mutate(rows.map(({ text }) => text.trim()).filter(Boolean))}
        >
          Save quick replies
        </Button>
        {rows.length < most && (
          <Button size="xs" variant="default" onClick={() => setRows([...rows, { key: nextKey, text: '' }])}>
            Add another
          </Button>
        )}
        <Button size="xs" variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}
