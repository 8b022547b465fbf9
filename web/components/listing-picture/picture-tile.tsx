import { ActionIcon, Badge, Button, Loader, Progress, Text, UnstyledButton } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { IconAlertTriangle, IconGripVertical, IconPhoto, IconTrash } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import classes from './picture-desk.module.css'
import type { DeskPicture } from './picture-desk-state.ts'

type PictureTileProps = {
  picture: DeskPicture
  /** From 0. */
  at: number
  count: number
  disabled: boolean
  mark: 'dragged' | 'before' | 'after' | undefined
  onOpen: (event: MouseEvent) => void
  onMove: (to: number) => void
  onDrag: (event: PointerEvent) => void
  onRemove: () => void
  onRetry: () => void
}

/** Arrow keys move a picture, without wrapping around. */
const steps: Record<string, (at: number, count: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowUp: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowDown: (at) => at + 1,
  Home: () => 0,
  End: (_, count) => count - 1,
}

export function PictureTile(props: PictureTileProps) {
  const { picture, at, count, disabled, mark } = props
  const { upload, alt, marks, name } = picture
  const place = `picture ${at + 1} of ${count}`
  const handle = useRef<HTMLButtonElement>(null)
  const isMoving = useRef(false)
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    isMoving.current = true
    props.onMove(step(at, count))
  }
  // Moving an element in the document takes the focus from it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is what changed
  useEffect(() => {
    if (isMoving.current) handle.current?.focus()
    isMoving.current = false
  }, [at])
  return (
    <li
      className={classes.tile}
      data-tile
      data-cover={at === 0 || undefined}
      data-mark={mark}
      onPointerDown={props.onDrag}
    >
      <div className={classes.stage}>
        <UnstyledButton
          className={classes.open}
          onClick={props.onOpen}
          disabled={disabled || upload !== undefined}
          aria-label={`Describe ${place}${alt && `: ${alt}`}`}
        >
          <TilePicture picture={picture} />
        </UnstyledButton>
        {upload && <TileUpload upload={upload} name={name} onRetry={props.onRetry} />}
      </div>
      {at === 0 && (
        <Badge className={classes.cover} size="sm" color="rust" variant="filled">
          Cover
        </Badge>
      )}
      {marks.length > 0 && (
        <Badge
          className={classes.marked}
          size="sm"
          color="warning"
          leftSection={<IconAlertTriangle size={12} />}
        >
          {marks.length}
        </Badge>
      )}
      <div className={classes.tools}>
        <ActionIcon
          ref={handle}
          variant="default"
          className={classes.handle}
          data-handle
          disabled={disabled || upload !== undefined}
          onKeyDown={press}
          aria-label={`Move ${place}`}
          title="Drag, or press the arrow keys"
        >
          <IconGripVertical size={18} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          disabled={disabled}
          onClick={props.onRemove}
          aria-label={`Remove ${place}`}
          title="Remove"
        >
          <IconTrash size={18} />
        </ActionIcon>
      </div>
    </li>
  )
}

function TilePicture({ picture: { thumb, problem, name } }: { picture: DeskPicture }) {
  const address = useAddress(thumb)
  if (address)
    return <img src={address} alt="" className={classes.picture} draggable={false} loading="lazy" />
  return (
    <span className={classes.blank}>
      <IconPhoto size={28} stroke={1.25} aria-hidden />
      {problem !== null && (
        <Text size="xs" component="span" lineClamp={3}>
          Not downloaded: {problem}
        </Text>
      )}
      {problem === null && (
        <Text size="xs" component="span" lineClamp={2}>
          {name || 'Downloading…'}
        </Text>
      )}
    </span>
  )
}

type TileUploadProps = {
  upload: NonNullable<DeskPicture['upload']>
  name: string
  onRetry: () => void
}

/** The upload state of a picture that is not on its listing yet. */
function TileUpload({ upload, name, onRetry }: TileUploadProps) {
  const again = (
    <Button size="compact-xs" variant="default" onClick={onRetry} aria-label={`Try again: ${name}`}>
      Try again
    </Button>
  )
  if (upload.step === 'failed') {
    return (
      <div className={classes.state} role="alert">
        <Text size="xs" className={classes.why}>
          {upload.why}
        </Text>
        {upload.again && again}
      </div>
    )
  }
  if (upload.step !== 'sending') {
    return (
      <div className={classes.state}>
        <Loader size={14} aria-hidden />
        <Text size="xs">{upload.step === 'waiting' ? 'Waiting' : 'Preparing'}</Text>
      </div>
    )
  }
  if (upload.waitsFor !== 'nobody') {
    return (
      <div className={classes.state} role="status">
        <Text size="xs">{upload.waitsFor === 'network' ? 'No connection' : 'The server is busy'}</Text>
        {again}
      </div>
    )
  }
  return (
    <div className={classes.state}>
      <Progress
        value={Math.round(upload.sent * 100)}
        size="sm"
        color="sea"
        flex={1}
        aria-label={`Uploading ${name}`}
      />
    </div>
  )
}

/** The address of a picture: a URL, or an object URL for a local file. */
export function useAddress(picture: string | Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!picture || typeof picture === 'string') return
    const url = URL.createObjectURL(picture)
    setAddress(url)
    return () => {
      setAddress(undefined)
      URL.revokeObjectURL(url)
    }
  }, [picture])
  return typeof picture === 'string' ? picture : address
}
