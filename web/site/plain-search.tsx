import { type RefObject, useEffect, useRef, useState } from 'react'
import classes from './search-box.module.css'

/*
 * The search box as it arrives: a plain field and its button. Its suggestions are 2 kB of script, which come when someone
 * turns to the box; without script it stays as it is.
 */

type Box = typeof import('./search-box.tsx')

/** The box with suggestions once someone turned to the plain one, and the words it starts with. */
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
  /** When someone turns to the field. */
  onTurn: (input: HTMLInputElement) => Promise<void>
}

/** The words and the button of the form around them. */
export const PlainRow = ({ words, label, placeholder, onTurn }: PlainRowProps) => (
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
        onFocus={({ currentTarget }) => void onTurn(currentTarget)}
      />
    </div>
    <button type="submit" className={classes.submit}>
      Search
    </button>
  </div>
)
