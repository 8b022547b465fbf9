import { useState } from 'react'
import { Button } from '#web/site/button.tsx'
import { useLazily } from '#web/site/use-lazily.ts'

type ScanVinProps = { onRead: (vin: string) => void; disabled?: boolean; className?: string | undefined }

/** Reads a VIN with the camera, or from a photo. The code for it is loaded on click. */
export function ScanVin({ onRead, disabled = false, className }: ScanVinProps) {
  const [dialog, load] = useLazily(() => import('./scan-dialog.tsx'))
  const [state, setState] = useState<'closed' | 'loading' | 'open' | 'failed'>('closed')
  return (
    <div className={className}>
      <Button
        disabled={disabled}
        busy={state === 'loading'}
        onClick={async () => {
          setState('loading')
          setState((await load()) ? 'open' : 'failed')
        }}
      >
        Scan VIN
      </Button>
      {state === 'failed' && (
        <p role="alert">The scanner could not be loaded. Check your connection and try again.</p>
      )}
      {state === 'open' && dialog && <dialog.ScanDialog onClose={() => setState('closed')} onRead={onRead} />}
    </div>
  )
}
