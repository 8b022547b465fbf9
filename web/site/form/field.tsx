import { type ComponentProps, type ReactNode, useId } from 'react'
import classes from './field.module.css'

type Labeled = {
  label: string
  /** Below the label: what to write, or why we ask. */
  description?: ReactNode
  /** What is wrong with the value; `true` only marks the field. */
  error?: string | true | undefined
}

/** A text field with its label, description and error. */
export function TextField({ label, description, error, ...input }: Labeled & ComponentProps<'input'>) {
  const field = useField({ label, description, error })
  return field.around(<input className={classes.input} {...field.marks} {...input} />)
}

export function TextArea({ label, description, error, ...input }: Labeled & ComponentProps<'textarea'>) {
  const field = useField({ label, description, error })
  return field.around(<textarea className={classes.area} {...field.marks} {...input} />)
}

export function SelectField({ label, description, error, ...input }: Labeled & ComponentProps<'select'>) {
  const field = useField({ label, description, error })
  return field.around(<select className={classes.select} {...field.marks} {...input} />)
}

/** A checkbox; its label is as large a target as the box. */
export const CheckField = ({ label, ...input }: { label: string } & ComponentProps<'input'>) => (
  <label className={classes.check}>
    <input type="checkbox" {...input} />
    {label}
  </label>
)

/** A field's frame, and the attributes that link its input to it. */
function useField({ label, description, error }: Labeled) {
  const id = useId()
  const [noteId, errorId] = [`${id}-note`, `${id}-error`]
  const described = [description !== undefined && noteId, typeof error === 'string' && errorId].filter(
    Boolean,
  )
  return {
    marks: {
      id,
      'aria-invalid': error === undefined ? undefined : true,
      'aria-describedby': described.join(' ') || undefined,
    },
    around: (input: ReactNode) => (
      <div className={classes.field}>
        <label htmlFor={id} className={classes.label}>
          {label}
        </label>
        {description !== undefined && (
          <p id={noteId} className={classes.note}>
            {description}
          </p>
        )}
        {input}
        {typeof error === 'string' && (
          <p id={errorId} className={classes.error}>
            {error}
          </p>
        )}
      </div>
    ),
  }
}
