import type {
  ErrorCode,
  FieldProblem,
  RefusedDelivery,
  SecondFactorRequest,
  TheirChange,
} from '#contract/platform/errors.ts'
import type { Work } from '#contract/platform/proof-of-work.ts'
import type { ContentProblem } from '#contract/publishing/content-rules.ts'
import type { Values, ValuesFor } from './text/fill.ts'
import type { Placeholders } from './text/placeholders.ts'

/** Placeholders that the message of a field error needs. */
type BoundOf<Code extends FieldProblem> = {
  [Each in Code]: `field.${Each}` extends infer Key extends keyof Placeholders ? Placeholders[Key] : never
}[Code]

/** A field error. One whose message names a limit does not compile without that value. */
export type FieldRefusal = {
  [Code in FieldProblem]: { path: string; code: Code } & ([BoundOf<Code>] extends [never]
    ? { values?: Values<string> }
    : { values: Values<BoundOf<Code>> })
}[FieldProblem]

/** An expected error. Everything else that is thrown is a bug and results in `unexpected`. */
export class Refused extends Error {
  readonly code: ErrorCode
  readonly fields: readonly FieldRefusal[]
  readonly retryAfterSeconds: number | undefined
  readonly secondFactor: SecondFactorRequest | undefined
  readonly work: Work | undefined
  readonly isClosed: boolean
  readonly broken: readonly ContentProblem[] | undefined
  readonly theirs: readonly TheirChange[] | undefined
  readonly deliveries: readonly RefusedDelivery[] | undefined
  /** With `maintenance`: when it is expected to end. */
  readonly until: Date | undefined

  constructor(
    code: ErrorCode,
    details: {
      fields?: readonly FieldRefusal[]
      retryAfterSeconds?: number
      secondFactor?: SecondFactorRequest
      work?: Work
      isClosed?: boolean
      broken?: readonly ContentProblem[]
      theirs?: readonly TheirChange[]
      deliveries?: readonly RefusedDelivery[]
      until?: Date
    } = {},
  ) {
    super(code)
    this.code = code
    this.fields = details.fields ?? []
    this.retryAfterSeconds = details.retryAfterSeconds
    this.secondFactor = details.secondFactor
    this.work = details.work
    this.isClosed = details.isClosed ?? false
    this.broken = details.broken
    this.theirs = details.theirs
    this.deliveries = details.deliveries
    this.until = details.until
  }
}

export const refusedField = <Code extends FieldProblem>(
  path: string,
  code: Code,
  ...[values]: ValuesFor<BoundOf<Code>>
): Refused => new Refused('validation_failed', { fields: [{ path, code, values } as FieldRefusal] })
