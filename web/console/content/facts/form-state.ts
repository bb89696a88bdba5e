import { createContext, useContext } from 'react'
import type { ContentShape } from '#contract/content-shapes.ts'
import type { Language } from '#contract/fields.ts'

/** What the server found wrong, by place, and whether the reader may type. */
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
  /** The path with the ids of entries, as problems name it. */
  place: string
  name: string
  value: unknown
  onValue: (value: unknown) => void
  isOptional?: boolean
  /** Said behind the label where fields of both languages stand side by side. */
  language?: Language | undefined
}

export const under = (place: string, step: string): string => (place === '' ? step : `${place}.${step}`)
