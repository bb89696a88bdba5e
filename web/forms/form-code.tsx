import type { ComponentProps } from 'react'
import type { FieldValues } from 'react-hook-form'
import { FormInput } from './form-input.tsx'

/** For a code of a mail or of an authenticator, which a browser or its keyboard may offer and nobody corrects. */
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
