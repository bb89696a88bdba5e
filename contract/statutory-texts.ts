/**
 * Texts whose wording is prescribed by Regulation (EU) 2023/1114, articles 6(3), 6(5), and 7(1), letter (e). Editors
 * cannot change them in any language.
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
