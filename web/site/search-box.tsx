import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Suggestion } from '#contract/search/suggestions.ts'
import { currentGarage } from '#web/api/garage/garage.ts'
import { forgetSearches, readRecentSearches, rememberSearch } from '#web/api/recent-searches.ts'
import { partsSearch, paths } from '#web/paths.ts'
import { ownSearch } from './garage/own-search.ts'
import { briefly, partsFor } from './garage/vehicle-chips.tsx'
import classes from './search-box.module.css'

type SearchBoxProps = {
  /** What the search starts with, such as the words of the list below it. */
  words?: string
  label?: string
  placeholder?: string
  className?: string | undefined
}

/** Search from any page. A plain form: it works before its script has loaded, or without it. */
export function SearchBox({
  words = '',
  label = 'Search parts',
  placeholder = 'Part, number or vehicle',
  className,
}: SearchBoxProps) {
  const navigate = useNavigate()
  return (
    <search className={className}>
      <form
        action={paths.parts}
        onSubmit={(event) => {
          event.preventDefault()
          const typed = String(new FormData(event.currentTarget).get('q')).trim()
          rememberSearch(typed)
          void ownSearch(typed).then(navigate)
        }}
      >
        <SearchRow words={words} label={label} placeholder={placeholder} />
      </form>
    </search>
  )
}

type SearchRowProps = Required<Pick<SearchBoxProps, 'words' | 'label' | 'placeholder'>>

/** With an `inputId`, the label is elsewhere. */
type SearchInputProps = Omit<SearchRowProps, 'label'> & { label?: string; inputId?: string }

/** The field and the button of the form around them. */
export const SearchRow = (row: SearchRowProps) => (
  <div className={classes.form}>
    {/* Another list starts with its own words. */}
    <SearchInput key={row.words} {...row} />
    <button type="submit" className={classes.submit}>
      Search
    </button>
  </div>
)

/** The words as one of several fields of a form. */
export function SearchField({ label, ...row }: SearchRowProps) {
  const id = useId()
  return (
    <div className={classes.alone}>
      <label htmlFor={id}>{label}</label>
      <SearchInput key={row.words} inputId={id} {...row} />
    </div>
  )
}

/** `words` are what was searched for, if it is not the label; `isFree`: they name no vehicle, as far as we know. */
type Option = { label: string; url: string; note: string; words?: string; isFree?: boolean }

const kindWords: Record<Suggestion['kind'], string> = {
  part: 'Part',
  vehicle: 'Vehicle',
  number: 'Part number',
  seller: 'Seller',
  words: '',
}

/**
 * The words of a search, as the field `q` of the form around it: an ARIA combobox whose list shows suggestions, or recent
 * searches while it is empty. The arrow keys choose, Enter opens the choice, Escape closes the list.
 */
function SearchInput({ words, label, placeholder, inputId }: SearchInputProps) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const { options, isRecent, isOpen, suggest, showRecent, close } = useOptions()
  const [active, setActive] = useState(-1)
  const isReady = useIsReady()
  const leave = () => {
    close()
    setActive(-1)
  }
  const choose = ({ label: chosen, words: searched = chosen, url, isFree }: Option) => {
    if (url.startsWith(paths.parts)) rememberSearch(searched)
    if (input.current) input.current.value = searched
    leave()
    // A list that was opened has its own filters.
    if (isFree && pathname !== paths.parts) void ownSearch(searched).then(navigate)
    else void navigate(url)
  }
  const type = (typed: string) => {
    setActive(-1)
    if (typed.trim() === '') showRecent()
    else suggest(typed)
  }
  const listed = isOpen && options.length > 0
  const move = (step: number, typed: string) => {
    if (listed) setActive(nextPlace(active, step, options.length))
    else type(typed)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, currentTarget } = event
    const step = arrows[key]
    if (step === undefined && key !== 'Enter' && key !== 'Escape') return
    const chosen = key === 'Enter' && listed ? options[active] : undefined
    // Enter without a choice submits the form; Escape without a list is left to the browser.
    if (step !== undefined || chosen || (key === 'Escape' && listed)) event.preventDefault()
    if (step !== undefined) move(step, currentTarget.value)
    else if (chosen) choose(chosen)
    else leave()
  }
  return (
    <div className={classes.field}>
      <input
        ref={input}
        type="search"
        name="q"
        defaultValue={words}
        className={classes.input}
        id={inputId}
        aria-label={label}
        placeholder={placeholder}
        maxLength={200}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...(isReady && { role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': listed })}
        aria-controls={listed ? id : undefined}
        aria-activedescendant={listed && active >= 0 ? `${id}-${active}` : undefined}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onFocus={({ currentTarget: { value } }) => value === '' && showRecent()}
        onKeyDown={press}
        onBlur={leave}
      />
      {listed && (
        // A press on the list must not take the focus from the box, which would close it.
        <div className={classes.list} onPointerDown={(event) => event.preventDefault()}>
          <Options id={id} options={options} active={active} isRecent={isRecent} onChoose={choose} />
          {isRecent && (
            <button
              type="button"
              tabIndex={-1}
              className={classes.forget}
              onClick={() => {
                forgetSearches()
                leave()
              }}
            >
              Clear recent searches
            </button>
          )}
        </div>
      )}
      <span role="status" className={classes.live}>
        {listed && !isRecent && `${options.length} suggestion${options.length === 1 ? '' : 's'}`}
      </span>
    </div>
  )
}

const arrows: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Beyond either end of the list is the box itself, where nothing is chosen. */
function nextPlace(active: number, step: number, count: number): number {
  const places = count + 1
  return ((active + 1 + step + places) % places) - 1
}

/** Without script it is a text field like any other, so only a running script makes it a combobox. */
function useIsReady(): boolean {
  const [isReady, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  return isReady
}

type OptionsProps = {
  id: string
  options: readonly Option[]
  active: number
  isRecent: boolean
  onChoose: (option: Option) => void
}

function Options({ id, options, active, isRecent, onChoose }: OptionsProps) {
  return (
    <div role="listbox" id={id} aria-label={isRecent ? 'Recent searches' : 'Suggestions'}>
      {options.map((option, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box has the focus and handles the keys
        <div
          key={option.url}
          role="option"
          id={`${id}-${at}`}
          tabIndex={-1}
          aria-selected={at === active}
          className={classes.option}
          onClick={() => onChoose(option)}
        >
          <span>{option.label}</span>
          <span className={classes.note}>{option.note}</span>
        </div>
      ))}
    </div>
  )
}

// Shorter than a pause between words, longer than one between letters.
const TYPING_PAUSE_MS = 120

/** What the list shows. A late or missing suggestion is no loss: what was typed can be searched anyway. */
function useOptions() {
  const [shown, setShown] = useState<{ options: Option[]; isRecent: boolean }>({
    options: [],
    isRecent: true,
  })
  const [isOpen, setOpen] = useState(false)
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])
  const ask = () => {
    asking.current?.abort()
    asking.current = new AbortController()
    return asking.current.signal
  }
  const show = (options: Option[], isRecent: boolean) => {
    setShown({ options, isRecent })
    setOpen(true)
  }
  return {
    ...shown,
    isOpen,
    suggest(typed: string) {
      const signal = ask()
      setTimeout(async () => {
        const options = signal.aborted ? undefined : await readSuggestions(typed, signal)
        if (options && !signal.aborted) show(options, false)
      }, TYPING_PAUSE_MS)
    },
    showRecent() {
      ask()
      show(
        readRecentSearches().map((words) => ({
          label: words,
          url: partsSearch(words),
          note: '',
          isFree: true,
        })),
        true,
      )
    },
    close() {
      ask()
      setOpen(false)
    },
  }
}

async function readSuggestions(typed: string, signal: AbortSignal): Promise<Option[] | undefined> {
  try {
    const reply = await fetch(`/api/search/suggestions?${new URLSearchParams({ q: typed })}`, { signal })
    if (!reply.ok) return undefined
    const { suggestions } = (await reply.json()) as { suggestions: Suggestion[] }
    const found = suggestions.map(({ kind, label, url, count }) => ({
      label,
      url,
      note: [kindWords[kind], count !== undefined && counted(count)].filter(Boolean).join(' · '),
      isFree: kind === 'part',
    }))
    return [...found, ...forVehicle(typed.trim())]
  } catch {
    return undefined
  }
}

const counted = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'part' : 'parts'}`

/** The same words for the buyer's vehicle. */
function forVehicle(words: string): Option[] {
  const [vehicle] = currentGarage().vehicles
  if (!vehicle || words === '') return []
  const url = partsFor(vehicle, new URLSearchParams({ q: words }))
  return [{ label: `${words} for your ${briefly(vehicle)}`, url, note: 'Your vehicle', words }]
}
