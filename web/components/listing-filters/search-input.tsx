import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'

/** Given by the spec. */
const defaultWaitMs = 350

type SearchInputProps = Omit<TextInputProps, 'value' | 'onChange'> & {
  value: string
  onSearch: (words: string) => void
  waitMs?: number
}

/** Searches after a pause in typing, or on Enter. */
export function SearchInput({ value, onSearch, waitMs = defaultWaitMs, ...props }: SearchInputProps) {
  const [text, setText] = useState(value)
  const [sent, setSent] = useState(value)
  const [seen, setSeen] = useState(value)
  // A value from elsewhere (Back, Clear filters) replaces the typed text.
  if (value !== seen) {
    setSeen(value)
    if (value !== sent) setText(value)
  }
  const search = useEffectEvent((words: string) => {
    setSent(words)
    if (words !== value) onSearch(words)
  })
  useEffect(() => {
    const timer = setTimeout(() => search(text.trim()), waitMs)
    return () => clearTimeout(timer)
  }, [text, waitMs])
  const searchNow = (words: string) => {
    setText(words)
    setSent(words.trim())
    onSearch(words.trim())
  }
  return (
    <TextInput
      type="search"
      // The server refuses longer searches.
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && searchNow(text)}
      leftSection={<IconSearch size={18} aria-hidden />}
      rightSection={text !== '' && <CloseButton aria-label="Clear search" onClick={() => searchNow('')} />}
      {...props}
    />
  )
}
