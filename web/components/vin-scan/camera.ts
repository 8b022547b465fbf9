/* The camera on the back of a phone, or the only one of a laptop. */

const wanted: MediaStreamConstraints = {
  video: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } },
}

/** The camera's stream. When `signal` aborts, the camera is turned off, even if it was only starting. */
export async function openCamera(signal: AbortSignal): Promise<MediaStream> {
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

export const whyNoCamera = (error: unknown): string =>
  reasons[error instanceof Error ? error.name : ''] ??
  'This browser can’t open a camera here. Use a photo of the label, or type the VIN.'
