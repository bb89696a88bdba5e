import type { ComponentProps } from 'react'
import type { FieldValues } from 'react-hook-form'
import { FormInput } from './form-input.tsx'

/**
 * A field for codes from emails or authenticator apps. Browsers and keyboards can fill in codes, but must not correct
 * them.
 */
export const FormCode = <Values extends FieldValues, Output>(
  given: Pick<ComponentProps<typeof FormInput<Values, Output>>, 'of' | 'name' | 'help'>,
) => (
  <FormInput
    {...given}
    autoComplete="one-time-code"
    autoCapitalize="none"
    autoCorrect="off"
    spellCheck={false}
  />
)
