import { Button, Checkbox, Stack, TextInput } from '@mantine/core'
import type { Yard } from '#contract/pages/yard.ts'
import {
  nameOfDay,
  type OpeningHours,
  type OpenTimes,
  type Weekday,
  weekdays,
} from '#contract/pages/yard-words.ts'
import classes from './yard.module.css'

/** A week in the form. An unchecked day keeps its times, so that checking it again restores them. */
export type WeekDraft = Record<Weekday, OpenTimes & { isOpen: boolean }>

const USUAL: OpenTimes = { opens: '08:00', closes: '17:00' }

const weekOf = <Value,>(read: (day: Weekday) => Value): Record<Weekday, Value> =>
  Object.fromEntries(weekdays.map((day) => [day, read(day)])) as Record<Weekday, Value>

export const draftOf = (hours: OpeningHours | null): WeekDraft =>
  weekOf((day) => ({ ...(hours?.[day] ?? USUAL), isOpen: Boolean(hours?.[day]) }))

/** Null if no day is checked: then the page shows no hours. */
export function hoursOf(week: WeekDraft): Yard['hours'] {
  if (!weekdays.some((day) => week[day].isOpen)) return null
  return weekOf((day) => {
    const { isOpen, opens, closes } = week[day]
    return isOpen ? { opens, closes } : null
  })
}

type HoursFieldsProps = {
  week: WeekDraft
  problems: Readonly<Record<string, string | true>>
  onChange: (week: WeekDraft) => void
}

export function HoursFields({ week, problems, onChange }: HoursFieldsProps) {
  const { monday } = week
  const workdays = ['tuesday', 'wednesday', 'thursday', 'friday'] as const
  const differs = workdays.some((day) => JSON.stringify(week[day]) !== JSON.stringify(monday))
  return (
    <Stack gap="xs">
      {weekdays.map((day) => (
        <DayFields
          key={day}
          day={day}
          draft={week[day]}
          problems={problems}
          onChange={(draft) => onChange({ ...week, [day]: draft })}
        />
      ))}
      {monday.isOpen && differs && (
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          onClick={() =>
            onChange({ ...week, ...Object.fromEntries(workdays.map((day) => [day, { ...monday }])) })
          }
        >
          Use Monday’s hours through Friday
        </Button>
      )}
    </Stack>
  )
}

type DayFieldsProps = {
  day: Weekday
  draft: WeekDraft[Weekday]
  problems: HoursFieldsProps['problems']
  onChange: (draft: WeekDraft[Weekday]) => void
}

function DayFields({ day, draft, problems, onChange }: DayFieldsProps) {
  const name = nameOfDay(day)
  const time = (which: 'opens' | 'closes') => (
    <TextInput
      type="time"
      name={`hours.${day}.${which}`}
      aria-label={`${name} ${which}`}
      value={draft[which]}
      error={problems[`hours.${day}.${which}`]}
      onChange={(event) => onChange({ ...draft, [which]: event.currentTarget.value })}
    />
  )
  return (
    <fieldset className={classes.day} aria-label={name}>
      <Checkbox
        label={name}
        checked={draft.isOpen}
        onChange={(event) => onChange({ ...draft, isOpen: event.currentTarget.checked })}
      />
      {draft.isOpen ? (
        <>
          {time('opens')}
          <span>to</span>
          {time('closes')}
        </>
      ) : (
        <span className="second">Closed</span>
      )}
    </fieldset>
  )
}
