import { Button, FileButton, Group, Input, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.layer.css'
import { IconCamera, IconPhoto, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { MAX_PICTURE_BYTES } from '#contract/listing/listing-rules.ts'
import classes from './picture-input.module.css'

type PictureInputProps = {
  label: string
  required?: boolean
  value: File | undefined
  onChange: (file: File | undefined) => void
  error: ReactNode
  /** Called with the reason why a file was refused. */
  onRefused: (sentence: string) => void
  disabled?: boolean
  /** Shown until a file is chosen. */
  placeholder: ReactNode
}

/** Choose, drop or paste a picture, or take a photo. Files are checked before upload. */
export function PictureInput({
  label,
  required,
  value,
  onChange,
  error,
  onRefused,
  disabled = false,
  placeholder,
}: PictureInputProps) {
  const hintId = useId()
  const [leftOver, setLeftOver] = useState('')
  const take = async (file: File | null | undefined, others: readonly File[] = []): Promise<void> => {
    if (!file || disabled) return
    setLeftOver(leftOverWords(others))
    const problem = await checkPictureFile(file)
    if (problem === undefined) onChange(file)
    else onRefused(problem)
  }
  const frame = useRef<HTMLDivElement>(null)
  usePastedFiles(([file, ...others]) => {
    // A hidden form must not accept a pasted file.
    if (frame.current?.checkVisibility()) void take(file, others)
  })
  const button = { variant: 'default', disabled }
  const invalid = error !== undefined && error !== null
  return (
    <Input.Wrapper label={label} required={required ?? false} error={error} labelElement="div">
      <div ref={frame} className={classes.frame} data-invalid={invalid || undefined}>
        <Dropzone
          onDrop={([file, ...others]) => void take(file, others)}
          disabled={disabled}
          // The buttons beside it do the same and are reachable by keyboard.
          activateOnKeyboard={false}
          tabIndex={-1}
          className={classes.drop}
          inputProps={{ 'aria-hidden': true, tabIndex: -1, accept: 'image/*' }}
        >
          {value ? <ChosenPicture file={value} /> : placeholder}
        </Dropzone>
        <Stack gap="sm" justify="center">
          <Group gap="xs">
            <FileButton
              name="image"
              onChange={(file) => void take(file)}
              accept="image/*"
              disabled={disabled}
            >
              {({ onClick }) => (
                <Button
                  {...button}
                  leftSection={<IconPhoto size={18} aria-hidden />}
                  onClick={onClick}
                  aria-describedby={hintId}
                  data-problem={invalid || undefined}
                >
                  {value ? 'Replace picture' : 'Choose a picture'}
                </Button>
              )}
            </FileButton>
            <FileButton
              onChange={(file) => void take(file)}
              accept="image/*"
              capture="environment"
              disabled={disabled}
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
            {value && (
              <Button
                {...button}
                variant="subtle"
                color="bad"
                leftSection={<IconTrash size={18} aria-hidden />}
                onClick={() => onChange(undefined)}
              >
                Remove picture
              </Button>
            )}
          </Group>
          <Text id={hintId} size="sm" className="second">
            Or drop or paste one here. JPEG, PNG or WebP, up to 10 MB.
          </Text>
          {leftOver !== '' && (
            <Text size="sm" fw={600} role="status">
              {leftOver}
            </Text>
          )}
        </Stack>
      </div>
    </Input.Wrapper>
  )
}

function ChosenPicture({ file }: { file: File }) {
  const address = useFileAddress(file)
  return address && <img src={address} alt={`The chosen file, ${file.name}`} className={classes.chosen} />
}

/** Says which pictures were not taken; '' if there was only one. */
export function leftOverWords(others: readonly Pick<File, 'name'>[]): string {
  const [first, ...more] = others
  if (!first) return ''
  const which = more.length === 0 ? `“${first.name}” was` : `“${first.name}” and ${more.length} more were`
  return `A listing has one picture for now. ${which} not added.`
}

/** Accepts pasted pictures regardless of focus. Pasted text goes to its field as usual. */
function usePastedFiles(take: (files: File[]) => void): void {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
    if (files.length === 0) return
    event.preventDefault()
    take(files)
  })
  useEffect(() => {
    const listen = (event: ClipboardEvent) => onPaste(event)
    window.addEventListener('paste', listen)
    return () => window.removeEventListener('paste', listen)
  }, [])
}

/** An object URL for a local file. */
export function useFileAddress(file: File | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!file) return
    const url = URL.createObjectURL(file)
    setAddress(url)
    return () => {
      setAddress(undefined)
      URL.revokeObjectURL(url)
    }
  }, [file])
  return address
}

type Picture = { name: string; size: number }

const startsWith = (bytes: Uint8Array, text: string, offset = 0) =>
  [...text].every((letter, at) => bytes[offset + at] === letter.charCodeAt(0))

/** Detects the format from the first 12 bytes, because file names are unreliable. */
function kindOf(bytes: Uint8Array): 'supported' | 'heic' | 'other' {
  const jpeg = bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff
  const png = bytes[0] === 0x89 && startsWith(bytes, 'PNG', 1)
  const webp = startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)
  if (jpeg || png || webp) return 'supported'
  const brand = startsWith(bytes, 'ftyp', 4) ? String.fromCharCode(...bytes.subarray(8, 12)) : ''
  return /^(heic|heix|hevc|mif1|msf1)$/.test(brand) ? 'heic' : 'other'
}

/** Why a file cannot be used, or undefined if it can. */
export function pictureProblem({ name, size }: Picture, firstBytes: Uint8Array): string | undefined {
  if (size === 0) return `“${name}” is empty. Choose another picture.`
  if (size > MAX_PICTURE_BYTES) {
    const megabytes = (size / 1024 / 1024).toFixed(1)
    return `“${name}” is ${megabytes} MB. Pictures can be up to 10 MB.`
  }
  const kind = kindOf(firstBytes)
  if (kind === 'heic') return `“${name}” is a HEIC photo. Save it as JPEG, PNG or WebP and choose it again.`
  return kind === 'supported' ? undefined : `“${name}” is not a JPEG, PNG or WebP picture.`
}

async function checkPictureFile(file: File): Promise<string | undefined> {
  return pictureProblem(file, new Uint8Array(await file.slice(0, 12).arrayBuffer()))
}
