// Compiles test-token.sol to test-token.json. Ganache runs what compilers wrote for the London upgrade.
const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const solc = require('solc')

const file = 'test-token.sol'
const input = {
  language: 'Solidity',
  sources: { [file]: { content: readFileSync(join(__dirname, file), 'utf8') } },
  settings: {
    evmVersion: 'london',
    optimizer: { enabled: true, runs: 200 },
    metadata: { appendCBOR: false },
    outputSelection: { '*': { TestToken: ['evm.bytecode.object', 'evm.methodIdentifiers'] } },
  },
}
const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)))
for (const { formattedMessage } of errors) console.error(formattedMessage)
if (errors.length > 0) process.exit(1)
const { bytecode, methodIdentifiers } = contracts[file].TestToken.evm
const made = { bytecode: `0x${bytecode.object}`, methods: methodIdentifiers }
writeFileSync(join(__dirname, 'test-token.json'), `${JSON.stringify(made, null, 2)}\n`)
