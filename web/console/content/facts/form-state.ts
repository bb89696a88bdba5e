import { createContext, useContext } from 'react'
import type { ContentShape } from '#contract/publishing/content-shapes.ts'
import type { Language } from '#contract/platform/fields.ts'

/** Problems found by the server, by place, and whether the reader can edit. */
export type FormState = {
  problemAt: (place: string) => string | undefined
  wrongWithin: (place: string) => number
  mayWrite: boolean
}
const FormContext = createContext<FormState>({
  problemAt: () => undefined,
  wrongWithin: () => 0,
  mayWrite: false,
})
export const FormProvider = FormContext.Provider
export const useForm = (): FormState => useContext(FormContext)

export type FieldProps<Shape extends ContentShape = ContentShape> = {
  shape: Shape
  /** The path with the IDs of entries, in the same format as in problems. */
  place: string
  name: string
  value: unknown
  onValue: (value: unknown) => void
  isOptional?: boolean
  /** Added to the label if the fields of both languages are side by side. */
  language?: Language | undefined
}

export const under = (place: string, step: string): string => (place === '' ? step : `${place}.${step}`)
