import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { partsSearch, paths } from '#web/paths.ts'
import classes from './header.module.css'

/** Search from any page. A plain form: it works before its script has come, or without it. */
export function SearchBox() {
  const navigate = useNavigate()
  return (
    <search className={classes.search}>
      <form
        action={paths.parts}
        onSubmit={(event) => {
          event.preventDefault()
          const words = new FormData(event.currentTarget).get('q')
          void navigate(partsSearch(String(words).trim()))
        }}
      >
        <input
          type="search"
          name="q"
          aria-label="Search parts"
          placeholder="Part, part number or vehicle"
          maxLength={200}
          autoComplete="off"
        />
        <button type="submit" aria-label="Find parts">
          <IconSearch size={20} stroke={1.8} aria-hidden />
        </button>
      </form>
    </search>
  )
}
