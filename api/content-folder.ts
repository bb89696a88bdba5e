import { join } from 'node:path'

/** Where the files are that say what the site says. */
export const contentFolder = join(import.meta.dirname, '../content')
