import { folderWithSpanish } from './content-with-spanish.ts'

/** Replaces `api/content-folder.ts`. */
export const contentFolder = folderWithSpanish
