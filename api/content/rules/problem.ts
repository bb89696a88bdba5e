import type { RuleCode } from '#contract/content-rules.ts'

/** What a sentence says. An empty text is said as “none”. */
export type RuleValues = Readonly<Record<string, string | number>>

/** What is wrong with content, before it is said in words: the file under `content/`, the place in it, the rule. */
export type Found = { file: string; place: string; code: RuleCode; values?: RuleValues | undefined }

/** Where a problem is of the file as a whole. */
export const WHOLE_FILE = '(file)'

/** For a check of a schema: the issue names its rule, and what its sentence says. */
export const breaks = (code: RuleCode, values: RuleValues = {}) => ({
  error: code,
  params: { rule: code, values },
})

/** The same for an issue that is added by hand. */
export const issue = (path: PropertyKey[], code: RuleCode, values: RuleValues = {}) => ({
  code: 'custom' as const,
  path,
  message: code,
  params: { rule: code, values },
})
