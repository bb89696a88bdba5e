import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addSettings, parseSettings } from './settings-file.ts'

const guide = `# A comment
PUBLIC_URL=https://coin.example
  ; Another one
MAIL_FROM="Coin <no-reply@coin.example>"

SMTP_URL=smtps://user:pass%20word@mail.example?a=b#c
EMPTY=
SINGLE='one $HOME "two" \\'
ESCAPED="a \\"quoted\\" \\$word \\\\ \\n"
ENCRYPTION_KEY=q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=`

test('parses comments, blanks, and quotes', () => {
  expect(parseSettings(guide)).toEqual({
    PUBLIC_URL: 'https://coin.example',
    MAIL_FROM: 'Coin <no-reply@coin.example>',
    SMTP_URL: 'smtps://user:pass%20word@mail.example?a=b#c',
    EMPTY: '',
    SINGLE: 'one $HOME "two" \\',
    ESCAPED: 'a "quoted" $word \\ \\n',
    ENCRYPTION_KEY: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=',
  })
})

test('reads what a shell reads', () => {
  const names = Object.keys(parseSettings(guide))
  const read = execFileSync(
    'sh',
    ['-c', `set -a; ${guide.replace('  ; Another one\n', '')}\n; env -0`.replace('\n;', '\n')],
    { env: {}, encoding: 'utf8' },
  )
  const shell = Object.fromEntries(read.split('\0').map((each) => each.split(/=(.*)/s).slice(0, 2)))
  expect(Object.fromEntries(names.map((name) => [name, shell[name]]))).toEqual(parseSettings(guide))
})

test('continues a line after a backslash, and accepts lines that end as on Windows', () => {
  expect(parseSettings('A=one \\\ntwo  \r\nB="x\\\ny"\r\n')).toEqual({ A: 'one two', B: 'xy' })
})

test.each(['export A=1', 'A=1\nB="unclosed', 'A', 'A="one"two', '1A=2'])('refuses %j', (text) => {
  expect(() => parseSettings(text)).toThrow(`line ${text.split('\n').length} isn’t NAME=value`)
})

test('the environment takes precedence over the file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'settings')
  writeFileSync(file, 'PORT=3001\nHOST=127.0.0.1\n')
  const environment: NodeJS.ProcessEnv = { COIN_SETTINGS: file, PORT: '4000' }
  addSettings(environment)
  expect(environment).toEqual({ COIN_SETTINGS: file, PORT: '4000', HOST: '127.0.0.1' })
})

test('names the file and the line that it can’t read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'settings')
  writeFileSync(file, 'PORT=3001\nHOST\n')
  expect(() => addSettings({ COIN_SETTINGS: file })).toThrow(`In ${file}, line 2 isn’t NAME=value.`)
})
