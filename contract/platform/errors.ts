import type { ContentProblem } from '../publishing/content-rules.ts'
import type { RecoveryState } from '../people/account-recovery.ts'
import type { Work } from './proof-of-work.ts'
import type { PasskeyRequest } from '../people/webauthn.ts'

/** Every error code with its HTTP status. The message for each code is content (`messages/{en,cn}/errors.json`). */
export const errorStatuses = {
  malformed_json: 400,
  validation_failed: 400,
  app_mismatch: 400,
  reset_code_invalid: 400,
  code_invalid: 400,
  answer_link_invalid: 400,
  token_misused: 400,
  unauthenticated: 401,
  credentials_invalid: 401,
  passkey_invalid: 401,
  session_expired: 401,
  token_invalid: 401,
  second_factor_required: 401,
  second_factor_needed: 403,
  step_up_required: 403,
  app_unknown: 403,
  member_inactive: 403,
  forbidden: 403,
  identity_needed: 403,
  person_required: 403,
  token_read_only: 403,
  own_price: 403,
  not_admitted: 403,
  xsrf_failed: 403,
  not_found: 404,
  quote_unknown: 404,
  method_not_allowed: 405,
  too_slow: 408,
  conflict: 409,
  idempotency_conflict: 409,
  quote_expired: 409,
  quote_used: 409,
  sale_closed: 409,
  cap_reached: 409,
  payouts_on_hold: 409,
  network_unread: 409,
  transfer_seen: 409,
  wrong_token: 409,
  photos_unjudged: 409,
  photo_unseen: 409,
  screening_unread: 409,
  last_admin: 409,
  member_is_staff: 409,
  account_closed: 409,
  content_broken: 409,
  content_waits: 409,
  mail_in_hand: 409,
  mail_delivered: 409,
  mail_text_gone: 409,
  mail_expired: 409,
  mail_address_changed: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  work_required: 429,
  unexpected: 500,
  not_implemented: 501,
  unavailable: 503,
  maintenance: 503,
} as const

export type ErrorCode = keyof typeof errorStatuses

/** Errors that only API tokens can receive. */
export type TokenErrorCode = 'token_invalid' | 'token_misused' | 'token_read_only' | 'person_required'

/**
 * Sent with `second_factor_required`, only after the correct password: the kinds of factors that the account has and,
 * for passkeys, what the browser needs to use them.
 */
export type SecondFactorRequest = {
  kinds: readonly ('totp' | 'recovery' | 'passkey')[]
  passkey?: PasskeyRequest
  /** The member's open account recovery request. */
  lostFactor?: RecoveryState
}

/** Problems of a single field. The messages are content, under `field.<code>`. */
export const fieldProblems = [
  'required',
  'email',
  'too_short',
  'too_long',
  'too_few',
  'too_many',
  'number',
  'ambiguous_number',
  'too_little',
  'too_much',
  'too_precise',
  'too_much_markup',
  'one_of',
  'mismatch',
  'address',
  'address_checksum',
  'address_length',
  'address_mixed_case',
  'address_test_network',
  'address_wrong_chain',
  'our_address',
  'tx_id',
  'placeholder',
  'tx_used',
  'incoming_payment',
  'unsettled',
  'not_payable',
  'separately',
  'second_person',
  'refund_first',
  'payment_received',
  'confirm_rate',
  'plain_letters',
  'differs_from_rate',
  'attachment',
  'picture',
  'picture_too_small',
  'document',
  'document_pages',
  'document_active',
  'document_stays',
  'photo_gone',
  'date',
  'too_young',
  'past',
  'future',
  'older_than_order',
  'names_other_order',
  'other_currency',
  'already_paid',
  'looks_imported',
  'no_deadline',
  'too_far',
  'language_taken',
  'common',
  'unknown',
  'not_of_kind',
  'already_listed',
  'has_account',
  'email_taken',
  'listed_otherwise',
  'url_invalid',
  'url_https',
  'url_port',
  'url_private',
  'url_own_site',
  'invalid',
  'overlaps',
  'not_ascending',
  'not_whole',
  'has_orders',
] as const

export type FieldProblem = (typeof fieldProblems)[number]

/** One field's problem on the wire: `path` is the dotted name of the field. */
export type FieldError = { path: string; code: FieldProblem; message: string }

/** RFC 9457 problem details, with a stable `code` that pages translate. */
export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  code: ErrorCode
  message: string
  errors?: FieldError[]
  secondFactor?: SecondFactorRequest
  /**
   * With `member_inactive`: staff deactivated an account that was active, so an activation code cannot reactivate it.
   */
  isClosed?: true
  /** With `work_required`: the challenge. The same request succeeds with its solution. */
  work?: Work
  /** With `content_broken`: the problems and their places. */
  broken?: readonly ContentProblem[]
  /** With `conflict` of a draft: changes by others since the version that the draft is based on, place by place. */
  theirs?: readonly TheirChange[]
  /** With `conflict` of a payout run: why each of these deliveries can't be paid. */
  deliveries?: readonly RefusedDelivery[]
}

export type RefusedDelivery = { deliveryId: string; reference: string; obstacle: string; hold: string | null }

/**
 * A concurrent change by someone else. `by` is null if the member no longer exists. `version` is what a change must be
 * based on to take it into account.
 */
export type TheirChange = {
  place: string
  value: unknown
  version: number
  by: { id: string; name: string } | null
  at: string
}
