import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ListingField, ListingKind } from '#contract/listing-fields.ts'
import { PictureInput } from '#web/components/listing-picture/picture-input.tsx'
import { FormContext } from './form-context.ts'
import classes from './form-sections.module.css'
import { PartSection, PriceSection, RecordsSection, SellerSection, VehicleSection } from './form-sections.tsx'
import type { ListingFormState } from './use-listing-form.ts'

type ListingFormProps = {
  kind: ListingKind
  state: ListingFormState
  /** Says what the form is for, to people who cannot see the heading above. */
  label: string
  /** What the picture's frame shows while no file is chosen; a form without it takes no picture. */
  pictureFrame?: ReactNode
  pictureRequired?: boolean
  categoryName?: string | undefined
  /** Whether the address can be chosen: by a seller only before anybody knows it. */
  withAddress?: boolean
  /** Names of inputs that are not those of their fields. */
  inputNames?: Partial<Record<ListingField, string>>
  /** Whose listing it is: an admin's form of somebody else's says nothing about the admin's own settings. */
  own?: boolean
  /** What the editor may set beyond the fields of a listing, such as its status. */
  extra?: ReactNode
  children: ReactNode
}

/** The one form of a listing: e-commerce or quick, new or edited. */
export function ListingForm(props: ListingFormProps) {
  const { kind, state, own = true, inputNames = {}, categoryName } = props
  const { form, picture, busy, checkField } = state
  const surroundings = { kind, form, checkField, disabled: busy, own, inputNames, categoryName }
  return (
    <FormContext value={surroundings}>
      <form {...state.formProps} aria-label={props.label}>
        <Stack gap="md">
          {props.pictureFrame !== undefined && (
            <div className={classes.section}>
              <PictureInput
                label="Image"
                required={props.pictureRequired ?? false}
                value={picture}
                onChange={state.choosePicture}
                error={form.errors.image}
                onRefused={state.refusePicture}
                disabled={busy}
                placeholder={props.pictureFrame}
              />
            </div>
          )}
          <PartSection />
          <VehicleSection />
          <PriceSection />
          <SellerSection />
          <RecordsSection withAddress={props.withAddress ?? false} />
          {props.extra}
        </Stack>
        {props.children}
      </form>
    </FormContext>
  )
}
