import { photoTypes } from '#contract/kyc.ts'

/** iOS converts photos to JPEG unless HEIC is listed explicitly; other systems offer the files as they are. */
export const accepted = [...photoTypes, '.heic', '.heif'].join(',')
