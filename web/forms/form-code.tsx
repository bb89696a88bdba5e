import type { ComponentProps } from 'react'
import type { FieldValues } from 'react-hook-form'
import { FormInput } from './form-input.tsx'

/**
 * For codes from emails or authenticator apps: browsers and keyboards may fill them in, but must not correct
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
