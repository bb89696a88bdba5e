import { join } from 'node:path'

/** The folder with the texts and data of the site. */
export const contentFolder = join(import.meta.dirname, '../../../content')
