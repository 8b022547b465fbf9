import { Switch } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import { useSingleKeySwitch } from './use-single-keys.ts'

export function SingleKeySwitch() {
  const [on, turn] = useSingleKeySwitch()
  return (
    <Switch
      label="Single-key shortcuts"
      description="They are off while you write; here you switch them off altogether, on this device"
      checked={on}
      onChange={(event) => turn(event.currentTarget.checked)}
    />
  )
}
