import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import buttonClasses from '#web/site/button.module.css'
import { Button } from '#web/site/button.tsx'
import { VinReader } from './read-vin.ts'
import classes from './scan-dialog.module.css'

type ScanDialogProps = { onClose: () => void; onRead: (vin: string) => void }

/** Reads a VIN with the camera or from a photo. The camera is on only while the dialog is open. */
export function ScanDialog({ onClose, onRead }: ScanDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  const [reader] = useState(() => new VinReader())
  const { video, problem } = useCamera()
  const [photo, setPhoto] = useState<{ isRead: boolean; sentence: string }>()
  const take = (vin: string) => {
    // Closing the dialog returns the focus to the button; unmounting it would not.
    dialog.current?.close()
    onRead(vin)
  }
  const isOther = useReading(video, reader, take)
  useLayoutEffect(() => dialog.current?.showModal(), [])

  const readPhoto = async (file: File) => {
    setPhoto({ isRead: false, sentence: 'Reading the photo…' })
    const picture = await createImageBitmap(file).catch(() => undefined)
    const vin = picture && (await reader.readPhoto(picture).catch(() => undefined))
    picture?.close()
    // The dialog may have been closed in the meantime.
    if (dialog.current?.open !== true) return
    if (vin !== undefined) take(vin)
    else setPhoto({ isRead: true, sentence: picture ? NO_VIN_IN_PHOTO : NO_PHOTO })
  }
  return (
    <dialog ref={dialog} className={classes.dialog} aria-labelledby={title} onClose={onClose}>
      <h2 id={title}>Scan VIN</h2>
      {problem === undefined ? (
        <>
          <p>Point the camera at the barcode on the driver’s door frame or under the windshield.</p>
          <div className={classes.view}>
            <video ref={video} className={classes.video} autoPlay muted playsInline aria-label="Camera" />
            <span className={classes.aim} />
          </div>
        </>
      ) : (
        <p role="alert">{problem}</p>
      )}
      <p role="status">
        {photo?.sentence ?? (problem === undefined && (isOther ? OTHER : 'Looking for a VIN…'))}
      </p>
      <div className={classes.actions}>
        <label className={`${buttonClasses.outlined} ${buttonClasses.medium} ${classes.photo}`}>
          Use a photo
          <input
            type="file"
            accept="image/*"
            className={classes.file}
            disabled={photo?.isRead === false}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              if (file) void readPhoto(file)
              // Allows choosing the same file again.
              currentTarget.value = ''
            }}
          />
        </label>
        <Button look="quiet" onClick={() => dialog.current?.close()}>
          Cancel
        </Button>
      </div>
    </dialog>
  )
}

const OTHER = 'That barcode isn’t a VIN. Find the one with 17 characters.'
const NO_VIN_IN_PHOTO =
  'No VIN barcode found in this photo. Get closer, fill the picture with the label and avoid glare.'
const NO_PHOTO = 'This file can’t be opened as a picture. Choose a JPEG or PNG.'

/** Turns the camera on, and off again on unmount. */
function useCamera() {
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const ended = new AbortController()
    openCamera(ended.signal).then(
      (stream) => {
        if (video.current && !ended.signal.aborted) video.current.srcObject = stream
      },
      (error) => !ended.signal.aborted && setProblem(whyNoCamera(error)),
    )
    return () => ended.abort()
  }, [])
  return { video, problem }
}

// The pause between two frames: the video must keep moving on a slow phone.
const PAUSE_MS = 100

/** Looks for a VIN in the camera's picture until it finds one. Returns whether it has seen another barcode. */
function useReading(
  video: ReturnType<typeof useCamera>['video'],
  reader: VinReader,
  onRead: (vin: string) => void,
): boolean {
  const [isOther, setOther] = useState(false)
  const found = useEffectEvent(onRead)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isEnded = false
    const look = async () => {
      const { current: shown } = video
      // The size is known as soon as there is a picture.
      const isShowing = shown !== null && shown.videoWidth > 0
      // If one frame cannot be read, the next one may be.
      const seen = isShowing ? await reader.read(shown).catch(() => undefined) : undefined
      if (isEnded) return
      if (seen?.vin !== undefined) return found(seen.vin)
      if (seen?.isOther) setOther(true)
      timer = setTimeout(look, PAUSE_MS)
    }
    void look()
    return () => {
      isEnded = true
      clearTimeout(timer)
    }
  }, [video, reader])
  return isOther
}

/* The camera on the back of a phone, or the only one of a laptop. */

const wanted: MediaStreamConstraints = {
  video: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } },
}

/** The camera's stream. When `signal` aborts, the camera is turned off, even if it was only starting. */
async function openCamera(signal: AbortSignal): Promise<MediaStream> {
  // Absent on pages that were not opened over https.
  const { mediaDevices } = navigator as { mediaDevices?: MediaDevices }
  if (!mediaDevices) throw new DOMException('no camera for this page', 'NotSupportedError')
  const stream = await mediaDevices.getUserMedia(wanted)
  const stop = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return stream
}

const blocked =
  'The camera is blocked for this site. Allow it in your browser’s settings, or use a photo of the label.'
const reasons: Readonly<Record<string, string>> = {
  NotAllowedError: blocked,
  SecurityError: blocked,
  NotFoundError: 'No camera found. Use a photo of the label, or type the VIN.',
  OverconstrainedError: 'No camera found. Use a photo of the label, or type the VIN.',
  NotReadableError: 'Another app is using the camera. Close it and scan again, or use a photo of the label.',
}

const whyNoCamera = (error: unknown): string =>
  reasons[error instanceof Error ? error.name : ''] ??
  'This browser can’t open a camera here. Use a photo of the label, or type the VIN.'
