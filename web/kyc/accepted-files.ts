import { photoTypes } from '#contract/kyc.ts'

/** iOS turns its photos into JPEG where HEIC is not asked for by name; other systems offer what they have. */
export const accepted = [...photoTypes, '.heic', '.heif'].join(',')
