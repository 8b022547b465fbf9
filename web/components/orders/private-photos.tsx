import { useEffect, useState } from 'react'
import classes from './private-photos.module.css'

type PrivatePhotosProps = {
  ids: readonly string[]
  /** Whose they are, if there are others beside them. */
  label?: string
  /** Reads a photo as the person who may see it; undefined if it cannot be read. */
  read: (id: string) => Promise<Blob | undefined>
}

/** Photos that have no address of their own: they are read like any other call, and shown from memory. */
export function PrivatePhotos({ ids, label = 'Photos', read }: PrivatePhotosProps) {
  if (ids.length === 0) return null
  return (
    <ul className={classes.photos} aria-label={label}>
      {ids.map((id, at) => (
        <li key={id}>
          <Photo
            id={id}
            read={read}
            alt={`${label === 'Photos' ? 'Photo' : label} ${at + 1} of ${ids.length}`}
          />
        </li>
      ))}
    </ul>
  )
}

type PhotoProps = Pick<PrivatePhotosProps, 'read'> & { id: string; alt: string }

function Photo({ id, read, alt }: PhotoProps) {
  const [url, setUrl] = useState<string>()
  const [isMissing, setMissing] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a photo never changes, whoever reads it
  useEffect(() => {
    let opened: string | undefined
    let isGone = false
    const show = (blob: Blob | undefined) => {
      if (isGone) return
      if (!blob) return setMissing(true)
      opened = URL.createObjectURL(blob)
      setUrl(opened)
    }
    read(id).then(show, () => show(undefined))
    return () => {
      isGone = true
      if (opened !== undefined) URL.revokeObjectURL(opened)
    }
  }, [id])
  if (isMissing) return <p>{alt} could not be loaded.</p>
  if (url === undefined)
    return <div className={classes.waiting} role="status" aria-label={`Loading ${alt}`} />
  return (
    <a href={url} target="_blank" rel="noreferrer">
      <img src={url} alt={alt} className={classes.photo} />
    </a>
  )
}
