/** Joins the parts of a name. In a Chinese name, the family name comes first and there are no spaces. */
export function fullName(given: string, family: string, middle = ''): string {
  const isChinese = /^\p{Script=Han}+$/u.test(given + middle + family)
  return isChinese ? family + given + middle : [given, middle, family].filter(Boolean).join(' ').trim()
}
