import { photoTypes } from '#contract/kyc.ts'

/** iOS converts photos to JPEG unless HEIC is listed explicitly; other systems offer what they have. */
export const accepted = [...photoTypes, '.heic', '.heif'].join(',')
