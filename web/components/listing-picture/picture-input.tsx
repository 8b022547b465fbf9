import { Button, FileButton, Group, Input, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.layer.css'
import { IconCamera, IconPhoto, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react'
import classes from './picture-input.module.css'
import { checkPictureFile } from './picture-rules.ts'
import { useFileAddress } from './use-file-address.ts'

type PictureInputProps = {
  label: string
  required?: boolean
  value: File | undefined
  onChange: (file: File | undefined) => void
  error: ReactNode
  /** A file that cannot be the picture; the sentence says why. */
  onRefused: (sentence: string) => void
  disabled?: boolean
  /** What stands in the frame while no file is chosen. */
  placeholder: ReactNode
}

/** A picture by choosing, dropping or pasting a file, or by the phone's camera; checked before anything is sent. */
export function PictureInput({
  label,
  required,
  value,
  onChange,
  error,
  onRefused,
  disabled,
  placeholder,
}: PictureInputProps) {
  const hintId = useId()
  const take = async (file: File | null | undefined) => {
    if (!file || disabled) return
    const problem = await checkPictureFile(file)
    if (problem === undefined) onChange(file)
    else onRefused(problem)
  }
  const frame = useRef<HTMLDivElement>(null)
  usePastedFile((file) => {
    // A form that waits behind another view takes nothing unseen.
    if (frame.current?.checkVisibility()) void take(file)
  })
  const invalid = error !== undefined && error !== null
  return (
    <Input.Wrapper label={label} required={required ?? false} error={error} labelElement="div">
      <div ref={frame} className={classes.frame} data-invalid={invalid || undefined}>
        <Dropzone
          onDrop={(files) => void take(files[0])}
          disabled={disabled ?? false}
          // The buttons beside it do the same and can be reached by keyboard.
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
              disabled={disabled ?? false}
            >
              {({ onClick }) => (
                <Button
                  variant="default"
                  leftSection={<IconPhoto size={18} aria-hidden />}
                  onClick={onClick}
                  disabled={disabled ?? false}
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
              disabled={disabled ?? false}
            >
              {({ onClick }) => (
                <Button
                  className={classes.camera}
                  variant="default"
                  leftSection={<IconCamera size={18} aria-hidden />}
                  onClick={onClick}
                  disabled={disabled ?? false}
                >
                  Take a photo
                </Button>
              )}
            </FileButton>
            {value && (
              <Button
                variant="subtle"
                color="bad"
                leftSection={<IconTrash size={18} aria-hidden />}
                onClick={() => onChange(undefined)}
                disabled={disabled ?? false}
              >
                Remove picture
              </Button>
            )}
          </Group>
          <Text id={hintId} size="sm" className="second">
            Drop or paste one here too. JPEG, PNG or WebP, at most 10 MB.
          </Text>
        </Stack>
      </div>
    </Input.Wrapper>
  )
}

function ChosenPicture({ file }: { file: File }) {
  const address = useFileAddress(file)
  return address && <img src={address} alt={`The chosen file, ${file.name}`} className={classes.chosen} />
}

/** A picture on the clipboard is taken wherever the focus stands; copied text is left to the field it goes to. */
function usePastedFile(take: (file: File) => void): void {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const file = event.clipboardData?.files[0]
    if (!file?.type.startsWith('image/')) return
    event.preventDefault()
    take(file)
  })
  useEffect(() => {
    const listen = (event: ClipboardEvent) => onPaste(event)
    window.addEventListener('paste', listen)
    return () => window.removeEventListener('paste', listen)
  }, [])
}
