import { Checkbox, Fieldset, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import { memo, type ReactNode, useMemo } from 'react'
import {
  isInForm,
  type ListingField,
  type ListingKind,
  type FormSection as Section,
  specOf,
  type TermField,
  termFields,
  textFields,
} from '#contract/listing/listing-fields.ts'
import { termsInWords, termsOfTexts } from '#contract/listing/listing-terms.ts'
import { useSession } from '#web/api/session.ts'
import { TextLink } from '#web/components/links.tsx'
import { PictureDesk } from '#web/components/listing-picture/picture-desk.tsx'
import type { PictureDesk as Desk } from '#web/components/listing-picture/picture-desk-state.ts'
import { useAddress } from '#web/components/listing-picture/picture-tile.tsx'
import { paths } from '#web/paths.ts'
import {
  belowInput,
  CategoryField,
  DescriptionField,
  GradeField,
  ListedModelField,
  LongTextField,
  ManufacturerField,
  ModelField,
  ShippingField,
  TextField,
  YearField,
} from './fields.tsx'
import { GradeAdvice } from './grade-advice.tsx'
import classes from './listing-form.module.css'
import { PriceHelp } from './price-help.tsx'
import { RestrictedNotice } from './restricted-notice.tsx'
import {
  FormContext,
  type ListingFormState,
  useField,
  useFormContext,
  useFormValues,
  ValuesContext,
} from './use-listing-form.ts'
import { VinField } from './vin-field.tsx'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import type { Listing } from '#contract/listings.ts'
import { type CardListing, ListingCard } from '#web/components/listing-card/listing-card.tsx'
import { useCategories } from '#web/components/listing-lookups/lookup-queries.ts'

type ListingFormProps = {
  kind: ListingKind
  state: ListingFormState
  label: string
  /** A form without it is for text only. */
  desk?: Desk | undefined
  /** Shown until there is a picture. */
  pictureFrame?: ReactNode
  pictureRequired?: boolean
  categoryName?: string | undefined
  /** Of a listing that exists. */
  listingId?: string
  /** Whether the slug can be edited. Sellers can only set it for a new listing. */
  withAddress?: boolean
  /** Input names that differ from the field names. */
  inputNames?: Partial<Record<ListingField, string>>
  /** False when an admin edits a seller's listing. */
  own?: boolean
  /** Additional inputs, such as the status. */
  extra?: ReactNode
  children: ReactNode
}

/** The listing form for both kinds, new or existing. */
export function ListingForm(props: ListingFormProps) {
  const { kind, state, own = true, inputNames = noOtherNames, categoryName } = props
  const { form, busy: disabled, checkField } = state
  const context = useMemo(
    () => ({ kind, checkField, disabled, own, inputNames, categoryName }),
    [kind, checkField, disabled, own, inputNames, categoryName],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: its functions read the latest values; an upload's progress changes none
  const values = useMemo(() => form, [form.values, form.errors])
  return (
    <FormContext value={context}>
      <ValuesContext value={values}>
        <form {...state.formProps} aria-label={props.label}>
          <Stack gap="md">
            {props.desk && (
              <div className={classes.section}>
                <PictureDesk
                  label="Image"
                  desk={props.desk}
                  required={props.pictureRequired ?? false}
                  error={form.errors.image}
                  disabled={disabled}
                  placeholder={props.pictureFrame}
                />
              </div>
            )}
            <PartSection />
            <VehicleSection />
            <PriceSection listingId={props.listingId} />
            <TermsSection />
            <SellerSection />
            <RecordsSection withAddress={props.withAddress ?? false} />
            {props.extra}
          </Stack>
          {props.children}
        </form>
      </ValuesContext>
    </FormContext>
  )
}

const noOtherNames = {}

function FormSection({ title, children }: { title: string; children: ReactNode }) {
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

/** A section's inputs that the field table fully describes. */
function OtherInputs({ section }: { section: Section }) {
  const { kind, own } = useFormContext()
  const fields = textFields.flatMap((field) => {
    const { input, type } = specOf(field)
    return input?.section === section && isInForm(field, kind) ? [{ field, input, type }] : []
  })
  if (fields.length === 0) return null
  return (
    <Columns>
      {fields.map(({ field, input, type }) => {
        const description = (own ? undefined : input.adminHint) ?? input.hint
        // Below the input, so that inputs in a row line up regardless of the length of their hints.
        const props = { field, description, inputWrapperOrder: belowInput, autoComplete: 'off' }
        return type === 'long text' ? (
          <LongTextField key={field} {...props} minRows={2} />
        ) : (
          <TextField key={field} {...props} />
        )
      })}
    </Columns>
  )
}

const PartSection = memo(() => {
  const { kind } = useFormContext()
  return (
    <FormSection title="The part">
      <TextField field="partname" placeholder="Alternator 130A" autoComplete="off" />
      <Columns>
        <CategoryField />
        <TextField field="partnum" placeholder="27060-0V210" autoComplete="off" autoCapitalize="characters" />
      </Columns>
      <RestrictedNotice />
      <GradeField />
      <GradeAdvice />
      <DescriptionField />
      {kind === 'quick' && (
        <LongTextField field="partdamage" minRows={2} placeholder="None, or what is damaged" />
      )}
      <OtherInputs section="part" />
    </FormSection>
  )
})

const VehicleSection = memo(() => {
  const { kind } = useFormContext()
  return (
    <FormSection title="The car it came from">
      <VinField />
      <Columns many={3}>
        <YearField />
        <ManufacturerField />
        {kind === 'quick' ? <ListedModelField /> : <ModelField />}
      </Columns>
      <Columns>
        <TextField field="parttrim" placeholder="LE" />
        <TextField field="partmiles" inputMode="numeric" placeholder="92000" />
      </Columns>
      <OtherInputs section="vehicle" />
    </FormSection>
  )
})

const PriceSection = memo(({ listingId }: { listingId: string | undefined }) => {
  const { kind, own } = useFormContext()
  const withShipping = kind === 'ecommerce' || !own
  return (
    <FormSection title={withShipping ? 'Price and shipping' : 'Price'}>
      <Columns many={withShipping ? 3 : 2}>
        <TextField field="partprice" inputMode="decimal" leftSection="$" placeholder="129.95" />
        {withShipping && <ShippingField />}
        <TextField field="partquantity" inputMode="numeric" placeholder="1" />
      </Columns>
      <PriceHelp listingId={listingId} />
      <OtherInputs section="price" />
    </FormSection>
  )
})

/** What the buyer is promised, and how buyers will read it. */
const TermsSection = memo(() => (
  <FormSection title="Terms (optional)">
    <Columns many={3}>
      {shownTerms.map((field) => (
        <TermInput key={field} field={field} />
      ))}
    </Columns>
    <OtherInputs section="terms" />
    <TermsInWords />
  </FormSection>
))

function TermsInWords() {
  const words = termsInWords(termsOfTexts(useFormValues().values))
  if (words.length === 0) return null
  return (
    <Text size="sm" className="second" role="status">
      Buyers see: {words.join(' · ')}
    </Text>
  )
}

// An air bag's confirmation is shown with its other requirements.
const shownTerms = termFields.filter((field) => field !== 'neverdeployed')

function TermInput({ field }: { field: TermField }) {
  const { input, set } = useField(field)
  const { type, input: { hint: description, unit } = {} } = specOf(field)
  if (type === 'yes') {
    const { value, required: _, ...others } = input
    return (
      <Checkbox
        {...others}
        description={description}
        checked={value !== ''}
        onChange={(event) => set(event.currentTarget.checked ? 'Yes' : '')}
        mt="xl"
      />
    )
  }
  return (
    <TextField
      field={field}
      description={description}
      inputWrapperOrder={belowInput}
      inputMode={type === 'amount' ? 'decimal' : 'numeric'}
      autoComplete="off"
      {...(type === 'amount' ? { leftSection: unit } : { rightSection: unit, rightSectionWidth: 48 })}
    />
  )
}

const HiddenNumber = () => (
  <>
    Hidden from buyers.{' '}
    <TextLink to={paths.accountSettings} inherit underline="always">
      Account settings
    </TextLink>
  </>
)

const SellerSection = memo(() => {
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
})

/** Optional fields for the seller's own use. */
const RecordsSection = memo(({ withAddress }: { withAddress: boolean }) => {
  const { own } = useFormContext()
  return (
    <FormSection title={own ? 'For your records (optional)' : 'The seller’s records'}>
      <OtherInputs section="records" />
      {withAddress && (
        <TextField
          field="partslug"
          description={
            own
              ? 'The end of the listing’s URL. Leave empty to use the title.'
              : 'The end of the listing’s URL. Old URLs redirect to it.'
          }
          autoComplete="off"
        />
      )}
    </FormSection>
  )
})

type Status = Listing['status']
type StatusSectionProps = { value: Status; onChange: (status: Status) => void; disabled: boolean }

const choices = [
  { value: 'ACTIVE', label: 'Active' },
  { value: 'HIDDEN', label: 'Hidden' },
] satisfies { value: Status; label: string }[]

const meanings: Record<Status, string> = {
  ACTIVE: 'Everyone can see this listing.',
  HIDDEN: 'Only its seller and admins can see this listing.',
}

export function StatusSection({ value, onChange, disabled }: StatusSectionProps) {
  return (
    <FormSection title="Status">
      <SegmentedControl
        aria-label="Status"
        data={choices}
        value={value}
        onChange={onChange}
        disabled={disabled}
        style={{ alignSelf: 'flex-start' }}
      />
      <Text size="sm" className="second">
        {meanings[value]}
      </Text>
    </FormSection>
  )
}

type ListingPreviewProps = {
  state: ListingFormState
  /** The cover: a URL or a local file. */
  cover: string | Blob | undefined
  /** Whether buyers see the phone number. Defaults to the user's own setting. */
  phoneShown?: boolean
}

export function ListingPreview({ state, cover, phoneShown }: ListingPreviewProps) {
  const { values } = state.form
  const { user } = useSession()
  const imageUrl = useAddress(cover) ?? null
  const { data: categories } = useCategories()
  const card: CardListing = {
    ...values,
    partname: values.partname || 'Part name',
    partprice: Number(values.partprice) || null,
    dealerphone: (phoneShown ?? user?.communicationPrefs.showPhonePublicly) ? values.dealerphone : '',
    currency: 'USD',
    imageUrl,
    categoryGroup: categories?.find(({ id }) => id === values.partcategoryId)?.group ?? null,
    endedAt: null,
    endedReason: null,
  }
  return (
    <aside className={classes.preview} aria-label="Preview">
      <Stack gap="xs">
        <Text size="sm" fw={600} className="second">
          What buyers will see
        </Text>
        <ListingCard listing={card} />
      </Stack>
    </aside>
  )
}
