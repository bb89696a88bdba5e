/**
 * Texts that Regulation (EU) 2023/1114 words, articles 6(3), 6(5) and 7(1), letter (e). They stand as the program came, in every
 * language: whoever edits content does not change what the law says.
 */
export const statutoryTexts: readonly string[] = [
  'whitePaper.statement.approval',
  'whitePaper.risks.value',
  'whitePaper.risks.transfer',
  'whitePaper.risks.liquid',
  'whitePaper.risks.utility',
  'whitePaper.risks.investor',
  'whitePaper.risks.deposit',
  'whitePaper.marketing.statement',
]
