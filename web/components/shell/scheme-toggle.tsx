import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import classes from './shell.module.css'

export function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const other = scheme === 'dark' ? 'light' : 'dark'
  const Icon = other === 'dark' ? IconMoon : IconSun
  return (
    <button
      type="button"
      className={classes.iconButton}
      onClick={() => setColorScheme(other)}
      aria-label={`Switch to ${other} colors`}
    >
      <Icon size={20} stroke={1.6} aria-hidden />
    </button>
  )
}
