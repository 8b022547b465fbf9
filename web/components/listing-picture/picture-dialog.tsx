import { ActionIcon, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import { MAX_ALT, MAX_MARK_NOTE, MAX_MARKS, type PictureMark } from '#contract/pictures.ts'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import type { DeskPicture, PictureDetails } from './picture-desk-state.ts'
import classes from './picture-dialog.module.css'
import { useAddress } from './picture-tile.tsx'

type PictureDialogProps = {
  picture: DeskPicture
  /** From 0, among those that can be moved. */
  at: number
  count: number
  onMove: (to: number) => void
  onDone: (details: PictureDetails) => void
  onRemove: () => void
  onClose: () => void
}

type DraftMark = PictureMark & { key: number }

/** A picture's description and damage marks, and its place without dragging. */
export function PictureDialog({ picture, at, count, onMove, onDone, onRemove, onClose }: PictureDialogProps) {
  const isPhone = useMediaQuery('(max-width: 36em)') ?? false
  const address = useAddress(picture.full)
  const form = useRef<HTMLFormElement>(null)
  const [alt, setAlt] = useState(picture.alt)
  const [marks, setMarks] = useState<readonly DraftMark[]>(
    picture.marks.map((mark, key) => ({ ...mark, key })),
  )
  const [isChecked, setChecked] = useState(false)

  const focusOn = (selector: string) =>
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(selector)?.focus())
  const addMark = (place: { x: number; y: number }, focus: 'note' | 'pin') => {
    if (marks.length >= MAX_MARKS) return
    const key = Math.max(0, ...marks.map((mark) => mark.key)) + 1
    setMarks([...marks, { ...place, note: '', key }])
    focusOn(`[data-${focus}="${key}"]`)
  }
  const changeMark = (key: number, changes: Partial<PictureMark>) =>
    setMarks(marks.map((mark) => (mark.key === key ? { ...mark, ...changes } : mark)))
  const removeMark = (key: number) => {
    setMarks(marks.filter((mark) => mark.key !== key))
    focusOn('[data-add]')
  }

  const finish = (event: FormEvent) => {
    event.preventDefault()
    // Don't submit the listing's form around it.
    event.stopPropagation()
    if (marks.some(({ note }) => note.trim() === '')) {
      setChecked(true)
      if (form.current) focusFirstProblem(form.current)
      return
    }
    const details = { alt: alt.trim(), marks: marks.map(({ x, y, note }) => ({ x, y, note: note.trim() })) }
    onDone(details)
    onClose()
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={`Picture ${at + 1} of ${count}${at === 0 ? ', the cover' : ''}`}
      size="xl"
      fullScreen={isPhone}
    >
      <form ref={form} onSubmit={finish} onKeyDown={keepInside} noValidate>
        <Stack gap="md">
          <Group gap="xs">
            <Button size="compact-sm" variant="default" disabled={at === 0} onClick={() => onMove(0)}>
              Make cover
            </Button>
            <Button size="compact-sm" variant="default" disabled={at === 0} onClick={() => onMove(at - 1)}>
              Move earlier
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              disabled={at >= count - 1}
              onClick={() => onMove(at + 1)}
            >
              Move later
            </Button>
            <Button size="compact-sm" variant="subtle" color="bad" onClick={onRemove}>
              Remove picture
            </Button>
          </Group>
          {address && (
            <MarkedPicture
              address={address}
              marks={marks}
              onAdd={(place) => addMark(place, 'note')}
              onMove={changeMark}
              onRemove={removeMark}
            />
          )}
          <div>
            <Text fw={600}>Damage</Text>
            <Text size="sm" className="second" mb="xs">
              Click the picture where the part is damaged, and describe what buyers see there.
            </Text>
            <Stack gap="xs" className={classes.notes}>
              {marks.map((mark, index) => (
                <Group key={mark.key} gap="xs" align="flex-start" wrap="nowrap">
                  <span className={classes.number} aria-hidden>
                    {index + 1}
                  </span>
                  <TextInput
                    flex={1}
                    aria-label={`Mark ${index + 1}`}
                    data-note={mark.key}
                    placeholder="Scratch, 2 inches"
                    maxLength={MAX_MARK_NOTE}
                    value={mark.note}
                    onChange={(event) => changeMark(mark.key, { note: event.currentTarget.value })}
                    error={isChecked && mark.note.trim() === '' && 'Describe what the mark shows'}
                  />
                  <ActionIcon
                    variant="subtle"
                    color="bad"
                    size="lg"
                    onClick={() => removeMark(mark.key)}
                    aria-label={`Remove mark ${index + 1}`}
                  >
                    <IconTrash size={18} />
                  </ActionIcon>
                </Group>
              ))}
              <Button
                data-add
                variant="default"
                size="compact-md"
                leftSection={<IconPlus size={16} aria-hidden />}
                disabled={!address || marks.length >= MAX_MARKS}
                onClick={() => addMark({ x: 0.5, y: 0.5 }, 'pin')}
                style={{ alignSelf: 'flex-start' }}
              >
                Add a mark
              </Button>
            </Stack>
          </div>
          <TextInput
            label="Description"
            description="What the picture shows, for people who can’t see it. The listing’s title if empty."
            maxLength={MAX_ALT}
            value={alt}
            onChange={(event) => setAlt(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Done</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** Ctrl+Enter would submit the listing's form around the dialog. */
function keepInside(event: KeyboardEvent): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.stopPropagation()
}

type MarkedPictureProps = {
  address: string
  marks: readonly DraftMark[]
  onAdd: (place: { x: number; y: number }) => void
  onMove: (key: number, place: { x: number; y: number }) => void
  onRemove: (key: number) => void
}

const NUDGE = 0.02
const nudges: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-NUDGE, 0],
  ArrowRight: [NUDGE, 0],
  ArrowUp: [0, -NUDGE],
  ArrowDown: [0, NUDGE],
}
const within = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 1_000) / 1_000

function MarkedPicture({ address, marks, onAdd, onMove, onRemove }: MarkedPictureProps) {
  const click = ({ clientX, clientY, currentTarget }: MouseEvent) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    onAdd({ x: within((clientX - left) / width), y: within((clientY - top) / height) })
  }
  const press = (event: KeyboardEvent, { key, x, y }: DraftMark) => {
    if (event.key === 'Delete') onRemove(key)
    const nudge = nudges[event.key]
    if (!nudge) return
    event.preventDefault()
    onMove(key, { x: within(x + nudge[0]), y: within(y + nudge[1]) })
  }
  return (
    <div className={classes.stage}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keyboards use “Add a mark” and the pins */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keyboards use “Add a mark” and the pins */}
      <img src={address} alt="" className={classes.picture} onClick={click} draggable={false} />
      {marks.map((mark, index) => (
        <button
          key={mark.key}
          type="button"
          className={classes.pin}
          data-pin={mark.key}
          style={{ left: `${mark.x * 100}%`, top: `${mark.y * 100}%` }}
          onKeyDown={(event) => press(event, mark)}
          aria-label={`Mark ${index + 1}${mark.note && `: ${mark.note}`}, ${Math.round(mark.x * 100)}% from the left, ${Math.round(mark.y * 100)}% from the top`}
          title="Arrow keys move the mark"
        >
          {index + 1}
        </button>
      ))}
    </div>
  )
}
