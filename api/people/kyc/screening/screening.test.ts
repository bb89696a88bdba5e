import { describe, expect, test } from 'vitest'
import { normalizeName, lettersMax } from './normalize-name.ts'
import { indexNames } from './name-index.ts'
import { parseCsv } from './list-file.ts'
import { scoreBirth, scoreNames } from './score-name.ts'

const score = (one: string, other: string) => scoreNames(normalizeName(one), normalizeName(other))
const find = (name: string, listed: string, born = '', listedBorn = '') =>
  indexNames([{ name: listed, born: listedBorn, list: 'A list' }]).search({ name, born })

describe('recognizes real spellings as one name', () => {
  test.each([
    // Order, accents, case, punctuation
    ['Jean-Luc Müller', 'MULLER, Jean Luc', 95],
    ['Jean-Luc Mueller', 'Jean-Luc Müller', 90],
    ['Łukasz Ødegård', 'Lukasz Odegard', 100],
    ['Đặng Văn Mẫu', 'Dang Van Mau', 100],
    ["O'Sample Person", 'Osample Person', 100],
    ['Sample\u200bPerson One', 'SamplePerson One', 100],
    ['Ｓａｍｐｌｅ　Ｐｅｒｓｏｎ', 'Sample Person', 100],
    ['Sampel Person', 'Sample Person', 70],
    // Cyrillic letters that look like Latin ones
    ['S\u0430mpl\u0435 \u0420erson', 'Sample Person', 100],
    // Han characters: spaces and dots within, both scripts in one field
    ['王小明', '王小明', 100],
    ['王 小 明', '王小明', 100],
    ['王　小明', '王小明', 100],
    ['王·小明', '王小明', 100],
    ['王小明 Wang Xiaoming', '王小明', 100],
    ['王小明 Wang Xiaoming', 'WANG Xiao Ming', 90],
    ['王小明(Xiaoming Wang)', 'Wang, Xiaoming', 100],
    ['Xiaoming 王小明 Wang', '王小明', 100],
    // In Latin letters, in either order, with and without spaces
    ['王小明', 'Wang Xiaoming', 100],
    ['王小明', 'Xiaoming Wang', 100],
    ['王小明', 'WANG XIAO MING', 90],
    ['王小明', 'Xiao-Ming Wang', 90],
    ['Wangxiaoming', '王小明', 85],
    ['欧阳娜娜', 'Ouyang Nana', 100],
    ['曾小明', 'Zeng Xiaoming', 100],
    ['单小明', 'Shan Xiaoming', 100],
    ['張小明', '张小明', 85],
    ['吕小明', 'Lü Xiaoming', 100],
    // Cyrillic and Greek
    ['Сергей Образцов', 'Sergey Obraztsov', 100],
    ['Сергей Образцов', 'OBRAZTSOV Sergei', 95],
    ['Юлия Щербакова', 'Iuliia Shcherbakova', 90],
    ['Юлия Щербакова', 'Yulia Shcherbakova', 95],
    ['Евгений Хрущёв', 'Evgeny Khrushchev', 90],
    ['Ελένη Δοκιμή', 'Eleni Dokimi', 100],
    // Short forms and spellings of given names
    ['Bill Sample', 'William Sample', 95],
    ['Bob Sample', 'SAMPLE, Robert', 95],
    ['Sasha Obraztsov', 'Aleksandr Obraztsov', 95],
    ['Саша Образцов', 'Aleksandra Obraztsova', 85],
    ['Kate Sample', 'Ekaterina Sample', 95],
    ['Mohammed Sample', 'Muhammad Sample', 95],
    // Omitted words, and initials
    ['John Sample', 'John Michael Sample', 85],
    ['John Michael Quincy Sample', 'Sample John', 85],
    ['J. Sample', 'John Sample', 75],
    ['Sample Person (born Example)', 'Sample Person', 85],
  ])('%s is found as %s', (name, listed, least) => {
    expect(score(name, listed)).toBeGreaterThanOrEqual(least)
    expect(score(listed, name)).toBe(score(name, listed))
    expect(find(name, listed).matches).toHaveLength(1)
    expect(find(listed, name).matches).toHaveLength(1)
  })

  test.each([
    ['Sample Person', 'Entirely Different'],
    ['王小明', '李小龙'],
    ['王小明', 'Wang Dawei'],
    ['John Sample', 'John Beispiel'],
    ['Maria Sample', 'Mario Beispiel'],
    ['Li Na', 'Li Ming'],
    ['Anna Muster', 'Hanna Beispiel'],
    ['', 'Sample'],
  ])('%s is not %s', (name, listed) => {
    expect(score(name, listed)).toBeLessThan(70)
    expect(find(name, listed).matches).toEqual([])
  })

  test('characters that sound alike score lower than the same characters', () => {
    expect(score('王晓鸣', '王小明')).toBe(85)
    expect(score('王小明', '王小明')).toBe(100)
  })
})

test('reports names that cannot be compared completely: too long, without sound, or without vowels', () => {
  expect(normalizeName('\ufdfa'.repeat(400))).toMatchObject({ isPartial: true })
  expect(
    normalizeName('\ufdfa'.repeat(400))
      .forms.flatMap(({ words }) => words)
      .join('').length,
  ).toBeLessThan(2 * lettersMax)
  expect(normalizeName('x'.repeat(lettersMax)).isPartial).toBe(false)
  expect(normalizeName('x'.repeat(lettersMax + 1)).isPartial).toBe(true)
  for (const name of ['', '…', '\u{20002}', 'Sample \u{20002}', 'محمد', 'X'])
    expect(normalizeName(name).isPartial, name).toBe(true)
  // Combining marks don't count as letters.
  expect(normalizeName(`Sa\u0301${'\u0300'.repeat(300)}mple Person`)).toMatchObject({ isPartial: false })
})

test('ranks by a date of birth known on both sides, and excludes no one by a different one', () => {
  expect(scoreBirth('1970-01-02', '1970-01-02')).toBe(10)
  expect(scoreBirth('1970-01-02', '1970')).toBe(5)
  expect(scoreBirth('1970-01-02', '1970-01')).toBe(5)
  expect(scoreBirth('1970-01-02', '1970-02-01')).toBe(0)
  expect(scoreBirth('1970-01-02', '1970-12-31')).toBe(-25)
  expect(scoreBirth('1970-01-02', 'circa 1971')).toBe(-25)
  expect(scoreBirth('1970-01-02', '1999-01-02')).toBe(-40)
  expect(scoreBirth('1970-01-02', '1999; 1970-01-02')).toBe(10)
  expect(scoreBirth('1970-01-02', 'unknown')).toBe(0)
  expect(scoreBirth('', '1999-01-02')).toBe(0)
  const listed = (born: string) => find('Sample Person', 'Sample Person', '1970-01-02', born)
  expect(listed('1970-01-02')).toMatchObject({ matches: [{ score: 100, isBornOtherwise: false }] })
  expect(listed('1971-05-05')).toMatchObject({ matches: [{ score: 75, isBornOtherwise: true }] })
  expect(listed('1940-05-05')).toMatchObject({ matches: [{ score: 60, isBornOtherwise: true }] })
  expect(listed('')).toMatchObject({ matches: [{ score: 100, isBornOtherwise: false }] })
})

test('accepts CSV with quotes, line breaks in quotes, no final line end, and a byte order mark', () => {
  expect(parseCsv('\ufeffname,born\r\n"A, ""B""",1970-01-01\r\n"two\nlines",\n\nlast,x')).toEqual([
    ['name', 'born'],
    ['A, "B"', '1970-01-01'],
    ['two\nlines', ''],
    ['last', 'x'],
  ])
  expect(parseCsv('')).toEqual([])
})

test.each(['name\n"Sample Person', 'name\n"Sample" Person', 'name\nSample "Person"'])(
  'rejects a truncated or wrongly quoted CSV file completely: %j',
  (text) => {
    expect(() => parseCsv(text)).toThrow(/line 2/)
  },
)
