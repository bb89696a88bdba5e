// Generated from the English messages by `npm run words:types`. Do not edit.

export type ArchivePlaceholders = {
  archive: 'date'
  picture: 'application' | 'picture'
  waitingPicture: 'picture'
  messageFile: 'conversation' | 'file' | 'type'
  'readme.made': 'date' | 'email'
  'kept.some': 'list'
  'kept.orders': 'date'
  'kept.identity': 'date'
  'kept.refusal': 'date'
  'kept.consents': 'date'
  'kept.handledOrders': 'date'
}

export type IdentityPlaceholders = {
  expired: 'days'
}

export type Placeholders = {
  'errors.work_failed': 'time'
  'errors.retryAfter': 'time'
  'errors.maintenance_until': 'time'
  'errors.maintenance_page_until': 'time'
  'field.too_short': 'min'
  'field.too_long': 'max'
  'field.too_few': 'min'
  'field.too_many': 'max'
  'field.ambiguous_number': 'max'
  'field.confirm_rate': 'from' | 'percent' | 'to'
  'field.too_little': 'min'
  'field.too_much': 'max'
  'field.too_precise': 'max'
  'field.picture_too_small': 'max' | 'min'
  'field.too_young': 'min'
  'field.too_far': 'max'
}
