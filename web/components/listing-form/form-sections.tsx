import { Anchor, Fieldset, SimpleGrid, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type FormSection as Section, specOf, textFields } from '#contract/listing-fields.ts'
import { useSession } from '#web/api/session.ts'
import { paths } from '#web/paths.ts'
import { useFormContext } from './form-context.ts'
import classes from './form-sections.module.css'
import { GradeField } from './grade-field.tsx'
import {
  CategoryField,
  ListedModelField,
  ManufacturerField,
  ModelField,
  YearField,
} from './lookup-fields.tsx'
import { belowInput, LongTextField, ShippingField, TextField } from './text-field.tsx'

export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Fieldset legend={title} classNames={{ root: classes.section, legend: classes.legend }}>
      <Stack gap="md">{children}</Stack>
    </Fieldset>
  )
}

const Columns = ({ children, many = 2 }: { children: ReactNode; many?: number }) => (
  <SimpleGrid cols={{ base: 1, xs: many }} spacing="md">
    {children}
  </SimpleGrid>
)

/** The inputs of a section that the table of fields describes whole; two stand side by side. */
function OtherInputs({ section }: { section: Section }) {
  const { kind, own } = useFormContext()
  const fields = textFields.flatMap((field) => {
    const { input, forms, type } = specOf(field)
    return input?.section === section && forms.includes(kind) ? [{ field, input, type }] : []
  })
  if (fields.length === 0) return null
  return (
    <Columns>
      {fields.map(({ field, input, type }) => {
        const description = (own ? undefined : input.adminHint) ?? input.hint
        const props = { field, description, autoComplete: 'off' }
        return type === 'long text' ? (
          <LongTextField key={field} {...props} minRows={2} />
        ) : (
          <TextField key={field} {...props} {...(input.maxLength && { maxLength: input.maxLength })} />
        )
      })}
    </Columns>
  )
}

export function PartSection() {
  const { kind } = useFormContext()
  return (
    <FormSection title="The part">
      <TextField field="partname" placeholder="Alternator 130A" autoComplete="off" />
      <Columns>
        <CategoryField />
        <TextField field="partnum" placeholder="27060-0V210" autoComplete="off" autoCapitalize="characters" />
      </Columns>
      <GradeField />
      <LongTextField
        field="partdescription"
        minRows={4}
        maxRows={16}
        description="What was tested, what it fits, what is missing or worn"
      />
      {kind === 'quick' && (
        <LongTextField field="partdamage" minRows={2} placeholder="None, or what is damaged" />
      )}
      <OtherInputs section="part" />
    </FormSection>
  )
}

export function VehicleSection() {
  const { kind } = useFormContext()
  return (
    <FormSection title="The car it came from">
      <Columns many={3}>
        <YearField />
        <ManufacturerField />
        {kind === 'quick' ? <ListedModelField /> : <ModelField />}
      </Columns>
      {kind === 'quick' && (
        <Columns>
          <TextField field="parttrim" placeholder="LE" />
          <TextField field="partmiles" inputMode="numeric" placeholder="92000" />
        </Columns>
      )}
      <OtherInputs section="vehicle" />
    </FormSection>
  )
}

export function PriceSection() {
  const { kind, own } = useFormContext()
  const withShipping = kind === 'ecommerce' || !own
  return (
    <FormSection title={withShipping ? 'Price and shipping' : 'Price'}>
      <Columns many={withShipping ? 3 : 2}>
        <TextField field="partprice" inputMode="decimal" leftSection="$" placeholder="129.95" />
        {withShipping && <ShippingField />}
        <TextField field="partquantity" inputMode="numeric" placeholder="1" />
      </Columns>
      <OtherInputs section="price" />
    </FormSection>
  )
}

const HiddenNumber = () => (
  <>
    Buyers do not see this number.{' '}
    <Anchor component={Link} to={paths.accountSettings} inherit underline="always">
      Account settings
    </Anchor>
  </>
)

export function SellerSection() {
  const { kind, own } = useFormContext()
  const phoneShown = useSession().user?.communicationPrefs.showPhonePublicly === true
  return (
    <FormSection title="Where it is and who sells it">
      <Columns many={3}>
        <TextField field="partcity" autoComplete="address-level2" />
        <TextField field="partstate" autoComplete="address-level1" placeholder="OK" />
        <TextField field="zipcode" autoComplete="postal-code" inputMode="numeric" placeholder="74103" />
      </Columns>
      <Columns many={kind === 'quick' ? 3 : 2}>
        <TextField field="dealername" autoComplete="organization" />
        <TextField
          field="dealerphone"
          type="tel"
          autoComplete="tel"
          {...(own && !phoneShown && { description: <HiddenNumber />, inputWrapperOrder: belowInput })}
        />
        {kind === 'quick' && <TextField field="phoneb" type="tel" autoComplete="off" />}
      </Columns>
      {kind === 'quick' && (
        <Columns>
          <TextField field="latitude" inputMode="text" placeholder="36.1540" />
          <TextField field="longitude" inputMode="text" placeholder="-95.9928" />
        </Columns>
      )}
      <OtherInputs section="seller" />
    </FormSection>
  )
}

/** Nothing here is needed to sell; it is for the seller's own order. */
export function RecordsSection({ withAddress }: { withAddress: boolean }) {
  const { own } = useFormContext()
  return (
    <FormSection title={own ? 'For your records (optional)' : 'The seller’s records'}>
      <OtherInputs section="records" />
      {withAddress && (
        <TextField
          field="partslug"
          description={
            own
              ? 'The end of the listing’s web address; made from its title when left empty'
              : 'The unique end of the listing’s web address; its earlier addresses lead to it'
          }
          autoComplete="off"
        />
      )}
    </FormSection>
  )
}
