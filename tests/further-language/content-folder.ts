import { folderWithSpanish } from './content-with-spanish.ts'

/** In place of `api/content-folder.ts`. */
export const contentFolder = folderWithSpanish
