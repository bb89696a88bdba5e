import type { RuleCode } from '#contract/publishing/content-rules.ts'

/** Values in a message. An empty text is shown as “none”. */
export type RuleValues = Readonly<Record<string, string | number>>

/** A problem of the content before it is put into words: the file under `content/`, the place in it, and the rule. */
export type Found = { file: string; place: string; code: RuleCode; values?: RuleValues | undefined }

/** The place of a problem that concerns the file as a whole. */
export const WHOLE_FILE = '(file)'

/** For schema checks: the issue names its rule, and the values for its message. */
export const breaks = (code: RuleCode, values: RuleValues = {}) => ({
  error: code,
  params: { rule: code, values },
})

/** The same for an issue that is added manually. */
export const issue = (path: PropertyKey[], code: RuleCode, values: RuleValues = {}) => ({
  code: 'custom' as const,
  path,
  message: code,
  params: { rule: code, values },
})
