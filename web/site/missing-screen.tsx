import { useEffect, useState } from 'react'
import { Outlet } from 'react-router'
import { setReloadOffer } from '#web/load-screen.ts'
import { Button } from './button.tsx'
import classes from './missing-screen.module.css'

type Missing = { reload: () => void; tryAgain: () => void }

/** Wraps every page. If the next one cannot be loaded, shows that above the current page and keeps what was typed. */
export function AroundPages() {
  const [missing, setMissing] = useState<Missing>()
  useEffect(
    () =>
      setReloadOffer(
        (reload) =>
          new Promise((resolve) => {
            const tryAgain = () => {
              setMissing(undefined)
              resolve()
            }
            setMissing({ reload, tryAgain })
          }),
      ),
    [],
  )
  return (
    <>
      {missing && (
        <div role="alert" className={classes.missing}>
          <p className={classes.title}>This page couldn’t load</p>
          <p>You’re offline, or the site was just updated.</p>
          <p className={classes.actions}>
            <Button look="filled" size="small" onClick={missing.reload}>
              Reload page
            </Button>
            <Button size="small" onClick={missing.tryAgain}>
              Try again
            </Button>
          </p>
        </div>
      )}
      <Outlet />
    </>
  )
}
