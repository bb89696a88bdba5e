import { contentFolder } from '../../content-folder.ts'
import type { GivenContent } from '../rules/given-content.ts'
import { readGiven } from '../rules/read-given.ts'

let files: GivenContent | undefined

/** What the files of this release say, read once. Their rules were checked before the build. */
export const baseFiles = (): GivenContent => (files ??= readGiven(contentFolder).given)
