import type { FieldProblem, RefusalCode } from '#contract/errors.ts'
import type { MessageKey } from './message-key.ts'

/** The sentence for each refusal: a code without words does not compile. */
export const refusalWords: Readonly<Record<RefusalCode | 'offline', MessageKey>> = {
  malformed_json: 'errors.malformed_json',
  validation_failed: 'errors.validation_failed',
  app_mismatch: 'errors.app_mismatch',
  reset_code_invalid: 'errors.reset_code_invalid',
  code_invalid: 'errors.code_invalid',
  unauthenticated: 'errors.unauthenticated',
  credentials_invalid: 'errors.credentials_invalid',
  session_expired: 'errors.session_expired',
  second_factor_required: 'errors.second_factor_required',
  second_factor_needed: 'errors.second_factor_needed',
  step_up_required: 'errors.step_up_required',
  app_unknown: 'errors.app_unknown',
  member_inactive: 'errors.member_inactive',
  forbidden: 'errors.forbidden',
  xsrf_failed: 'errors.xsrf_failed',
  not_found: 'errors.not_found',
  conflict: 'errors.conflict',
  last_admin: 'errors.last_admin',
  payload_too_large: 'errors.payload_too_large',
  unsupported_media_type: 'errors.unsupported_media_type',
  rate_limited: 'errors.rate_limited',
  unexpected: 'errors.unexpected',
  unavailable: 'errors.unavailable',
  offline: 'errors.offline',
}

/** The sentence for each problem of a field; those with a bound take `{min}` or `{max}`. */
export const fieldWords: Readonly<Record<FieldProblem, MessageKey>> = {
  required: 'field.required',
  email: 'field.email',
  too_short: 'field.too_short',
  too_long: 'field.too_long',
  too_few: 'field.too_few',
  too_many: 'field.too_many',
  number: 'field.number',
  one_of: 'field.one_of',
  mismatch: 'field.mismatch',
  address: 'field.address',
  picture: 'field.picture',
  common: 'field.common',
  unknown: 'field.unknown',
  invalid: 'field.invalid',
}
