import { Button, FileButton, Group, Input, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconCamera, IconPhoto } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { MAX_PICTURES } from '#contract/listing/listing-rules.ts'
import { PageDrop } from '#web/components/form/page-drop.tsx'
import { notifyProblem } from '#web/components/toasts.tsx'
import { chosenFiles, droppedFiles, type PickedFile, picturesAmong } from './picked-files.ts'
import classes from './picture-desk.module.css'
import type { PictureDesk as Desk } from './picture-desk-state.ts'
import { PictureDialog } from './picture-dialog.tsx'
import { PictureTile } from './picture-tile.tsx'
import { PictureProblem } from './shrink-picture.ts'
import { useTileDrag } from './tile-drag.ts'

type PictureDeskProps = {
  desk: Desk
  label: string
  required?: boolean
  error: ReactNode
  disabled?: boolean
  /** Shown while there are no pictures. */
  placeholder: ReactNode
}

/** A listing's pictures: choose, drop, paste or take them, put them in order, describe them and mark damage. */
export function PictureDesk({
  desk,
  label,
  required = false,
  error,
  disabled = false,
  placeholder,
}: PictureDeskProps) {
  const hintId = useId()
  const frame = useRef<HTMLDivElement>(null)
  // A hidden form must not take a pasted or dropped file.
  const isOpen = () => !disabled && frame.current?.checkVisibility() === true
  const addPicked = async (picking: Promise<PickedFile[]> | PickedFile[]) => {
    try {
      const { pictures, others } = await picturesAmong(await picking)
      desk.add(await Promise.all(pictures.map(({ open }) => open())))
      if (pictures.length === 0 && others > 0) notifyProblem('None of these files are pictures')
    } catch (error) {
      notifyProblem(error instanceof PictureProblem ? error.message : 'The files could not be read')
    }
  }
  usePastedFiles((files) => {
    if (!isOpen()) return false
    desk.add(files)
    return true
  })
  const invalid = error !== undefined && error !== null
  const isEmpty = desk.pictures.length === 0
  const button = { variant: 'default', disabled: disabled || desk.pictures.length >= MAX_PICTURES }
  return (
    <Input.Wrapper label={label} required={required} error={error} labelElement="div">
      <div ref={frame} className={classes.frame} data-invalid={invalid || undefined} data-empty={isEmpty}>
        {isEmpty ? (
          <div className={classes.empty}>{placeholder}</div>
        ) : (
          <Tiles desk={desk} disabled={disabled} />
        )}
        <Stack gap="sm" justify="center">
          <Group gap="xs">
            <FileButton
              name="image"
              multiple
              onChange={(files) => void addPicked(chosenFiles(files))}
              accept="image/*"
              disabled={button.disabled}
            >
              {({ onClick }) => (
                <Button
                  {...button}
                  leftSection={<IconPhoto size={18} aria-hidden />}
                  onClick={onClick}
                  aria-describedby={hintId}
                  data-problem={invalid || undefined}
                >
                  {isEmpty ? 'Choose pictures' : 'Add pictures'}
                </Button>
              )}
            </FileButton>
            <FileButton
              onChange={(file) => file && desk.add([file])}
              accept="image/*"
              capture="environment"
              disabled={button.disabled}
            >
              {({ onClick }) => (
                <Button
                  {...button}
                  className={classes.camera}
                  leftSection={<IconCamera size={18} aria-hidden />}
                  onClick={onClick}
                >
                  Take a photo
                </Button>
              )}
            </FileButton>
            <UndoRemoval removed={desk.removed} />
          </Group>
          <Text id={hintId} size="sm" className="second">
            Up to {MAX_PICTURES}; the first is the cover. Drop or paste them anywhere on this page. JPEG, PNG
            or WebP.
          </Text>
          {desk.notices.length > 0 && (
            <Stack gap={4} role="status">
              {desk.notices.map((notice) => (
                <Text key={notice} size="sm" fw={600}>
                  {notice}
                </Text>
              ))}
            </Stack>
          )}
        </Stack>
      </div>
      <PageDrop
        onDrop={(data) => void addPicked(droppedFiles(data))}
        words="Drop pictures anywhere"
        isOpen={isOpen}
      />
    </Input.Wrapper>
  )
}

function Tiles({ desk, disabled }: { desk: Desk; disabled: boolean }) {
  const { pictures } = desk
  const [opened, setOpened] = useState<string>()
  const [announcement, setAnnouncement] = useState('')
  // Pictures still being uploaded come last and cannot be moved.
  const settled = pictures.filter(({ upload }) => !upload || upload.step === 'preparing').length
  const move = (from: number, to: number) => {
    const picture = pictures[from]
    if (!picture || picture.upload || to < 0 || to >= settled || to === from) return
    desk.move(picture.id, to)
    setAnnouncement(
      `Picture moved to position ${to + 1} of ${pictures.length}${to === 0 ? ', the cover' : ''}`,
    )
  }
  const drag = useTileDrag(move)
  const shown = pictures.findIndex(({ id }) => id === opened)
  const picture = pictures[shown]
  return (
    <>
      <ul ref={drag.list} className={classes.tiles} aria-label="Pictures">
        {pictures.map((each, at) => (
          <PictureTile
            key={each.id}
            picture={each}
            at={at}
            count={pictures.length}
            disabled={disabled}
            mark={markOf(drag.drag, at)}
            onOpen={(event) => drag.isDragEnd(event) || setOpened(each.id)}
            onMove={(to) => move(at, to)}
            onDrag={(event) => !disabled && !each.upload && drag.begin(event, at)}
            onRemove={() => desk.remove(each.id)}
            onRetry={() => desk.retry(each.id)}
          />
        ))}
      </ul>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      {picture && !picture.upload && (
        <PictureDialog
          key={picture.id}
          picture={picture}
          at={shown}
          count={settled}
          onMove={(to) => move(shown, to)}
          onDone={(details) => desk.edit(picture.id, details)}
          onRemove={() => {
            setOpened(undefined)
            desk.remove(picture.id)
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

/** How a tile looks during a drag: the dragged one is faded, and a line marks where it would go. */
function markOf(drag: { from: number; to: number } | undefined, at: number) {
  if (!drag) return undefined
  if (at === drag.from) return 'dragged'
  if (at !== drag.to) return undefined
  return drag.to > drag.from ? 'after' : 'before'
}

/** Keyboard users continue here, because the button they pressed is gone. */
function UndoRemoval({ removed }: { removed: Desk['removed'] }) {
  const button = useRef<HTMLButtonElement>(null)
  const isOpen = removed !== undefined
  useEffect(() => {
    if (isOpen && document.activeElement === document.body) button.current?.focus()
  }, [isOpen])
  return (
    <Group gap="xs" role="status">
      {removed && (
        <>
          <Text size="sm">Picture removed.</Text>
          <Button ref={button} variant="subtle" size="compact-sm" onClick={removed.undo}>
            Undo
          </Button>
        </>
      )}
    </Group>
  )
}

/** Accepts pasted pictures regardless of focus. Pasted text goes to its field as usual. */
function usePastedFiles(take: (files: File[]) => boolean): void {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
    if (files.length > 0 && take(files)) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: ClipboardEvent) => onPaste(event)
    window.addEventListener('paste', listen)
    return () => window.removeEventListener('paste', listen)
  }, [])
}
