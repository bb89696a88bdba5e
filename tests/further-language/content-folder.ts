import { folderWithSpanish } from './content-with-spanish.ts'

/** Replaces `api/platform/site-content/content-folder.ts`. */
export const contentFolder = folderWithSpanish
