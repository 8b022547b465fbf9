import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { partsSearch } from '#web/paths.ts'
import classes from './home.module.css'

/** The short way for a buyer who came to look for a part. */
export function PartSearch() {
  const [words, setWords] = useState('')
  const navigate = useNavigate()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void navigate(partsSearch(words.trim()))
  }
  return (
    <section className={classes.search} aria-labelledby="part-search">
      <div className={classes.searchInner}>
        <h2 id="part-search">Looking for a part?</h2>
        <search className={classes.searchBox}>
          <form onSubmit={submit} className={classes.searchForm}>
            <TextInput
              aria-label="Part, part number, make or model"
              placeholder="27060-0V210, or: Camry alternator"
              leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
              size="md"
              value={words}
              onChange={(event) => setWords(event.currentTarget.value)}
            />
            <Button type="submit" size="md" color="sea">
              Find parts
            </Button>
          </form>
        </search>
      </div>
    </section>
  )
}
