import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'

/** Of lists of parts (spec, section 9). */
const usualWaitMs = 350

type SearchInputProps = Omit<TextInputProps, 'value' | 'onChange'> & {
  value: string
  onSearch: (words: string) => void
  waitMs?: number
}

/** Searches while one types, after a short pause; Enter does not wait for it. */
export function SearchInput({ value, onSearch, waitMs = usualWaitMs, ...props }: SearchInputProps) {
  const [text, setText] = useState(value)
  const [sent, setSent] = useState(value)
  const [seen, setSeen] = useState(value)
  // Back, Clear filters: a value that did not come from here replaces what is typed.
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
      // More is refused by every search.
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && searchNow(text)}
      leftSection={<IconSearch size={18} aria-hidden />}
      rightSection={text !== '' && <CloseButton aria-label="Clear words" onClick={() => searchNow('')} />}
      {...props}
    />
  )
}
