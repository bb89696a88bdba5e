import type { FieldProblem, RefusalCode, SecondFactorAsked } from '#contract/errors.ts'

export type FieldRefusal = { path: string; code: FieldProblem; values?: Record<string, number | string> }

/** An expected "no". Everything else that is thrown is a bug and answered as `unexpected`. */
export class Refused extends Error {
  readonly code: RefusalCode
  readonly fields: readonly FieldRefusal[]
  readonly retryAfterSeconds: number | undefined
  readonly secondFactor: SecondFactorAsked | undefined

  constructor(
    code: RefusalCode,
    details: {
      fields?: readonly FieldRefusal[]
      retryAfterSeconds?: number
      secondFactor?: SecondFactorAsked
    } = {},
  ) {
    super(code)
    this.code = code
    this.fields = details.fields ?? []
    this.retryAfterSeconds = details.retryAfterSeconds
    this.secondFactor = details.secondFactor
  }
}

export const refusedField = (path: string, code: FieldProblem, values?: FieldRefusal['values']): Refused =>
  new Refused('validation_failed', { fields: [values ? { path, code, values } : { path, code }] })
