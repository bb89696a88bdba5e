import { bech32m } from '@scure/base'
import { expect, test } from 'vitest'
import { sampleTokenAddress } from '#demo/addresses.ts'
import brand from '#content/brand.json' with { type: 'json' }
import { contrastOf, colours as coloursSchema } from '#api/publishing/content/rules/colours-schema.ts'
import colours from '#content/colours.json' with { type: 'json' }
import { checkAddress } from '#contract/platform/chain-address.ts'
import { mixColours } from './mix-colours.ts'
import { renameWords, type Named } from './rename-words.ts'

const from: Named = {
  name: 'Lodestar',
  ticker: 'LODE',
  domain: 'lodestar.example',
  prefix: 'lode',
  testPrefixes: ['tlode', 'rlode'],
  versions: [35, 50],
}
const to: Named = {
  name: 'Blue Finch 2',
  ticker: 'BLU3',
  domain: 'finch.example',
  prefix: 'blu',
  testPrefixes: ['tblu', 'rblu'],
  versions: [25, 85],
}

test.each([
  ['Lodestar and its coin, LODE', 'Blue Finch 2 and its coin, BLU3'],
  ['35 个新的LODE就此铸成', '35 个新的BLU3就此铸成'],
  ['Lodestar基金会', 'Blue Finch 2基金会'],
  [
    'run LodestarNode or lodestard, see lodestar.conf',
    'run BlueFinch2Node or blue-finch-2d, see blue-finch-2.conf',
  ],
  ['https://explorer.lodestar.example/a', 'https://explorer.finch.example/a'],
  [
    'It begins with lode1p, on the test network with tlode1p.',
    'It begins with blu1p, on the test network with tblu1p.',
  ],
  [
    'An explode is no name, nor are LODES, XLODE or loder',
    'An explode is no name, nor are LODES, XLODE or loder',
  ],
])('“%s” becomes “%s”', (text, renamed) => {
  expect(renameWords(text, from, to)).toBe(renamed)
})

test('a whole address keeps whom it pays and gets a sound checksum', () => {
  const words = [1, ...bech32m.toWords(new Uint8Array(32).fill(9))]
  const [old, own] = [bech32m.encode('lode', words), bech32m.encode('blu', words)]
  expect(renameWords(`Pay ${old}.`, from, to)).toBe(`Pay ${own}.`)
  expect(checkAddress('token', own, to)).toEqual({ address: own })
})

test.runIf((brand.chain.versions as readonly number[]).length > 0)(
  'an address by a version byte becomes one of the other chain',
  () => {
    const versions: readonly number[] = brand.chain.versions
    const renamed = renameWords(sampleTokenAddress('a payee'), { ...from, versions }, to)
    expect(checkAddress('token', renamed, to)).toEqual({ address: renamed })
  },
)

test.each([
  ['#ffff00', '#00ffff'],
  ['#000033', '#330000'],
  ['#808080', '#ffffff'],
  ['#ff8800', '#004488'],
])('of %s and %s a palette is made that can be read, and what was changed is told', (accent, second) => {
  const { palette, told } = mixColours(colours, accent, second)
  expect(coloursSchema.safeParse(palette).error?.issues ?? []).toEqual([])
  expect(contrastOf(palette.copper.light, palette.ground.light)).toBeGreaterThanOrEqual(4.5)
  expect(told.filter((line) => line.includes('is needed')).length).toBeGreaterThan(0)
})
