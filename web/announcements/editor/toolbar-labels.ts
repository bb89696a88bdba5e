import type { PlainKey } from '../../i18n/message-key.ts'
import type { BlockKind } from './commands.ts'
import type { TextStyleName, textStyles } from './formats.ts'

export const blockLabels: readonly (readonly [BlockKind, PlainKey])[] = [
  ['paragraph', 'editor.block.paragraph'],
  ['1', 'editor.block.1'],
  ['2', 'editor.block.2'],
  ['3', 'editor.block.3'],
  ['4', 'editor.block.4'],
  ['5', 'editor.block.5'],
  ['6', 'editor.block.6'],
]

export const textStyleLabels: Record<TextStyleName, PlainKey> = {
  size: 'editor.size',
  font: 'editor.font',
  color: 'editor.color',
  bg: 'editor.background',
}

export const valueLabels: Record<(typeof textStyles)[TextStyleName][number], PlainKey> = {
  small: 'editor.size.small',
  large: 'editor.size.large',
  huge: 'editor.size.huge',
  serif: 'editor.font.serif',
  monospace: 'editor.font.monospace',
  copper: 'editor.color.copper',
  verdigris: 'editor.color.verdigris',
  red: 'editor.color.red',
  yellow: 'editor.color.yellow',
  green: 'editor.color.green',
  quiet: 'editor.color.quiet',
}

export const alignmentLabels: readonly (readonly [string, PlainKey])[] = [
  ['', 'editor.align.start'],
  ['center', 'editor.align.center'],
  ['right', 'editor.align.right'],
  ['justify', 'editor.align.justify'],
]
