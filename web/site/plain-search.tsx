import { type RefObject, useEffect, useRef, useState } from 'react'
import classes from './search-box.module.css'

/*
 * The search box as the server sends it: a plain field and its button. Suggestions are 2 kB of script, loaded when the field
 * gets the focus; without script it stays as it is.
 */

type Box = typeof import('./search-box.tsx')

/** The box with suggestions, once the plain one got the focus, and the words it starts with. */
export function useSuggesting(words: string) {
  const place = useRef<HTMLDivElement>(null)
  const [loaded, setLoaded] = useState<{ box: Box; typed: string; before: string }>()
  useEffect(() => {
    if (loaded) place.current?.querySelector('input')?.focus()
  }, [loaded])
  return {
    place: place as RefObject<HTMLDivElement>,
    box: loaded?.box,
    words: loaded?.before === words ? loaded.typed : words,
    async load(input: HTMLInputElement) {
      // Without a connection it stays a plain field.
      const box = await import('./search-box.tsx').catch(() => undefined)
      if (box) setLoaded({ box, typed: input.value, before: words })
    },
  }
}

type PlainRowProps = {
  words: string
  label: string
  placeholder: string
  /** Loads the box with suggestions, when the field gets the focus. */
  load: (input: HTMLInputElement) => Promise<void>
}

/** The field and the button of the form around them. */
export const PlainRow = ({ words, label, placeholder, load }: PlainRowProps) => (
  <div className={classes.form}>
    <div className={classes.field}>
      <input
        key={words}
        type="search"
        name="q"
        defaultValue={words}
        className={classes.input}
        aria-label={label}
        placeholder={placeholder}
        maxLength={200}
        autoComplete="off"
        onFocus={({ currentTarget }) => void load(currentTarget)}
      />
    </div>
    <button type="submit" className={classes.submit}>
      Search
    </button>
  </div>
)
