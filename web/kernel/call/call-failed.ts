import type { ContentProblem } from '#contract/publishing/content-rules.ts'
import type { Work } from '#contract/platform/proof-of-work.ts'
import {
  errorStatuses,
  type FieldError,
  type ErrorCode,
  type RefusedDelivery,
  type SecondFactorRequest,
  type TheirChange,
} from '#contract/platform/errors.ts'

/**
 * An API error, or `offline` if no response arrived. The message is a sentence in the reader's language. It is empty if
 * the member canceled the action, because a cancellation is not shown as an error.
 */
export class CallFailed extends Error {
  readonly code: ErrorCode | 'offline'
  readonly status: number
  readonly errors: readonly FieldError[]
  readonly retryAfterSeconds: number | undefined
  readonly secondFactor: SecondFactorRequest | undefined
  readonly work: Work | undefined
  readonly isClosed: boolean
  /** With content that breaks rules: the places. */
  readonly broken: readonly ContentProblem[]
  /** With a conflicting draft: the changes made by others. */
  readonly theirs: readonly TheirChange[]
  /** With a conflict of a payout run: the deliveries that can't be paid. */
  readonly deliveries: readonly RefusedDelivery[]

  constructor(
    code: ErrorCode | 'offline',
    message: string,
    details: {
      errors?: readonly FieldError[] | undefined
      retryAfterSeconds?: number | undefined
      secondFactor?: SecondFactorRequest | undefined
      work?: Work | undefined
      isClosed?: boolean | undefined
      broken?: readonly ContentProblem[] | undefined
      theirs?: readonly TheirChange[] | undefined
      deliveries?: readonly RefusedDelivery[] | undefined
    } = {},
  ) {
    super(message)
    this.code = code
    this.status = code === 'offline' ? 0 : errorStatuses[code]
    this.errors = details.errors ?? []
    this.retryAfterSeconds = details.retryAfterSeconds
    this.secondFactor = details.secondFactor
    this.work = details.work
    this.isClosed = details.isClosed ?? false
    this.broken = details.broken ?? []
    this.theirs = details.theirs ?? []
    this.deliveries = details.deliveries ?? []
  }
}

/** Whether a failure means that the session has ended or never existed, rather than that the server was unreachable. */
export const isSessionRefused = (failure: unknown): boolean =>
  failure instanceof CallFailed && (failure.status === 401 || failure.code === 'xsrf_failed')
